// A change of the writer in the core: what decide() and the audit accept, what the state and its
// rows keep, and what the journal and the day's report say.
#include "meters/facts/writer_change.h"

#include <doctest/doctest.h>
#include <limits>
#include <string>

#include "controller/accounting/day/day_event.h"
#include "meters/rules/decide.h"
#include "meters/rules/laws.h"
#include "meters/values/limits.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/journal.pb.h"
#include "tests/support/keys.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::writer_change_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

struct House {
  MixedFloor floor;

  House() {
    FloorOpened opened = std::get<FloorOpened>(floor.opening.fact);
    for (const std::string node : {"a", "b"}) {
      opened.enrolments.push_back({EnrolmentKind::node, node, key_of("node " + node)});
    }
    floor.state = State();
    floor.state.apply(open_floor(std::move(opened), floor.opening.recorded_at));
  }

  Decision decides(const WriterChange& change) {
    return decide(floor.state, floor.file.rules, change, now);
  }
  // The entry, applied.
  Entry changes(const WriterChange& change) {
    Entry entry = std::get<Entry>(decides(change));
    CHECK_EQ(validate_entry(floor.state, entry).value_or(""), "");
    floor.state.apply(entry);
    return entry;
  }
  std::string refusal(const WriterChange& change) {
    const Decision decision = decides(change);
    const auto* no = std::get_if<Refusal>(&decision);
    return no == nullptr ? "none" : std::string(name(*no));
  }
  std::string violation(const WriterChanged& fact) {
    const Entry entry{floor.state.last_entry().next(), now, std::nullopt, fact, {}};
    return validate_entry(floor.state, entry).value_or("");
  }
};

}  // namespace

TEST_CASE("a writer has a name and the epoch after the writer before, which its entry names") {
  House house;
  CHECK_FALSE(house.floor.state.writer().has_value());
  for (const std::string& wrong : {std::string(), std::string("a b"), std::string("a\n"),
                                   std::string(limits::name_length_max + 1, 'a')}) {
    CHECK_EQ(house.refusal({wrong}), "name_malformed");
  }
  const Entry first = house.changes({"a", WriterReason::started, 0});
  CHECK(
      (std::get<WriterChanged>(first.fact) == WriterChanged{"a", 1, WriterReason::started, "", 0}));
  CHECK_FALSE(first.origin.has_value());
  CHECK(first.postings.empty());
  CHECK_EQ(house.refusal({"c"}), "not_enrolled");
  const Entry second = house.changes({"b", WriterReason::expired, 3'210'000});
  CHECK((std::get<WriterChanged>(second.fact) ==
         WriterChanged{"b", 2, WriterReason::expired, "a", 3'210'000}));
  CHECK((house.floor.state.writer() == std::get<WriterChanged>(second.fact)));
  // Also the same node, which was killed.
  CHECK_EQ(std::get<WriterChanged>(house.changes({"b"}).fact).epoch, 3);
  CHECK_EQ(house.floor.state.last_entry(), second.number.next());
}

TEST_CASE("epochs count on from any that a journal holds, up to the last one") {
  House house;
  const auto follow = [&house](std::int64_t epoch, const std::string& before) {
    const Entry entry{house.floor.state.last_entry().next(),
                      now,
                      std::nullopt,
                      WriterChanged{"a", epoch, WriterReason::expired, before},
                      {}};
    REQUIRE_EQ(validate_entry(house.floor.state, entry).value_or(""), "");
    house.floor.state.apply(entry);
  };
  follow(7'000, "");  // release 0.3.0 took etcd's revision
  CHECK_EQ(std::get<WriterChanged>(house.changes({"b"}).fact).epoch, 7'001);
  follow(limits::writer_epoch_max, "b");
  CHECK_EQ(house.refusal({"b"}), "writer_outdated");
}

TEST_CASE("the time without a writer is cut to what an entry may state") {
  House house;
  const auto gap = [&house](std::int64_t asked) {
    return std::get<WriterChanged>(
               std::get<Entry>(house.decides({"a", WriterReason::expired, asked})).fact)
        .gap_us;
  };
  CHECK_EQ(gap(-1), 0);
  CHECK_EQ(gap(std::numeric_limits<std::int64_t>::min()), 0);
  CHECK_EQ(gap(5), 5);
  CHECK_EQ(gap(limits::writer_gap_us_max), limits::writer_gap_us_max);
  CHECK_EQ(gap(std::numeric_limits<std::int64_t>::max()), limits::writer_gap_us_max);
}

TEST_CASE("an audit finds a change of the writer that cannot be") {
  House house;
  house.changes({"a"});
  const WriterChanged good{"b", 8, WriterReason::handover, "a", 1};
  CHECK_EQ(house.violation(good), "");
  WriterChanged wrong = good;
  wrong.node = "b\n";
  CHECK_EQ(house.violation(wrong), "a writer without a name");
  wrong = good;
  wrong.epoch = 1;
  CHECK_EQ(house.violation(wrong), "a later writer has taken over");
  for (const std::int64_t epoch :
       {limits::writer_epoch_max + 1, std::numeric_limits<std::int64_t>::max()}) {
    wrong.epoch = epoch;
    CHECK_EQ(house.violation(wrong), "an epoch that cannot be");
  }
  wrong = good;
  wrong.node = "c";
  CHECK_EQ(house.violation(wrong), "a writer that is not enrolled");
  wrong = good;
  wrong.before = "";
  CHECK_EQ(house.violation(wrong), "another writer was before it");
  for (const std::int64_t gap_us : {std::int64_t{-1}, limits::writer_gap_us_max + 1}) {
    wrong = good;
    wrong.gap_us = gap_us;
    CHECK_EQ(house.violation(wrong), "a time without a writer that cannot be");
  }
  const Entry of_table{house.floor.state.last_entry().next(),
                       now,
                       Origin{TableIndex(0), MessageNumber(1), {}, {}},
                       good,
                       {}};
  CHECK(validate_entry(house.floor.state, of_table).has_value());
}

TEST_CASE("a node leaves the cluster after an entry that it has, and can do so again") {
  const House house;
  const EntryNumber last(9);
  const WriterChanged writer{"a", 7};
  const LeaveCluster good{"b", last, now, false};
  const auto violation = [&](const std::optional<WriterChanged>& before, const LeaveCluster& act) {
    return leave_violation(house.floor.state.enrolments(), before, last, act).value_or("");
  };
  CHECK_EQ(violation(writer, good), "");
  // etcd may be lost before anybody was its writer: in the first cluster, or in the next one.
  CHECK_EQ(violation(std::nullopt, good), "");
  CHECK_EQ(violation(writer_after(writer, good), good), "");
  CHECK_EQ(violation(WriterChanged{"a", limits::writer_epoch_max - 1}, good), "");
  for (const std::int64_t epoch :
       {limits::writer_epoch_max, std::numeric_limits<std::int64_t>::max()}) {
    CHECK_EQ(violation(WriterChanged{"a", epoch}, good), "no epoch can follow");
  }
  for (const char* nobody : {"c", "b\n", ""}) {
    CHECK_EQ(violation(writer, {nobody, last, now, true}), "a node that is not enrolled");
  }
  for (const EntryNumber wrong : {EntryNumber(), last.next()}) {
    CHECK_EQ(violation(writer, {"b", wrong, now, true}), "an entry that is not there");
  }
  const WriterChanged left{"b", 8, WriterReason::left, "a", 0};
  CHECK((writer_after(writer, good) == left));
  CHECK((writer_after(left, {"c", last, now, true}) ==
         WriterChanged{"c", 9, WriterReason::left, "b", 0}));
  CHECK((writer_after(std::nullopt, good) == WriterChanged{"b", 1, WriterReason::left, "", 0}));
  CHECK_EQ(summary(good),
           "node b leaves the cluster and goes on alone after entry 9 of 1970-01-01 00:00:09 UTC, "
           "the last of a backup: it lacks what came after");
}

TEST_CASE("only an enrolled node leaves, and only if a later writer could have an epoch") {
  const auto refusal = [](const std::string& node, std::int64_t epoch) {
    House house;
    house.floor.state.apply({house.floor.state.last_entry().next(),
                             now,
                             std::nullopt,
                             WriterChanged{"a", epoch, WriterReason::started, "", 0},
                             {}});
    const LeaveCluster leave{node, house.floor.state.last_entry(), now, true};
    const Entry entry =
        std::get<Entry>(decide(house.floor.state, house.floor.file.rules,
                               PersonMessage{Badge("TGM-1"), Propose{leave}, false}, now));
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    // What decide() refuses, no audit accepts.
    const Entry forged{
        entry.number, now, std::nullopt, ActProposed{ProposalNumber(1), leave, Badge("TGM-1")}, {}};
    CHECK_EQ(validate_entry(house.floor.state, forged).has_value(), no != nullptr);
    return no == nullptr ? "none" : std::string(name(no->refusal));
  };
  CHECK_EQ(refusal("b", 7), "none");
  CHECK_EQ(refusal("c", 7), "not_enrolled");
  CHECK_EQ(refusal("b\n", 7), "not_enrolled");
  CHECK_EQ(refusal("b", limits::writer_epoch_max - 1), "none");
  CHECK_EQ(refusal("b", limits::writer_epoch_max), "leave_not_possible");
}

TEST_CASE("a controller writes alone if it was in no cluster, or has left it") {
  CHECK(may_write_alone(std::nullopt, "a"));
  CHECK_FALSE(may_write_alone(WriterChanged{"a", 7}, "a"));
  CHECK(may_write_alone(WriterChanged{"a", 7, WriterReason::left}, "a"));
  CHECK_FALSE(may_write_alone(WriterChanged{"a", 7, WriterReason::left}, "b"));
}

TEST_CASE("the state's rows keep the last writer in a row of its own") {
  House house;
  const auto read_back = [&house] {
    return read_state(house.floor.state.last_entry(), rows_of(house.floor.state));
  };
  CHECK((read_back().state == house.floor.state));
  house.floor.state.forget_changes();
  house.changes({"a"});
  const std::vector<Row> changed = rows_for(house.floor.state, house.floor.state.changes());
  REQUIRE_EQ(changed.size(), 1);
  CHECK_EQ(changed[0].key, "writer");
  const StateRead read = read_back();
  CHECK_EQ(read.why, "");
  CHECK((read.state == house.floor.state));
  CHECK_EQ(read.state.value().writer().value().node, "a");
}

TEST_CASE("its entry needs this release, and the day's report tells it in words") {
  House house;
  house.changes({"a"});
  const Entry entry = house.changes({"b", WriterReason::expired, 3'290'000});
  journal::Entry message;
  REQUIRE(message.ParseFromString(encode(entry)));
  CHECK_EQ(message.needs_reader(), 3);
  CHECK_EQ(message.needs_release(), "0.3.0");
  CHECK((decode_entry(encode(entry)) == entry));
  const auto event = day_event(entry, house.floor.state.floor());
  REQUIRE(event.has_value());
  CHECK_EQ(event->kind, "writer_changed");
  CHECK_EQ(event->words, "b is the writer after a (gone); 3.2 s without a writer");
  CHECK_EQ(sentence({"a", 1, WriterReason::started, "", 0}),
           "a is the writer (there was no writer); 0.0 s without a writer");
  CHECK_EQ(sentence({"b", 2, WriterReason::handover, "a", 120'000}),
           "b is the writer after a (handed over); 0.1 s without a writer");
  CHECK_EQ(sentence({"a", 3, WriterReason::left, "a", 60'000'000}),
           "a is the writer after a (alone, without the cluster); 60.0 s without a writer");
}

}  // namespace linkmeter::writer_change_test
