#include "controller/cluster/grpc_etcd.h"

#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "tests/cluster/etcd_contract.h"
#include "tests/cluster/etcd_process.h"
#include "tests/cluster/reserved_port.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::grpc_etcd_test {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds short_deadline(500);
// How much later than its deadline a call may end on a busy machine.
constexpr milliseconds lateness(5'000);

// One for all tests that leave it as it is.
EtcdProcess& shared_etcd() {
  static EtcdProcess etcd;
  return etcd;
}

std::unique_ptr<GrpcEtcd> client_of(const std::vector<std::string>& endpoints,
                                    milliseconds deadline = milliseconds(10'000)) {
  return std::make_unique<GrpcEtcd>(EtcdSettings{.endpoints = endpoints, .deadline = deadline});
}

EtcdContractBench bench() {
  static int number = 0;
  const std::vector<std::string> endpoints{shared_etcd().endpoint()};
  return {client_of(endpoints), client_of(endpoints), "/test/" + std::to_string(++number) + "/",
          [](milliseconds) {}};
}

EtcdTransaction put(const std::string& key, const std::string& value) {
  return {.conditions = {}, .puts = {{key, value}}};
}

// Asks etcd's HTTP interface, which has what the client does not need.
void ask(const EtcdProcess& etcd, const std::string& path, const std::string& json) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(etcd.port());
  REQUIRE(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  REQUIRE(socket.write_all("POST /v3/" + path +
                           " HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\nContent-Length: " +
                           std::to_string(json.size()) + "\r\n\r\n" + json));
  std::string answer;
  std::array<char, 4'096> bytes{};
  for (ssize_t count = 1; count > 0;) {
    count = ::read(socket.get(), bytes.data(), bytes.size());
    if (count > 0) answer.append(bytes.data(), static_cast<std::size_t>(count));
  }
  REQUIRE_MESSAGE(answer.starts_with("HTTP/1.1 200"), answer);
}

TEST_CASE("real etcd passes the contract: values") { etcd_values_contract(bench()); }

TEST_CASE("real etcd passes the contract: transactions") { etcd_transactions_contract(bench()); }

TEST_CASE("real etcd passes the contract: leases") { etcd_leases_contract(bench()); }

TEST_CASE("real etcd passes the contract: watches") { etcd_watch_contract(bench()); }

TEST_CASE("real etcd passes the contract: compaction") { etcd_compaction_contract(bench()); }

TEST_CASE("an endpoint is https, or http on this machine") {
  for (const char* good : {"https://etcd-1:2379", "https://10.0.0.7:2379", "https://[fd00::1]:1",
                           "http://127.0.0.1:2379", "http://localhost:2379", "http://[::1]:2379"}) {
    CHECK(etcd_endpoint_mistake(good) == "");
  }
  for (const char* bad : {"", "none", "etcd-1:2379", "http://10.0.0.7:2379", "http://etcd-1:2379",
                          "https://etcd-1", "https://etcd-1:0", "https://etcd-1:70000",
                          "https://*:2379", "tcp://127.0.0.1:2379", "https:// a:2379"}) {
    CHECK(etcd_endpoint_mistake(bad).starts_with("is \"" + std::string(bad) + "\"; "));
  }
}

TEST_CASE("wrong settings are a fault before anything is sent") {
  const ScopedDirectory folder;
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
    std::filesystem::permissions(folder.path() / name, std::filesystem::perms{0600});
    return folder.path() / name;
  };
  const std::vector<std::string> here{"http://127.0.0.1:1"}, there{"https://127.0.0.1:1"};
  const auto text = file("text", "no PEM\n"), empty = file("empty", "\n"),
             two = file("two", "one\ntwo\n"), open = file("open", "secret\n");
  std::filesystem::permissions(open, std::filesystem::perms{0644});
  const std::vector<EtcdSettings> wrong = {
      {.endpoints = {}},
      {.endpoints = {"http://10.0.0.7:2379"}},
      {.endpoints = there},
      {.endpoints = there, .ca_file = folder.path() / "none"},
      {.endpoints = there, .ca_file = text},
      {.endpoints = here, .user = "node"},
      {.endpoints = here, .password_file = text},
      {.endpoints = here, .user = "node", .password_file = folder.path() / "none"},
      {.endpoints = here, .user = "node", .password_file = empty},
      {.endpoints = here, .user = "node", .password_file = two},
      {.endpoints = here, .user = "node", .password_file = open},
  };
  for (std::size_t at = 0; at < wrong.size(); ++at) {
    CAPTURE(at);
    CHECK_THROWS_AS(GrpcEtcd{wrong[at]}, Fault);
  }
  CHECK_NOTHROW(GrpcEtcd(EtcdSettings{.endpoints = here, .user = "node", .password_file = text}));
}

TEST_CASE("without any member every call has an unknown result, and says which member") {
  const ReservedPort dead;
  const auto etcd = client_of({dead.url()}, short_deadline);
  const auto begin = Clock::now();
  const auto read = etcd->read({"a"});
  const auto done = etcd->commit(put("a", "1"));
  const auto watched = etcd->watch({"a"}, 1)->next(milliseconds(10'000));
  REQUIRE_FALSE(read);
  REQUIRE_FALSE(done);
  REQUIRE_FALSE(watched);
  for (const EtcdError& error : {read.error(), done.error(), watched.error()}) {
    CHECK(error.kind == EtcdError::Kind::unknown);
    CHECK(error.words.find(dead.url()) != std::string::npos);
    CHECK_MESSAGE(error.words.find("Connection refused") != std::string::npos, error.words);
  }
  CHECK_FALSE(etcd->compact(1));
  CHECK_FALSE(etcd->grant_lease(std::chrono::seconds(1)));
  CHECK_FALSE(etcd->renew_lease(1));
  CHECK_FALSE(etcd->end_lease(1));
  CHECK_FALSE(etcd->members());
  CHECK(Clock::now() - begin < 8 * short_deadline + lateness);
}

TEST_CASE("a read asks the next member itself; a change does so with the next call") {
  const ReservedPort dead;
  const std::vector<std::string> endpoints{dead.url(), shared_etcd().endpoint()};
  const auto reader = client_of(endpoints);
  CHECK(reader->read({"/next"}));
  CHECK(reader->commit(put("/next", "1")));
  const auto writer = client_of(endpoints);
  const auto unknown = writer->commit(put("/next", "2"));
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == EtcdError::Kind::unknown);
  CHECK(writer->commit(put("/next", "3")));
  const auto read = reader->read({"/next"});
  REQUIRE(read);
  const auto watcher = client_of(endpoints);
  CHECK_FALSE(watcher->watch({"/next"}, read->revision)->next(milliseconds(10'000)));
  CHECK(watcher->watch({"/next"}, read->revision)->next(milliseconds(10'000)));
}

TEST_CASE("a stopped member: results are unknown within the deadline, and a change may be done") {
  EtcdProcess process;
  const auto etcd = client_of({process.endpoint()}, short_deadline);
  const auto patient = client_of({process.endpoint()});
  REQUIRE(etcd->read({"a"}));
  const auto watch = etcd->watch({"a"}, 1);
  REQUIRE(patient->commit(put("a", "0")));
  const auto came = watch->next(milliseconds(10'000));
  REQUIRE(came);
  CHECK(came->size() == 1);

  process.stop();
  const auto begin = Clock::now();
  const auto lost = etcd->commit(put("a", "1"));
  REQUIRE_FALSE(lost);
  CHECK(lost.error().kind == EtcdError::Kind::unknown);
  CHECK(Clock::now() - begin < short_deadline + lateness);
  CHECK_FALSE(etcd->read({"a"}));
  CHECK_FALSE(etcd->renew_lease(1));
  CHECK_FALSE(etcd->members());
  const auto silent = watch->next(milliseconds(60'000));
  REQUIRE_FALSE(silent);
  CHECK(silent.error().kind == EtcdError::Kind::unknown);
  CHECK(Clock::now() - begin < 6 * short_deadline + lateness);

  process.go_on();
  const auto read = patient->read({"a"});
  REQUIRE(read);
  REQUIRE(read->values.size() == 1);
  // The lost transaction may be either way. The same client works again.
  CHECK(patient->commit(put("a", "2")));
  CHECK(etcd->watch({"a"}, read->revision + 1)->next(milliseconds(10'000)));
}

TEST_CASE("a killed member: its watch ends, and the same client finds it again") {
  EtcdProcess process;
  const auto etcd = client_of({process.endpoint()});
  const auto lease = etcd->grant_lease(std::chrono::seconds(60));
  REQUIRE(lease);
  REQUIRE(etcd->commit({.conditions = {}, .puts = {{"a", "1", *lease}}}));
  const auto watch = etcd->watch({"b"}, 1);
  process.kill();
  const auto ended = watch->next(milliseconds(60'000));
  REQUIRE_FALSE(ended);
  CHECK(ended.error().kind == EtcdError::Kind::unknown);
  CHECK_FALSE(etcd->commit(put("b", "1")));
  process.start();
  const auto until = Clock::now() + std::chrono::seconds(60);
  while (!etcd->read({"a"}) && Clock::now() < until) continue;
  const auto read = etcd->read({"a"});
  REQUIRE(read);
  CHECK(read->values.size() == 1);
  const auto renewed = etcd->renew_lease(*lease);
  REQUIRE(renewed);
  CHECK(*renewed == std::chrono::seconds(60));
}

TEST_CASE("a watch ends at once when it is destroyed, also while it waits for its first answer") {
  EtcdProcess process;
  const auto etcd = client_of({process.endpoint()}, std::chrono::seconds(600));
  const auto idle = etcd->watch({"a"}, 1);
  REQUIRE(etcd->commit(put("a", "1")));
  REQUIRE(idle->next(milliseconds(60'000)));
  process.stop();
  const auto begin = Clock::now();
  static_cast<void>(etcd->watch({"a"}, 1));
  CHECK(Clock::now() - begin < std::chrono::seconds(60));
  process.go_on();
}

TEST_CASE("a watch that nobody takes from receives a long history in the end, in order") {
  const auto etcd = client_of({shared_etcd().endpoint()});
  const std::string large(1'000'000, 'x');
  constexpr std::size_t count = 40;
  const auto start = etcd->read({"/large"});
  REQUIRE(start);
  const auto watch = etcd->watch({"/large"}, start->revision + 1);
  for (std::size_t number = 0; number < count; ++number) {
    REQUIRE(etcd->commit(put("/large", std::to_string(number) + large)));
  }
  std::size_t seen = 0;
  for (int tries = 0; tries < 600 && seen < count; ++tries) {
    const auto came = watch->next(milliseconds(100));
    REQUIRE(came);
    for (const EtcdEvent& event : *came) {
      CHECK(event.value.value.starts_with(std::to_string(seen++) + "x"));
    }
  }
  CHECK(seen == count);
}

TEST_CASE("many threads use one client") {
  const auto etcd = client_of({shared_etcd().endpoint()});
  std::vector<std::thread> threads;
  std::array<std::size_t, 4> done{};
  for (std::size_t number = 0; number < done.size(); ++number) {
    threads.emplace_back([&, number] {
      const std::string key = "/thread/" + std::to_string(number);
      for (int times = 0; times < 25; ++times) {
        const auto made = etcd->commit(put(key, std::to_string(times)));
        if (made && made->is_done) ++done[number];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(std::all_of(done.begin(), done.end(), [](std::size_t count) { return count == 25; }));
}

TEST_CASE("a full store refuses changes, and says so") {
  EtcdProcess process({"--quota-backend-bytes", "2000000"});
  const auto etcd = client_of({process.endpoint()});
  const std::string large(500'000, 'x');
  std::string words;
  // etcd measures its store every tenth of a second.
  for (int number = 0; number < 400 && words.empty(); ++number) {
    const auto done = etcd->commit(put("a" + std::to_string(number), large));
    if (!done) {
      CHECK(done.error().kind == EtcdError::Kind::refused);
      words = done.error().words;
    }
  }
  CHECK_MESSAGE(words.find("store is full") != std::string::npos, words);
  const auto members = etcd->members();
  REQUIRE(members);
  REQUIRE(members->size() == 1);
  CHECK_FALSE(members->front().is_healthy);
  CHECK(members->front().error.find("NOSPACE") != std::string::npos);
}

TEST_CASE("users: a wrong password, a right without keys, and a token that etcd forgot") {
  EtcdProcess process;
  const ScopedDirectory folder;
  const auto user = [&](const std::string& file_name, const std::string& password,
                        const std::string& name = "node") {
    const auto file = folder.path() / file_name;
    std::ofstream(file) << password << '\n';
    std::filesystem::permissions(file, std::filesystem::perms{0600});
    return GrpcEtcd(EtcdSettings{.endpoints = {process.endpoint()},
                                 .user = name,
                                 .password_file = file,
                                 .deadline = milliseconds(10'000)});
  };
  GrpcEtcd early = user("early", "right");
  CHECK(early.commit(put("/test/a", "0")));  // etcd knows no users yet
  ask(process, "auth/user/add", R"({"name":"root","password":"other"})");
  ask(process, "auth/role/add", R"({"name":"root"})");
  ask(process, "auth/user/grant", R"({"user":"root","role":"root"})");
  ask(process, "auth/user/add", R"({"name":"node","password":"right"})");
  ask(process, "auth/role/add", R"({"name":"node"})");
  // From "/test/" to "/test0", for reading and writing.
  ask(process, "auth/role/grant",
      R"({"name":"node","perm":{"permType":2,"key":"L3Rlc3Qv","range_end":"L3Rlc3Qw"}})");
  ask(process, "auth/user/grant", R"({"user":"node","role":"node"})");
  ask(process, "auth/enable", "{}");

  CHECK(early.commit(put("/test/a", "1")));
  GrpcEtcd node = user("right", "right"), wrong = user("wrong", "Sesame"),
           stranger = user("stranger", "right", "nobody");
  const auto anonymous = client_of({process.endpoint()});
  CHECK(node.commit(put("/test/a", "2")));
  for (int twice = 0; twice < 2; ++twice) {
    const auto watch = node.watch(EtcdRange::prefix("/test/"), 1);
    const auto came = watch->next(milliseconds(10'000));
    REQUIRE_MESSAGE(came, (came ? "" : came.error().words));
    CHECK_FALSE(came->empty());
    const auto denied = node.commit(put("/other", "1"));
    REQUIRE_FALSE(denied);
    CHECK(denied.error().kind == EtcdError::Kind::refused);
    CHECK_MESSAGE(denied.error().words.find("may not do this") != std::string::npos,
                  denied.error().words);
    const auto unseen = node.watch({"/other"}, 1)->next(milliseconds(10'000));
    REQUIRE_FALSE(unseen);
    CHECK(unseen.error().kind == EtcdError::Kind::refused);
    for (GrpcEtcd* const unknown : {&wrong, &stranger}) {
      const auto none = unknown->read({"/test/a"});
      REQUIRE_FALSE(none);
      CHECK(none.error().kind == EtcdError::Kind::refused);
      // It names the options, and no password.
      CHECK_MESSAGE(
          none.error().words.find("name or password (--etcd-user, --etcd-password-file)") !=
              std::string::npos,
          none.error().words);
      CHECK(none.error().words.find("Sesame") == std::string::npos);
      CHECK(none.error().words.find("right") == std::string::npos);
      CHECK_FALSE(unknown->commit(put("/test/a", "forged")));
      CHECK_FALSE(unknown->grant_lease(std::chrono::seconds(5)));
      CHECK_FALSE(unknown->watch({"/test/a"}, 1)->next(milliseconds(10'000)));
    }
    const auto kept = node.read({"/test/a"});
    REQUIRE(kept);
    REQUIRE(kept->values.size() == 1);
    CHECK(kept->values.front().value != "forged");
    const auto nobody = anonymous->read({"/test/a"});
    REQUIRE_FALSE(nobody);
    CHECK(nobody.error().kind == EtcdError::Kind::refused);
    CHECK_MESSAGE(nobody.error().words.find("none is configured") != std::string::npos,
                  nobody.error().words);
    // Tokens are in the member's memory alone. A change signs in again and is done once.
    process.kill();
    process.start();
    const auto until = Clock::now() + std::chrono::seconds(60);
    while (Clock::now() < until) {
      const auto done = node.commit(put("/test/a", "3"));
      if (done) break;
      REQUIRE(done.error().kind == EtcdError::Kind::unknown);
    }
    CHECK(Clock::now() < until);
  }
}

}  // namespace linkmeter::grpc_etcd_test
