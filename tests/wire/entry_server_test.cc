#include "controller/sockets/entry_server.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/entry_client.h"
#include "controller/sockets/file_client.h"
#include "controller/store/hash_chain.h"
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

std::optional<std::string> no_files(const NamedFile& /*file*/) { return std::nullopt; }

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

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>((value & 0x7fU) | 0x80U);
  return bytes + static_cast<char>(value);
}

// An EntryRequest with a FileRequest that no node would send (proto/cluster.proto).
std::string file_request(std::uint64_t slip, const std::string& day, const std::string& hash) {
  const auto field = [](char tag, const std::string& text) {
    return tag + varint(text.size()) + text;
  };
  return field('\x22', '\x08' + varint(slip) + field('\x12', day) + field('\x1a', hash));
}

// A node's socket, for requests that EntryClient would not send.
struct RawNode {
  zmq::context_t context;
  zmq::socket_t socket{context, zmq::socket_type::dealer};

  RawNode(const House& house, const EntryServer& server) : RawNode(house, server, house.b) {}
  RawNode(const House& house, const EntryServer& server, const KeyPair& keys) {
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::reconnect_ivl, -1);  // a closed connection stays closed
    identify(socket, {"node", "b", keys, house.a.public_key});
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
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files);
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
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files);
  EntryClient client(house.b, {patience, 50'000, 1});
  client.begin({{}, house.journal.head(), {house.source(server)}});
  pollfd item{client.descriptor(), POLLIN, 0};
  REQUIRE(::poll(&item, 1, static_cast<int>(patience.count())) == 1);
}

TEST_CASE("a stranger's key is refused") {
  const House house(10);
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files);
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
  EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files);
  RawNode node(house, server);
  const EntryRequest request{EntryNumber(1), EntryNumber(3), 1'000};
  CHECK(node.reply(request).entries.size() == 3);
  Controller::Turn turn;
  turn.enrolments_changed = true;
  const State without_enrolments;
  server.on_turn({turn, without_enrolments});
  CHECK_FALSE(node.ask(encode(request), milliseconds(300)).has_value());
}

TEST_CASE("the connections of one key, of all keys, and of those that ask nothing are bounded") {
  House house(10);
  const KeyPair c = make_key_pair();
  house.enrolments.enrol({EnrolmentKind::node, "c", c.public_key});
  ZapAuthenticator::ViewerBounds bounds = ZapAuthenticator::node_bounds;
  bounds.connections_of_key_max = 3;
  bounds.connections_max = 5;
  SUBCASE("one key") {}
  SUBCASE("all keys") { bounds.connections_of_key_max = 100; }
  SUBCASE("silent ones") { bounds.arriving_time_max = milliseconds(100); }
  EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files, bounds);
  const auto ended = [&server](std::uint64_t count) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (server.counts().viewers_ended < count && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    return server.counts().viewers_ended == count;
  };
  const EntryRequest request{EntryNumber(1), EntryNumber(3), 1'000};
  const bool is_silent = bounds.arriving_time_max < milliseconds(1'000);
  RawNode other(house, server, c);
  CHECK(other.reply(request).entries.size() == 3);
  std::vector<std::unique_ptr<RawNode>> nodes;
  for (std::uint64_t count = 1; count <= 7; ++count) {
    CAPTURE(count);
    nodes.push_back(std::make_unique<RawNode>(house, server));
    if (is_silent) continue;
    CHECK(nodes.back()->reply(request).entries.size() == 3);  // the newest is served
    const std::uint64_t own_max = bounds.connections_of_key_max == 3 ? 3 : 4;
    CHECK(ended(count < own_max ? 0 : count - own_max));
  }
  if (is_silent) CHECK(ended(7));
  // Who was there before, with another key, stays.
  CHECK(other.reply(request).entries.size() == 3);
  RawNode later(house, server);
  CHECK(later.reply(request).entries.size() == 3);
  server.serve({});
}

TEST_CASE("the next node is asked when one is away, or does not have all") {
  House house(60);
  House late(0);
  late.a = house.a;
  late.add(20);  // the same entries
  const EntryServer has_all(house.a, anywhere, house.journal, house.enrolments, no_files);
  const EntryServer has_some(house.a, anywhere, late.journal, house.enrolments, no_files);
  EntryClient client(house.b, {milliseconds(1'000), 1'000, 2});
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
  const EntryServer honest(house.a, anywhere, house.journal, house.enrolments, no_files);
  const auto check_passed_over = [&](const ChangedJournal& lies) {
    const EntryServer server(house.a, anywhere, lies, house.enrolments, no_files);
    client.begin({{}, house.journal.head(), {house.source(server), house.source(honest)}});
    const Got got = all_of(client);
    CHECK(got.failure.empty());
    check_entries(house, got, 0);
  };
  SUBCASE("no other node has them") {
    const ChangedJournal lies(house.journal, [](StoredEntry& entry) { entry.bytes.back() = 'f'; });
    const EntryServer server(house.a, anywhere, lies, house.enrolments, no_files);
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
  const EntryServer server(house.a, anywhere, lies, house.enrolments, no_files);
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
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files);
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
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments, no_files);
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

TEST_CASE("a node gets a file by its name and hash, from a node that has it") {
  const House house(3);
  const std::string slip = "the copy of slip 12";
  const std::atomic<bool> stops = false;
  const NamedFile file{SlipNumber(12), sha256(slip)};
  const auto has = [](std::string bytes) {
    return [bytes](const NamedFile& asked) -> std::optional<std::string> {
      if (asked.name != std::variant<SlipNumber, GamingDay>(SlipNumber(12))) return std::nullopt;
      return bytes;
    };
  };
  const EntryServer without(house.a, anywhere, house.journal, house.enrolments, no_files);
  const EntryServer changed(house.a, anywhere, house.journal, house.enrolments, has("changed"));
  const EntryServer with(house.a, anywhere, house.journal, house.enrolments, has(slip));
  const std::vector<EntryClient::Source> sources{house.source(without), house.source(changed),
                                                 house.source(with)};
  CHECK(fetch_file(file, sources, house.b, stops, patience).bytes == slip);
  // A file with another hash does not leave a node.
  const FetchedFile none =
      fetch_file({SlipNumber(12), sha256("other")}, sources, house.b, stops, patience);
  CHECK_FALSE(none.bytes.has_value());
  CHECK(none.failure ==
        "node a does not have it; node a does not have it; node a does not have it");
  CHECK_FALSE(
      fetch_file({GamingDay(), file.digest}, sources, house.b, stops, patience).bytes.has_value());
  CHECK(fetch_file(file, {}, house.b, stops).failure == "no other node runs that gives files");
  // A key that is not enrolled.
  const FetchedFile stranger =
      fetch_file(file, {house.source(with)}, make_key_pair(), stops, milliseconds(300));
  CHECK(stranger.failure == "node a does not answer in time");
}

TEST_CASE("a node that gives another file than the one asked for is not believed") {
  const KeyPair a = make_key_pair(), b = make_key_pair();
  zmq::context_t context;
  zmq::socket_t liar(context, zmq::socket_type::router);
  liar.set(zmq::sockopt::linger, 0);
  liar.set(zmq::sockopt::curve_server, 1);
  liar.set(zmq::sockopt::curve_secretkey, a.secret_key);
  liar.bind(anywhere);
  std::thread answering([&liar] {
    zmq::message_t peer, request;
    static_cast<void>(liar.recv(peer));
    static_cast<void>(liar.recv(request));
    liar.send(peer, zmq::send_flags::sndmore);
    liar.send(zmq::buffer(encode_file_reply("a forged slip")), zmq::send_flags::none);
  });
  const std::atomic<bool> stops = false;
  const FetchedFile got =
      fetch_file({SlipNumber(1), sha256("the slip")},
                 {{"a", liar.get(zmq::sockopt::last_endpoint), a.public_key}}, b, stops, patience);
  answering.join();
  CHECK_FALSE(got.bytes.has_value());
  CHECK(got.failure == "node a gives a file with another hash");
}

TEST_CASE("a hostile request for a file gets no file, and a huge file is not sent") {
  const House house(3);
  std::atomic<int> reads = 0;
  const std::string huge(limits::node_file_bytes_max + 1, 'x');
  const EntryServer server(house.a, anywhere, house.journal, house.enrolments,
                           [&](const NamedFile& /*file*/) -> std::optional<std::string> {
                             ++reads;
                             return huge;
                           });
  RawNode node(house, server);
  const auto hash = [](const std::string& bytes) {
    const Digest digest = sha256(bytes);
    return std::string(digest.begin(), digest.end());
  };
  const auto ask = [&](std::uint64_t slip, const std::string& day, const std::string& digest) {
    const auto answer = node.ask(file_request(slip, day, digest));
    REQUIRE(answer);
    return decode_file_reply(*answer);
  };
  for (const char* day : {"", "../keys/seal.key", "/etc/passwd", "2026-02-30", "2026-11-21.json",
                          " 2026-11-21", "2026-11-21/..", "2026-1-1", "10000-01-01"}) {
    CAPTURE(day);
    CHECK_FALSE(ask(0, day, hash("")).has_value());
  }
  CHECK_FALSE(ask(1, "2026-11-21", hash("")).has_value());  // both
  CHECK_FALSE(ask(1, "", "").has_value());
  CHECK_FALSE(ask(1, "", hash("") + "x").has_value());
  CHECK(reads == 0);
  CHECK_FALSE(ask(1, "", hash(huge)).has_value());
  CHECK_FALSE(ask(std::numeric_limits<std::uint64_t>::max(), "", hash("")).has_value());
  CHECK(reads == 2);
  // A request that is too long ends the connection; another one is served.
  CHECK_FALSE(node.ask(std::string(2'000, 'x'), milliseconds(300)).has_value());
  RawNode next(house, server);
  CHECK(next.reply({EntryNumber(1), EntryNumber(1), 1}).entries.size() == 1);
}

}  // namespace linkmeter::entry_server_test
