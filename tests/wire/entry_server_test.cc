#include "controller/sockets/entry_server.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/entry_client.h"
#include "meters/values/limits.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/fault.h"
#include "tests/support/curve_identity.h"
#include "tests/support/memory_journal.h"

// A node gets entries from another one, and takes only those of its own journal.
namespace linkmeter::entry_server_test {
namespace {

using std::chrono::milliseconds;

constexpr const char* anywhere = "tcp://127.0.0.1:*";
constexpr milliseconds patience{20'000};

std::string entry_bytes(std::uint64_t number) {
  const std::size_t length = number % 7 == 0 ? 40'000 : 100 + number % 50;
  return std::to_string(number) + std::string(length, 'e');
}

// A journal whose entries the test may change on their way out.
class ChangedJournal final : public ReadOnlyJournal {
 public:
  using Change = std::function<void(StoredEntry&)>;
  ChangedJournal(const Journal& journal, Change change)
      : journal_(journal), change_(std::move(change)) {}
  [[nodiscard]] Head head() const override { return journal_.head(); }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    journal_.read(from, [&](const StoredEntry& stored) {
      StoredEntry entry = stored;
      change_(entry);
      return visit(entry);
    });
  }

 private:
  const Journal& journal_;
  const Change change_;
};

// Two nodes of a house: "a" has a journal, "b" lacks its end.
struct House {
  KeyPair a = make_key_pair(), b = make_key_pair();
  Enrolments enrolments;
  MemoryJournal journal;

  explicit House(std::uint64_t entries) {
    enrolments.enrol({EnrolmentKind::node, "a", a.public_key});
    enrolments.enrol({EnrolmentKind::node, "b", b.public_key});
    add(entries);
  }
  void add(std::uint64_t entries) {
    const std::uint64_t first = journal.head().entry.value() + 1;
    for (std::uint64_t number = first; number < first + entries; ++number) {
      journal.commit({entry_bytes(number)}, {});
    }
  }
  [[nodiscard]] Head head_at(std::uint64_t number) const {
    Head head;
    journal.read(EntryNumber(number), [&head](const StoredEntry& entry) {
      head = {entry.number, entry.hash};
      return false;
    });
    return head;
  }
  [[nodiscard]] EntryClient::Source source(const EntryServer& server) const {
    return {"a", server.endpoint(), a.public_key};
  }
};

struct Got {
  std::vector<StoredEntry> entries;
  std::size_t pieces = 0;
  std::string failure;
};

// What the client gets until it ends.
Got all_of(EntryClient& client) {
  Got got;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (client.is_busy() && std::chrono::steady_clock::now() < until) {
    pollfd item{client.descriptor(), POLLIN, 0};
    REQUIRE(::poll(&item, 1, static_cast<int>(patience.count())) == 1);
    EntryClient::Progress progress = client.take();
    if (!progress.entries.empty()) ++got.pieces;
    for (StoredEntry& entry : progress.entries) got.entries.push_back(std::move(entry));
    if (progress.is_over) got.failure = progress.failure;
  }
  REQUIRE_FALSE(client.is_busy());
  return got;
}

void check_entries(const House& house, const Got& got, std::uint64_t after) {
  std::size_t at = 0;
  house.journal.read(EntryNumber(after + 1), [&](const StoredEntry& entry) {
    REQUIRE(at < got.entries.size());
    CHECK(got.entries[at].number == entry.number);
    CHECK(got.entries[at].hash == entry.hash);
    CHECK(got.entries[at].bytes == entry.bytes);
    return ++at > 0;
  });
  CHECK(at == got.entries.size());
}

// A node's socket, for requests that EntryClient would not send.
struct RawNode {
  zmq::context_t context;
  zmq::socket_t socket{context, zmq::socket_type::dealer};

  RawNode(const House& house, const EntryServer& server) {
    socket.set(zmq::sockopt::linger, 0);
    identify(socket, {"node", "b", house.b, house.a.public_key});
    socket.connect(server.endpoint());
  }
  // nullopt: no answer within the time.
  std::optional<std::string> ask(const std::string& request, milliseconds time = patience) {
    socket.send(zmq::buffer(request), zmq::send_flags::none);
    socket.set(zmq::sockopt::rcvtimeo, static_cast<int>(time.count()));
    zmq::message_t answer;
    if (!socket.recv(answer)) return std::nullopt;
    return answer.to_string();
  }
  EntryReply reply(const EntryRequest& request) {
    const auto answer = ask(encode(request));
    REQUIRE(answer);
    const auto reply = decode_entry_reply(*answer);
    REQUIRE(reply);
    return *reply;
  }
};

}  // namespace

TEST_CASE("a node gets the entries that it lacks, in order, in pieces") {
  House house(500);
  house.journal.commit({std::string(3 * limits::entry_batch_bytes_max, 'x')}, {});  // alone
  house.add(500);
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments);
  EntryClient client(house.b, {patience, 256'000, 2});
  for (const std::uint64_t after : {0U, 1U, 499U, 500U, 501U, 1'000U}) {
    CAPTURE(after);
    const Head from = after == 0 ? Head() : house.head_at(after);
    client.begin({from, house.journal.head(), {house.source(server)}});
    const Got got = all_of(client);
    CHECK(got.failure.empty());
    check_entries(house, got, after);
    if (after == 0) CHECK(got.pieces > 10);
  }
}

TEST_CASE("a node that stops while entries wait ends at once") {
  const House house(300);
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments);
  EntryClient client(house.b, {patience, 50'000, 1});
  client.begin({{}, house.journal.head(), {house.source(server)}});
  pollfd item{client.descriptor(), POLLIN, 0};
  REQUIRE(::poll(&item, 1, static_cast<int>(patience.count())) == 1);
}

TEST_CASE("a stranger's key is refused") {
  const House house(10);
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments);
  EntryClient client(make_key_pair(), {milliseconds(300), 1'000, 2});
  client.begin({{}, house.journal.head(), {house.source(server)}});
  const Got got = all_of(client);
  CHECK(got.entries.empty());
  CHECK(got.failure == "node a at " + server.endpoint() + " does not give them in time");
  CHECK(server.counts().key_unknown > 0);
  CHECK(server.counts().admitted == 0);
}

TEST_CASE("a connected node whose key is revoked gets nothing more") {
  House house(10);
  EntryServer server(house.a, anywhere, house.journal, house.enrolments);
  RawNode node(house, server);
  const EntryRequest request{EntryNumber(1), EntryNumber(3), 1'000};
  CHECK(node.reply(request).entries.size() == 3);
  Controller::Turn turn;
  turn.enrolments_changed = true;
  const State without_enrolments;
  server.on_turn({turn, without_enrolments});
  CHECK_FALSE(node.ask(encode(request), milliseconds(300)).has_value());
}

TEST_CASE("the next node is asked when one is away, or does not have all") {
  House house(60);
  House late(0);
  late.a = house.a;
  late.add(20);  // the same entries
  const EntryServer has_all(house.a, anywhere, house.journal, house.enrolments);
  const EntryServer has_some(house.a, anywhere, late.journal, house.enrolments);
  EntryClient client(house.b, {milliseconds(300), 1'000, 2});
  const EntryClient::Source away{"c", "tcp://127.0.0.1:1", make_key_pair().public_key};
  const EntryClient::Source wrong{"d", "nowhere", house.a.public_key};
  client.begin(
      {{}, house.journal.head(), {away, wrong, house.source(has_some), house.source(has_all)}});
  const Got got = all_of(client);
  CHECK(got.failure.empty());
  check_entries(house, got, 0);

  client.begin({{}, house.journal.head(), {house.source(has_some)}});
  CHECK(all_of(client).failure ==
        "node a at " + has_some.endpoint() + " does not give them in time");
  client.begin({{}, house.journal.head(), {}});
  CHECK(all_of(client).failure == "no running node has them");
}

TEST_CASE("a node that gives other entries is named and passed over") {
  const House house(300);
  EntryClient client(house.b, {patience, 50'000, 2});
  const EntryServer honest(house.a, anywhere, house.journal, house.enrolments);
  const auto check_passed_over = [&](const ChangedJournal& lies) {
    const EntryServer server(house.a, anywhere, lies, house.enrolments);
    client.begin({{}, house.journal.head(), {house.source(server), house.source(honest)}});
    const Got got = all_of(client);
    CHECK(got.failure.empty());
    check_entries(house, got, 0);
  };
  SUBCASE("no other node has them") {
    const ChangedJournal lies(house.journal, [](StoredEntry& entry) { entry.bytes.back() = 'f'; });
    const EntryServer server(house.a, anywhere, lies, house.enrolments);
    client.begin({{}, house.journal.head(), {house.source(server)}});
    const Got got = all_of(client);
    CHECK(got.entries.empty());
    CHECK(got.failure.starts_with("node a at " + server.endpoint() + ": its entries "));
  }
  SUBCASE("from the first time on") {
    check_passed_over({house.journal, [](StoredEntry& entry) {
                         if (entry.number == EntryNumber(150)) entry.bytes.back() = 'f';
                       }});
  }
  SUBCASE("an entry is left out") {
    check_passed_over({house.journal, [](StoredEntry& entry) {
                         if (entry.number == EntryNumber(150)) entry.bytes.clear();
                       }});
  }
  SUBCASE("once it has told the truth") {
    std::atomic<bool> reached_end = false;
    check_passed_over({house.journal, [&reached_end](StoredEntry& entry) {
                         if (reached_end && entry.number == EntryNumber(5))
                           entry.bytes = "longer" + entry.bytes;
                         if (entry.number == EntryNumber(300)) reached_end = true;
                       }});
  }
}

TEST_CASE("an entry that was verified is handed out before a later one is refused") {
  const House house(300);
  std::atomic<bool> reached_end = false;
  const ChangedJournal lies(house.journal, [&reached_end](StoredEntry& entry) {
    if (reached_end && entry.number == EntryNumber(299)) entry.bytes.front() = 'f';
    if (entry.number == EntryNumber(300)) reached_end = true;
  });
  const EntryServer server(house.a, anywhere, lies, house.enrolments);
  EntryClient client(house.b, {patience, 50'000, 100});
  client.begin({{}, house.journal.head(), {house.source(server)}});
  const Got got = all_of(client);
  CHECK(got.failure.starts_with("node a at " + server.endpoint() + ": its entries "));
  REQUIRE_FALSE(got.entries.empty());
  for (const StoredEntry& entry : got.entries) {
    CHECK(entry.bytes == entry_bytes(entry.number.value()));
  }
  const EntryNumber last = got.entries.back().number;
  CHECK(last > EntryNumber(100));
  CHECK(last < EntryNumber(299));
}

TEST_CASE("an answer has at most so many entries, however small they are") {
  House house(0);
  const std::vector<std::string> entries(limits::entry_reply_entries_max + 10, "e");
  house.journal.commit(entries, {});
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments);
  EntryClient client(house.b);
  client.begin({{}, house.journal.head(), {house.source(server)}});
  CHECK(all_of(client).entries.size() == entries.size());
  EntryReply reply{EntryNumber(1), {limits::entry_reply_entries_max, "e"}};
  CHECK(decode_entry_reply(encode(reply)) == reply);
  reply.entries.emplace_back("e");
  CHECK_FALSE(decode_entry_reply(encode(reply)));
}

TEST_CASE("every request gets a bounded answer") {
  House house(200);  // about 1.1 MB
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments);
  RawNode node(house, server);
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const auto size_of = [](const EntryReply& reply) {
    std::size_t size = 0;
    for (const std::string& entry : reply.entries) size += entry.size();
    return size;
  };

  const EntryReply all = node.reply({EntryNumber(1), EntryNumber(huge), huge});
  CHECK(all.first == EntryNumber(1));
  CHECK(all.entries.size() > 100);
  CHECK(size_of(all) <= limits::entry_batch_bytes_max);
  const EntryReply none = node.reply({EntryNumber(201), EntryNumber(huge), huge});
  CHECK(none == EntryReply{EntryNumber(201), {}});
  CHECK(node.reply({EntryNumber(huge), EntryNumber(huge), 1}).entries.empty());
  // -1 in a field without sign, and no bytes at all.
  CHECK(node.reply({EntryNumber(7), EntryNumber(huge), 0}) ==
        EntryReply{EntryNumber(7), {entry_bytes(7)}});
  CHECK(node.reply({EntryNumber(3), EntryNumber(4), huge}).entries.size() == 2);

  const EntryReply not_understood;
  CHECK(node.reply({EntryNumber(0), EntryNumber(9), 1}) == not_understood);
  CHECK(node.reply({EntryNumber(9), EntryNumber(8), 1}) == not_understood);
  for (const char* bytes : {"\xff\xff\xff", "hello"}) {
    const auto answer = node.ask(bytes);
    REQUIRE(answer);
    CHECK(decode_entry_reply(*answer) == not_understood);
  }
  CHECK(node.reply({EntryNumber(1), EntryNumber(1), 1}).entries.size() == 1);
}

}  // namespace linkmeter::entry_server_test
