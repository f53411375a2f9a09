// Which node of a house may write alone at a start: as a controller without a cluster, while it is
// one of several, and at each point at which leaving a cluster, or putting the journal into one,
// may have been interrupted.
#include "controller/integrity/startup.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/own_node.h"
#include "controller/turn/controller.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::startup_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

// How a controller starts.
enum class With : std::uint8_t { nothing, etcd, etcd_that_it_creates };

// The data folder of a node of a house with the nodes a and b.
struct House {
  MixedFloor floor;
  ScopedDirectory folder;
  MemoryJournal journal;
  std::optional<Controller> controller;

  House() {
    FloorOpened opened = std::get<FloorOpened>(floor.opening.fact);
    for (const std::string node : {"a", "b"}) {
      opened.enrolments.push_back({EnrolmentKind::node, node, key_of("node " + node)});
    }
    const Entry opening = open_floor(std::move(opened), floor.opening.recorded_at);
    State state;
    state.apply(opening);
    journal.commit({encode(opening)}, rows_for(state, state.take_changes()));
    controller.emplace(journal, floor.file.rules, std::move(state));
  }
  void writes(const std::string& node) {
    REQUIRE_EQ(controller->record_writer({node, WriterReason::expired, 0}, now), Refusal::none);
  }
  void leaves(const OwnNode& own) {
    const LeaveCluster leave = leave_of(own, journal);
    controller->set_standby("");
    const ProposalNumber number = controller->state().last_proposal().next();
    const OperatorRequest propose{"peer", Badge("TGM-1"), true, Propose{leave}};
    const OperatorRequest confirm{"peer", Badge("FM-1"), true, Confirm{number, summary(leave)}};
    REQUIRE(controller->leave_cluster({{propose, now}, {confirm, now}}).has_left);
  }
  void keeps(const OwnNode& own) { write_own_node(folder.path(), own); }
  [[nodiscard]] OwnNode kept() const { return read_own_node(folder.path()).value(); }

  // "writes": it decides, and would journal its self-check; "follows": it is a standby; else why it
  // does not start. The check of the software fails in this folder, so nothing more happens.
  std::string start(With with) {
    MemoryJournal copy;
    std::vector<std::string> entries;
    journal.read(EntryNumber(1), [&entries](const StoredEntry& stored) {
      entries.push_back(stored.bytes);
      return true;
    });
    copy.commit(entries, journal.rows());
    StartSettings terms;
    terms.floor = folder.path() / "floor.toml";
    terms.data = terms.catalogue = folder.path();
    terms.is_standby = with != With::nothing;
    terms.creates_cluster = with == With::etcd_that_it_creates;
    Clock clock({.not_before = now});
    std::string fault = "none";
    try {
      static_cast<void>(checked_start(copy, terms, floor.file, clock));
    } catch (const Fault& why) {
      fault = why.what();
    }
    const bool has_written = copy.head().entry != journal.head().entry;
    if (fault.find("software") == std::string::npos || has_written == terms.is_standby) {
      return has_written ? "it has written, and: " + fault : fault;
    }
    return has_written ? "writes" : "follows";
  }
};

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a node of a cluster follows, and no other one writes alone") {
  House house;
  CHECK_EQ(house.start(With::nothing), "writes");  // no node
  house.keeps({"a"});
  CHECK_EQ(house.start(With::nothing), "writes");  // there is no cluster yet
  house.writes("a");
  for (const char* name : {"a", "b"}) {
    house.keeps({name});
    CHECK(says(house.start(With::nothing), "does not write alone: start it with --etcd"));
    CHECK_EQ(house.start(With::etcd), "follows");
    CHECK_EQ(house.start(With::etcd_that_it_creates), "follows");
  }
}

TEST_CASE("a start after each point of leaving does what the journal says") {
  for (const bool has_caught_up : {true, false}) {
    House house;
    const OwnNode before{"b", has_caught_up};
    house.writes("a");
    house.keeps(before);
    // The proposal is not on the disk.
    CHECK(says(house.start(With::nothing),
               has_caught_up ? "does not write alone" : "has not followed the other nodes yet"));
    CHECK_EQ(house.start(With::etcd), "follows");
    house.leaves(before);
    // Killed between the entries and the mark, and at any time after it: each start is the first.
    for (const bool is_marked : {false, true}) {
      CAPTURE(is_marked);
      const OwnNode there = is_marked ? OwnNode{"b"} : before;
      house.keeps(there);
      CHECK_EQ(house.start(With::nothing), "writes");
      CHECK_EQ(house.kept().has_caught_up, true);
      house.keeps(there);
      CHECK(says(house.start(With::etcd),
                 "goes on alone: start it without --etcd, or once with "
                 "--create-cluster"));
      house.keeps(there);
      CHECK_EQ(house.start(With::etcd_that_it_creates), "follows");
      CHECK_EQ(house.kept().has_caught_up, true);  // or it could not create the cluster
    }
    // Another node has left: this one still follows.
    house.keeps({"a"});
    CHECK(says(house.start(With::nothing), "does not write alone"));
    CHECK_EQ(house.start(With::etcd), "follows");
    house.keeps({"a", false});
    CHECK(says(house.start(With::nothing), "has not followed the other nodes yet"));
  }
}

TEST_CASE("a node whose journal is in etcd writes alone only after it has left again") {
  House house;
  // The first cluster, which lost its etcd before there was a writer.
  house.keeps(joined("a", house.controller->state().writer()));
  CHECK(says(house.start(With::nothing), "does not write alone"));
  CHECK_EQ(house.start(With::etcd), "follows");
  CHECK_EQ(house.start(With::etcd_that_it_creates), "follows");
  house.leaves(house.kept());
  CHECK_EQ(house.start(With::nothing), "writes");
  // The next one: it was killed before or after the change in etcd, or another node has written.
  const OwnNode again = joined("a", house.controller->state().writer());
  house.keeps(again);
  CHECK(says(house.start(With::nothing), "does not write alone"));
  CHECK_EQ(house.start(With::etcd), "follows");
  CHECK_EQ(house.start(With::etcd_that_it_creates), "follows");
  house.leaves(again);
  CHECK_EQ(house.start(With::nothing), "writes");
  CHECK(says(house.start(With::etcd), "has left its cluster"));
}

TEST_CASE("a node of a cluster with an unknown state journals nothing") {
  House house;
  house.writes("a");
  house.journal.commit({}, {Row{"writer", std::nullopt}});
  CHECK(says(house.start(With::nothing), "balances") == false);  // no node: it journals the failure
  for (const OwnNode& own : {OwnNode{"b", false}, OwnNode{"a", true, 7}}) {
    house.keeps(own);
    CHECK(says(house.start(With::etcd), "follows"));
    const std::string alone = house.start(With::nothing);
    CHECK(says(alone, "balances"));
    CHECK_FALSE(says(alone, "it has written"));
  }
}

}  // namespace linkmeter::startup_test
