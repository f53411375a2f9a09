#include "controller/journal_files.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/entry_server.h"
#include "controller/store/hash_chain.h"
#include "meters/values/limits.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/two_days.h"

// A node lacks the report of a closed day: it makes it again, or gets it from another node, and
// stores nothing else.
namespace linkmeter::journal_files_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using two_days::first_day;

constexpr const char* anywhere = "tcp://127.0.0.1:*";
const std::string signed_report = "the report that two persons signed";

// A node that answers each request for a file with the same bytes, whatever was asked.
class FalseNode {
 public:
  // nullopt: it never answers.
  explicit FalseNode(std::optional<std::string> answer) : answer_(std::move(answer)) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::curve_server, 1);
    socket_.set(zmq::sockopt::curve_secretkey, keys_.secret_key);
    socket_.bind(anywhere);
    endpoint_ = socket_.get(zmq::sockopt::last_endpoint);
    thread_ = std::thread([this] { run(); });
  }
  FalseNode(const FalseNode&) = delete;
  FalseNode& operator=(const FalseNode&) = delete;
  ~FalseNode() {
    stops_ = true;
    thread_.join();
  }
  [[nodiscard]] EntryClient::Source source() const { return {"f", endpoint_, keys_.public_key}; }

 private:
  void run() {
    while (!stops_) {
      zmq::pollitem_t item{socket_.handle(), 0, ZMQ_POLLIN, 0};
      zmq::poll(&item, 1, milliseconds(10));
      zmq::message_t peer, request;
      if (!socket_.recv(peer, zmq::recv_flags::dontwait)) continue;
      static_cast<void>(socket_.recv(request));
      if (!answer_) continue;
      socket_.send(peer, zmq::send_flags::sndmore);
      socket_.send(zmq::buffer(*answer_), zmq::send_flags::none);
    }
  }

  const std::optional<std::string> answer_;
  const KeyPair keys_ = make_key_pair();
  zmq::context_t context_;
  zmq::socket_t socket_{context_, zmq::socket_type::router};
  std::string endpoint_;
  std::atomic<bool> stops_ = false;
  std::thread thread_;  // last member: it uses all of the above
};

Journal& filled(Journal& journal, EntryNumber last) {
  journal.commit(std::vector<std::string>(last.value(), "entry"), {});
  return journal;
}

// Two days have ended; the first one is closed.
State state_with_closed_day() {
  two_days::TwoDays house;
  house.finding.report = sha256(signed_report);
  REQUIRE_EQ(house.says("A-1", SignDay{first_day, house.finding.report}), "none");
  REQUIRE_EQ(house.says("FM-1", CloseDay{first_day, house.finding.report}), "none");
  house.state.forget_changes();
  return house.state;
}

// A node "b" of a house, and the node "a", which has the file.
struct House {
  ScopedDirectory folder;
  KeyPair a = make_key_pair(), b = make_key_pair();
  Enrolments enrolments;
  const State state = state_with_closed_day();
  const FloorRules rules;
  MemoryJournal journal;
  Controller controller{filled(journal, state.last_entry()), rules, State(state)};
  SlipPrinter slips{folder.path(), journal, "America/New_York"};
  DayReportWorker reports{folder.path(), journal, {}};
  // What comes out if the node makes the report again. nullopt: it cannot be made.
  std::optional<std::string> made = signed_report;
  JournalFiles files{{controller, journal, slips, reports,
                      [this](const Journal&, const std::vector<DayRecord>&, GamingDay, EntryNumber,
                             const std::function<void(std::uint64_t)>&) {
                        if (!made) throw Fault("this release does not know it");
                        DayReport report;
                        report.json = *made;
                        return report;
                      },
                      b, /*answer_max=*/milliseconds(300)}};
  std::chrono::microseconds uptime{seconds(1'000)};
  const std::filesystem::path file = reports.path(first_day);

  House() {
    enrolments.enrol({EnrolmentKind::node, "a", a.public_key});
    enrolments.enrol({EnrolmentKind::node, "b", b.public_key});
  }
  // Lets it work until it waits for a later time.
  void settle() {
    constexpr int patience_ms = 20'000;
    const auto until = std::chrono::steady_clock::now() + milliseconds(patience_ms);
    while (std::chrono::steady_clock::now() < until) {
      files.serve({{}, uptime, {}});
      const auto due = files.due(uptime);
      if (due && *due > uptime) return;
      pollfd item{*files.descriptor(), POLLIN, 0};
      if (!due) REQUIRE(::poll(&item, 1, patience_ms) == 1);
    }
    FAIL("it does not end");
  }
  [[nodiscard]] std::optional<std::string> stored() const { return read_file(file); }
  void put(const std::string& bytes) const {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }
  // A node that gives what it has, as the product does.
  [[nodiscard]] std::unique_ptr<EntryServer> node_with(const std::string& bytes) const {
    return std::make_unique<EntryServer>(
        a, anywhere, journal, enrolments,
        [bytes](const NamedFile&) -> std::optional<std::string> { return bytes; });
  }
  [[nodiscard]] EntryClient::Source source(const EntryServer& server) const {
    return {"a", server.endpoint(), a.public_key};
  }
};

}  // namespace

TEST_CASE("a report that is missing, changed or a link is made again from the journal") {
  House house;
  SUBCASE("missing") {}
  SUBCASE("changed") { house.put("another amount"); }
  SUBCASE("cut off") { house.put(signed_report.substr(1)); }
  SUBCASE("a link") {
    house.put("");
    std::filesystem::remove(house.file);
    std::ofstream(house.folder.path() / "elsewhere") << signed_report;
    std::filesystem::create_symlink(house.folder.path() / "elsewhere", house.file);
  }
  house.settle();
  CHECK(house.stored() == signed_report);
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(house.file)));
  CHECK(house.files.missing() == 0);
  // It is compared again and again.
  house.put("changed later");
  house.uptime += seconds(3'600);
  house.settle();
  CHECK(house.stored() == signed_report);
  // Only the closed day has a report that the journal names.
  CHECK_FALSE(std::filesystem::exists(house.reports.path(two_days::second_day)));
}

TEST_CASE("a report that comes out differently is fetched from a node that has it") {
  House house;
  SUBCASE("differently") { house.made = "as another release makes it"; }
  SUBCASE("not at all") { house.made.reset(); }
  house.put("changed");
  house.settle();
  CHECK(house.stored() == "changed");  // nothing better is known
  CHECK(house.files.missing() == 1);
  const auto without = house.node_with("another file"), with = house.node_with(signed_report);
  house.files.set_sources({house.source(*without), house.source(*with)});
  // Not before its time.
  house.uptime += JournalFiles::again_after - milliseconds(1);
  house.settle();
  CHECK(house.files.missing() == 1);
  house.uptime += milliseconds(1);
  house.settle();
  CHECK(house.stored() == signed_report);
  CHECK(house.files.missing() == 0);
}

TEST_CASE("a node that lies, is silent, gives too much or is away: nothing of it is stored") {
  House house;
  house.made.reset();
  const FalseNode liar(encode_file_reply("a forged report")), silent(std::nullopt),
      no_reply("no reply at all"),
      huge(encode_file_reply(std::string(limits::entry_reply_bytes_max + 1, 'x')));
  const auto too_big = house.node_with(std::string(limits::node_file_bytes_max + 1, 'x'));
  std::vector<EntryClient::Source> sources = {liar.source(),
                                              silent.source(),
                                              no_reply.source(),
                                              huge.source(),
                                              house.source(*too_big),
                                              {"away", "tcp://127.0.0.1:1", house.a.public_key},
                                              {"wrong", "nowhere", house.a.public_key}};
  house.files.set_sources(sources);
  house.settle();
  CHECK_FALSE(house.stored());
  CHECK(house.files.missing() == 1);
  // They delay the one that has it, and no more.
  const auto with = house.node_with(signed_report);
  sources.push_back(house.source(*with));
  house.files.set_sources(sources);
  house.uptime += JournalFiles::again_after;
  house.settle();
  CHECK(house.stored() == signed_report);
  CHECK(house.files.missing() == 0);
}

TEST_CASE("a disk that refuses a file: it is counted as missing until it can be stored") {
  House house;
  const std::filesystem::path days = house.file.parent_path();
  std::filesystem::remove_all(days);
  std::ofstream(days) << "in the way";
  house.settle();
  CHECK(house.files.missing() == 1);
  std::filesystem::remove(days);
  house.uptime += JournalFiles::again_after;
  house.settle();
  CHECK(house.stored() == signed_report);
  CHECK(house.files.missing() == 0);
}

}  // namespace linkmeter::journal_files_test
