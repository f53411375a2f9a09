// Where a server listens, and what it says where it cannot.
#include "meters/edge/web_listen.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "meters/edge/fault.h"
#include "tests/support/process_limit.h"
#include "tests/web/raw_client.h"

#include <doctest/doctest.h>

namespace linkmeter::web_listen_test {
namespace {

WebAddress address(const std::string& text) {
  const auto parsed = WebAddress::parse(text);
  REQUIRE(parsed.has_value());
  return *parsed;
}

bool has_ipv6() {
  const Descriptor made(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 here{};
  here.sin6_family = AF_INET6;
  here.sin6_addr = in6addr_loopback;
  return made.is_open() &&
         ::bind(made.get(), reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0;
}

// The next file that this process opens is this one.
int next_file() { return Descriptor(::open("/", O_RDONLY | O_CLOEXEC)).get(); }

}  // namespace

TEST_CASE("a free port is one's own, by address and by name") {
  for (const char* text : {"http://127.0.0.1:0", "http://localhost:0"}) {
    CAPTURE(text);
    const WebListening one = listen_at(address(text)), other = listen_at(address(text));
    CHECK_NE(one.port, 0);
    CHECK_NE(one.port, other.port);
  }
}

TEST_CASE("an address of IPv6 is listened at, where the machine has any") {
  if (!has_ipv6()) {
    MESSAGE("this machine has no IPv6: it is not tried");
    return;
  }
  const WebListening listening = listen_at(address("http://[::1]:0"));
  const Descriptor client(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 there{};
  there.sin6_family = AF_INET6;
  there.sin6_addr = in6addr_loopback;
  there.sin6_port = htons(listening.port);
  CHECK_EQ(::connect(client.get(), reinterpret_cast<const sockaddr*>(&there), sizeof there), 0);
}

TEST_CASE("a host that is none is said") {
  CHECK_THROWS_WITH_AS(static_cast<void>(listen_at(address("https://a..b:0"))),
                       doctest::Contains("https://a..b:0: "), Fault);
}

TEST_CASE("a server that runs out of files says at what") {
  const auto said = [](rlim_t files) -> std::string {
    const ProcessLimit few(RLIMIT_NOFILE, files);
    try {
      const WebServer server(
          local_setup(), [](const WebRequest&, WebTicket) -> WebReply { return WebResponse{}; });
      return "it serves";
    } catch (const Fault& fault) {
      return fault.what();
    }
  };
  // One file more each time: its bell, its socket, what the library needs.
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
