// Where a server listens, and its error if it cannot.
#include "proto/http/server.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "proto/host/certificate.h"
#include "proto/host/fault.h"
#include "tests/support/process_limit.h"
#include "tests/web/raw_client.h"

namespace linkmeter::web_listen_test {
namespace {

WebAddress address(const std::string& text) {
  const auto parsed = WebAddress::parse(text);
  REQUIRE(parsed.has_value());
  return *parsed;
}

bool has_ipv6() {
  const FileDescriptor made(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 here{};
  here.sin6_family = AF_INET6;
  here.sin6_addr = in6addr_loopback;
  return made.is_open() &&
         ::bind(made.get(), reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0;
}

// Runs the test in a network namespace with a loopback interface only, where every address is free.
// It runs in a thread, so the test must not use REQUIRE.
void in_own_network(const std::function<void()>& test) {
  bool is_there = false;
  std::exception_ptr thrown;
  std::thread([&] {
    ifreq loopback{};
    std::strncpy(loopback.ifr_name, "lo", sizeof loopback.ifr_name - 1);
    loopback.ifr_flags = static_cast<short>(IFF_UP);
    if (::unshare(CLONE_NEWNET) != 0) return;
    const FileDescriptor any(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    is_there = ::ioctl(any.get(), SIOCSIFFLAGS, &loopback) == 0;
    try {
      if (is_there) test();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
  if (!is_there) MESSAGE("no network of its own can be made here: it is not tried");
}

bool is_reached(int family, std::uint16_t port) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  four.sin_port = htons(port);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_loopback;
  six.sin6_port = htons(port);
  const FileDescriptor client(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return (family == AF_INET
              ? ::connect(client.get(), reinterpret_cast<const sockaddr*>(&four), sizeof four)
              : ::connect(client.get(), reinterpret_cast<const sockaddr*>(&six), sizeof six)) == 0;
}

// The number of the next file that this process opens.
int next_file() { return FileDescriptor(::open("/", O_RDONLY | O_CLOEXEC)).get(); }

}  // namespace

TEST_CASE("a free port can be used by address and by name") {
  for (const char* text : {"http://127.0.0.1:0", "http://localhost:0"}) {
    CAPTURE(text);
    const WebListening one = listen_at(address(text)), other = listen_at(address(text));
    CHECK_NE(one.port, 0);
    CHECK_NE(one.port, other.port);
  }
}

TEST_CASE("the server listens at an IPv6 address if the machine has IPv6") {
  if (!has_ipv6()) {
    MESSAGE("this machine has no IPv6: it is not tried");
    return;
  }
  const WebListening listening = listen_at(address("http://[::1]:0"));
  CHECK(is_reached(AF_INET6, listening.port));
}

TEST_CASE("\"every address\" listens on both families if there are both") {
  in_own_network([] {
    const WebListening all = listen_at(address("https://*:0"));
    CHECK(is_reached(AF_INET, all.port));
    CHECK_EQ(is_reached(AF_INET6, all.port), has_ipv6());
    CHECK_THROWS_AS(static_cast<void>(listen_at(address("https://*:" + std::to_string(all.port)))),
                    Fault);
  });
}

TEST_CASE("if IPv6 cannot be listened at, IPv4 is") {
  in_own_network([] {
    const FileDescriptor taken(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in6 all{};
    all.sin6_family = AF_INET6;
    socklen_t size = sizeof all;
    const int yes = 1;
    ::setsockopt(taken.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    ::bind(taken.get(), reinterpret_cast<const sockaddr*>(&all), size);
    ::listen(taken.get(), 1);
    ::getsockname(taken.get(), reinterpret_cast<sockaddr*>(&all), &size);
    const std::uint16_t port = ntohs(all.sin6_port);  // 0 without IPv6: any free port
    const WebListening four = listen_at(address("https://*:" + std::to_string(port)));
    if (port != 0) CHECK_EQ(four.port, port);
    CHECK(is_reached(AF_INET, four.port));
  });
}

TEST_CASE("a server at every address has the machine's name in its URL") {
  in_own_network([] {
    const WebServer::Setup setup{address("https://*:0"), make_certificate({"localhost"})};
    const WebServer server(setup,
                           [](const WebRequest&, RequestId) -> WebReply { return WebResponse{}; });
    CHECK_EQ(server.url(),
             "https://" + own_hosts().front() + ":" + std::to_string(port_of(server.url())));
    CHECK(is_reached(AF_INET, port_of(server.url())));
  });
}

TEST_CASE("an unknown host is reported") {
  CHECK_THROWS_WITH_AS(static_cast<void>(listen_at(address("https://a..b:0"))),
                       doctest::Contains("https://a..b:0: "), Fault);
}

TEST_CASE("a server without file descriptors reports where") {
  const auto said = [](rlim_t files) -> std::string {
    try {
      under_limit(RLIMIT_NOFILE, files, [] {
        const WebServer server(
            local_setup(), [](const WebRequest&, RequestId) -> WebReply { return WebResponse{}; });
      });
      return "it serves";
    } catch (const Fault& fault) {
      return fault.what();
    }
  };
  // One more file each time: its eventfd, its socket, the files of the library.
  const int first = next_file();
  std::vector<std::string> all;
  for (int more = 0; more < 20 && (all.empty() || all.back() != "it serves"); ++more) {
    const std::string words = said(static_cast<rlim_t>(first + more));
    if (all.empty() || all.back() != words) all.push_back(words);
  }
  REQUIRE_EQ(all.size(), 4);
  CHECK_EQ(all[0], "cannot make an eventfd: Too many open files");
  CHECK_EQ(all[1], "cannot serve pages at http://127.0.0.1:0: Too many open files");
  CHECK_EQ(all[2], "cannot serve pages at http://127.0.0.1:0");
  CHECK_EQ(all[3], "it serves");
}

}  // namespace linkmeter::web_listen_test
