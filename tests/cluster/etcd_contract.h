// The laws of controller/cluster/etcd.h as test cases for every implementation. They justify the
// use of the model of etcd by the simulation.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/cluster/etcd.h"

namespace linkmeter {

// Two clients of one cluster, and the test's own place in its store.
struct EtcdContractBench {
  std::unique_ptr<Etcd> etcd;
  std::unique_ptr<Etcd> other;
  std::string prefix;  // no key begins with it
  // Moves the clock of a model. Nothing for a real cluster, whose time passes while a test waits.
  std::function<void(std::chrono::milliseconds)> pass_time;

  [[nodiscard]] std::string key(const std::string& name) const { return prefix + name; }
  [[nodiscard]] EtcdRange all() const { return EtcdRange::prefix(prefix); }
  [[nodiscard]] EtcdCommit put(const std::string& name, const std::string& value,
                               EtcdLease lease = 0) const {
    const auto done = etcd->commit({.conditions = {}, .puts = {{key(name), value, lease}}});
    REQUIRE_MESSAGE(done, (done ? "" : done.error().words));
    REQUIRE(done->is_done);
    return *done;
  }
  [[nodiscard]] EtcdCommit erase(const std::string& name) const {
    const auto done = etcd->commit({.conditions = {}, .deletions = {{key(name)}}});
    REQUIRE_MESSAGE(done, (done ? "" : done.error().words));
    return *done;
  }
  // What a read of the other client finds below the prefix.
  [[nodiscard]] std::vector<EtcdValue> stored() const {
    const auto read = other->read(all());
    REQUIRE_MESSAGE(read, (read ? "" : read.error().words));
    return read->values;
  }
  // At least `count` events of the watch, or fewer after ten seconds.
  [[nodiscard]] std::vector<EtcdEvent> events(EtcdWatch& watch, std::size_t count) const {
    std::vector<EtcdEvent> all;
    constexpr std::chrono::milliseconds step(100);
    for (int steps = 0; steps < 100 && all.size() < count; ++steps) {
      const auto came = watch.next(step);
      REQUIRE_MESSAGE(came, (came ? "" : came.error().words));
      all.insert(all.end(), came->begin(), came->end());
      if (all.size() < count) pass_time(step);
    }
    return all;
  }
};

using MakeEtcdBench = std::function<EtcdContractBench()>;

inline void etcd_values_contract(const EtcdContractBench& bench) {
  Etcd& etcd = *bench.etcd;

  SUBCASE("what was put is read back, by every client, with its revisions") {
    const EtcdCommit first = bench.put("a", "1");
    const EtcdCommit second = bench.put("a", "2");
    CHECK(second.revision == first.revision + 1);
    const auto read = bench.other->read({bench.key("a")});
    REQUIRE(read);
    CHECK(read->revision >= second.revision);
    CHECK_FALSE(read->has_more);
    CHECK(read->values ==
          std::vector<EtcdValue>{{bench.key("a"), "2", first.revision, second.revision, 0}});
  }
  SUBCASE("a key that was deleted and put again is a new key") {
    const EtcdCommit first = bench.put("a", "1");
    CHECK(bench.erase("a").revision == first.revision + 1);
    CHECK(bench.stored().empty());
    const EtcdCommit again = bench.put("a", "1");
    CHECK(bench.stored() ==
          std::vector<EtcdValue>{{bench.key("a"), "1", again.revision, again.revision, 0}});
  }
  SUBCASE("a range is in the order of its keys, without its end, and a limit says so") {
    for (const char* name : {"b", "c", "a", "bb"}) CHECK(bench.put(name, name).is_done);
    const auto all = etcd.read(bench.all());
    REQUIRE(all);
    REQUIRE(all->values.size() == 4);
    CHECK(all->values[0].key == bench.key("a"));
    CHECK(all->values[1].key == bench.key("b"));
    CHECK(all->values[2].key == bench.key("bb"));
    CHECK(all->values[3].key == bench.key("c"));
    const auto part = etcd.read({bench.key("b"), bench.key("c")});
    REQUIRE(part);
    CHECK(part->values.size() == 2);
    const auto two = etcd.read(bench.all(), 2);
    REQUIRE(two);
    CHECK(two->values.size() == 2);
    CHECK(two->has_more);
    const auto four = etcd.read(bench.all(), 4);
    REQUIRE(four);
    CHECK(four->values.size() == 4);
    CHECK_FALSE(four->has_more);
    const auto none = etcd.read({bench.key("d")});
    REQUIRE(none);
    CHECK(none->values.empty());
  }
  SUBCASE("any bytes are a value or the end of a key") {
    const std::string zeros(5, '\0'), large(1'000'000, '\xff'), name("\0\xff\n", 3);
    const auto done = etcd.commit({.conditions = {},
                                   .puts = {{bench.key("empty"), "", 0},
                                            {bench.key("zeros"), zeros, 0},
                                            {bench.key("large"), large, 0},
                                            {bench.key(name), "name", 0}}});
    REQUIRE(done);
    const auto stored = bench.stored();
    REQUIRE(stored.size() == 4);
    CHECK(stored[0].key == bench.key(name));
    CHECK(stored[1].value.empty());
    CHECK((stored[2].value == large));
    CHECK(stored[3].value == zeros);
  }
  SUBCASE("the members are known, and one of them leads") {
    const auto members = etcd.members();
    REQUIRE(members);
    std::size_t leaders = 0;
    for (const EtcdMember& member : *members) {
      CHECK_FALSE(member.name.empty());
      CHECK_FALSE(member.endpoint.empty());
      CHECK_FALSE(member.version.empty());
      CHECK(member.store_bytes > 0);
      CHECK(member.error.empty());
      CHECK(member.is_healthy);
      if (member.is_leader) ++leaders;
    }
    CHECK(leaders == 1);
  }
}

inline void etcd_transactions_contract(const EtcdContractBench& bench) {
  Etcd& etcd = *bench.etcd;
  const std::string a = bench.key("a"), b = bench.key("b");

  SUBCASE("conditions on the creation and on the value of a key") {
    const auto made = etcd.commit({{{.key = a, .created = 0}}, {{a, "1"}}});
    REQUIRE(made);
    REQUIRE(made->is_done);
    const auto changed = etcd.commit(
        {{{.key = a, .created = made->revision}, {.key = a, .value = "1"}}, {{a, "2"}, {b, "2"}}});
    REQUIRE(changed);
    CHECK(changed->is_done);
    CHECK(changed->revision == made->revision + 1);
    // A change of the value leaves the revision of its creation.
    const auto again = etcd.commit({{{.key = a, .created = made->revision}}, {{a, "3"}}});
    REQUIRE(again);
    CHECK(again->is_done);
  }
  SUBCASE("a condition that does not hold, whichever it is, leaves everything as it was") {
    const EtcdCommit put = bench.put("a", "1");
    const EtcdCondition good{.key = a, .created = put.revision};
    const auto before = bench.stored();
    const std::vector<EtcdCondition> bad = {
        {.key = a, .created = 0}, {.key = a, .created = put.revision + 1}, {.key = a, .value = "2"},
        {.key = a, .value = ""},  {.key = b, .created = put.revision},     {.key = b, .value = "1"},
        {.key = b, .value = ""},
    };
    for (const EtcdCondition& one : bad) {
      for (const auto& conditions :
           {std::vector{one}, std::vector{one, good}, std::vector{good, one}}) {
        const auto refused = etcd.commit({conditions, {{a, "2"}, {b, "2"}}, {}});
        REQUIRE(refused);
        CHECK_FALSE(refused->is_done);
        CHECK(refused->revision >= put.revision);
        const auto kept = etcd.commit({conditions, {}, {bench.all()}});
        REQUIRE(kept);
        CHECK_FALSE(kept->is_done);
      }
    }
    CHECK(bench.stored() == before);
    CHECK(bench.put("b", "1").revision == put.revision + 1);
  }
  SUBCASE("all changes of a transaction have one revision") {
    CHECK(bench.put("old", "1").is_done);
    const auto done = etcd.commit(
        {.conditions = {}, .puts = {{a, "1"}, {b, "2"}}, .deletions = {{bench.key("old")}}});
    REQUIRE(done);
    CHECK(bench.stored() == std::vector<EtcdValue>{{a, "1", done->revision, done->revision, 0},
                                                   {b, "2", done->revision, done->revision, 0}});
  }
  SUBCASE("a deletion of nothing is done and makes no revision") {
    const EtcdCommit put = bench.put("a", "1");
    const EtcdCommit none = bench.erase("b");
    CHECK(none.is_done);
    CHECK(none.revision == put.revision);
  }
  SUBCASE("a transaction that etcd cannot accept is refused and changes nothing") {
    std::vector<EtcdTransaction> bad = {
        {.conditions = {}, .puts = {{a, "1"}, {a, "2"}}},
        {.conditions = {}, .puts = {{a, "1"}}, .deletions = {bench.all()}},
        {.conditions = {}, .puts = {{b, "1"}, {a, std::string(4'000'000, 'x')}}},
        {.conditions = {}, .puts = {{b, "1"}, {a, "1", 4711}}},
    };
    EtcdTransaction many;
    for (int number = 0; number < 200; ++number) {
      many.puts.push_back({bench.key(std::to_string(number)), "1"});
    }
    bad.push_back(many);
    for (const EtcdTransaction& transaction : bad) {
      const auto refused = etcd.commit(transaction);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().kind == EtcdError::Kind::refused);
      CHECK_FALSE(refused.error().words.empty());
      CHECK(bench.stored().empty());
    }
  }
}

inline void etcd_leases_contract(const EtcdContractBench& bench) {
  Etcd& etcd = *bench.etcd;
  constexpr std::chrono::seconds time(2);

  SUBCASE("the keys of a lease are deleted when it ends by itself, in one revision") {
    const auto lease = etcd.grant_lease(time);
    REQUIRE(lease);
    CHECK(*lease != 0);
    CHECK(bench.put("a", "1", *lease).is_done);
    CHECK(bench.put("kept", "1").is_done);
    const EtcdCommit last = bench.put("b", "2", *lease);
    CHECK(bench.stored()[0].lease == *lease);
    const auto watch = bench.other->watch(bench.all(), last.revision + 1);
    const auto events = bench.events(*watch, 2);
    REQUIRE(events.size() == 2);
    CHECK(events[0].is_deletion);
    CHECK(events[1].is_deletion);
    CHECK(events[0].value.modified == events[1].value.modified);
    REQUIRE(bench.stored().size() == 1);
    CHECK(bench.stored()[0].key == bench.key("kept"));
    const auto renewed = etcd.renew_lease(*lease);
    REQUIRE(renewed);
    CHECK(*renewed == std::chrono::seconds(0));
  }
  SUBCASE("a lease that is renewed lives on, and one that is ended is over at once") {
    const auto lease = etcd.grant_lease(std::chrono::seconds(60));
    REQUIRE(lease);
    CHECK(bench.put("a", "1", *lease).is_done);
    bench.pass_time(std::chrono::seconds(40));
    const auto renewed = bench.other->renew_lease(*lease);
    REQUIRE(renewed);
    CHECK(*renewed == std::chrono::seconds(60));
    bench.pass_time(std::chrono::seconds(40));
    CHECK(bench.stored().size() == 1);
    for (int twice = 0; twice < 2; ++twice) {
      const auto ended = bench.other->end_lease(*lease);
      REQUIRE(ended);
      CHECK(*ended);
      CHECK(bench.stored().empty());
    }
    const auto late = etcd.renew_lease(*lease);
    REQUIRE(late);
    CHECK(*late == std::chrono::seconds(0));
  }
  SUBCASE("a key that is put again without the lease outlives it") {
    const auto lease = etcd.grant_lease(std::chrono::seconds(60));
    REQUIRE(lease);
    CHECK(bench.put("a", "1", *lease).is_done);
    CHECK(bench.put("a", "2").is_done);
    CHECK(etcd.end_lease(*lease));
    CHECK(bench.stored().size() == 1);
  }
  SUBCASE("two leases are two") {
    const auto one = etcd.grant_lease(std::chrono::seconds(60));
    const auto two = bench.other->grant_lease(std::chrono::seconds(60));
    REQUIRE(one);
    REQUIRE(two);
    CHECK(*one != *two);
    CHECK(etcd.end_lease(*one));
    const auto renewed = etcd.renew_lease(*two);
    REQUIRE(renewed);
    CHECK(*renewed == std::chrono::seconds(60));
    CHECK(etcd.end_lease(*two));
  }
}

inline void etcd_watch_contract(const EtcdContractBench& bench) {
  Etcd& etcd = *bench.etcd;
  const std::string a = bench.key("a"), b = bench.key("b");

  SUBCASE("a watch sees every change from its revision on, once and in order") {
    const EtcdCommit before = bench.put("a", "0");
    const EtcdCommit first = bench.put("a", "1");
    const auto watch = bench.other->watch(bench.all(), first.revision);
    const EtcdCommit second = bench.put("b", "2");
    const EtcdCommit gone = bench.erase("a");
    const auto events = bench.events(*watch, 3);
    REQUIRE(events.size() == 3);
    CHECK(events[0] == EtcdEvent{{a, "1", before.revision, first.revision, 0}, false});
    CHECK(events[1] == EtcdEvent{{b, "2", second.revision, second.revision, 0}, false});
    CHECK(events[2] == EtcdEvent{{a, "", 0, gone.revision, 0}, true});
    const EtcdCommit third = bench.put("a", "3");
    const auto more = bench.events(*watch, 1);
    REQUIRE(more.size() == 1);
    CHECK(more[0].value.modified == third.revision);
    const auto none = watch->next(std::chrono::milliseconds(1));
    REQUIRE(none);
    CHECK(none->empty());
  }
  SUBCASE("a watch sees its range alone") {
    const EtcdCommit start = bench.put("a", "0");
    const auto one = etcd.watch({a}, start.revision + 1);
    const auto some = etcd.watch({bench.key("b"), bench.key("d")}, start.revision + 1);
    for (const char* name : {"b", "ab", "d", "c", "a"}) CHECK(bench.put(name, "1").is_done);
    const auto only = bench.events(*one, 1);
    REQUIRE(only.size() == 1);
    CHECK(only[0].value.key == a);
    const auto part = bench.events(*some, 2);
    REQUIRE(part.size() == 2);
    CHECK(part[0].value.key == bench.key("b"));
    CHECK(part[1].value.key == bench.key("c"));
  }
  SUBCASE("the changes of one revision come together") {
    const EtcdCommit start = bench.put("a", "0");
    const auto watch = etcd.watch(bench.all(), start.revision + 1);
    const std::string large(600'000, 'x');
    for (int times = 0; times < 3; ++times) {
      const auto done = bench.other->commit({.conditions = {}, .puts = {{a, large}, {b, large}}});
      REQUIRE(done);
    }
    std::size_t seen = 0;
    for (int tries = 0; tries < 100 && seen < 6; ++tries) {
      const auto came = watch->next(std::chrono::milliseconds(100));
      REQUIRE(came);
      CHECK(came->size() % 2 == 0);
      for (std::size_t at = 0; at + 1 < came->size(); at += 2) {
        CHECK((*came)[at].value.modified == (*came)[at + 1].value.modified);
      }
      seen += came->size();
    }
    CHECK(seen == 6);
  }
  SUBCASE("a watch that is behind gets a long history without a gap") {
    constexpr std::size_t count = 300;
    const EtcdCommit start = bench.put("a", "0");
    for (std::size_t number = 0; number < count; ++number) {
      CHECK(bench.put("a", std::to_string(number)).is_done);
    }
    const auto watch = bench.other->watch(bench.all(), start.revision + 1);
    const auto events = bench.events(*watch, count);
    REQUIRE(events.size() == count);
    for (std::size_t number = 0; number < count; ++number) {
      CHECK(events[number].value.value == std::to_string(number));
    }
  }
  SUBCASE("a watch from a revision to come sees nothing before it") {
    const EtcdCommit start = bench.put("a", "0");
    const auto watch = etcd.watch(bench.all(), start.revision + 2);
    CHECK(bench.put("a", "1").is_done);
    CHECK(bench.put("a", "2").is_done);
    const auto events = bench.events(*watch, 1);
    REQUIRE(events.size() == 1);
    CHECK(events[0].value.value == "2");
  }
}

inline void etcd_compaction_contract(const EtcdContractBench& bench) {
  Etcd& etcd = *bench.etcd;

  SUBCASE("no watch starts before the compaction, and it says so every time") {
    const EtcdCommit first = bench.put("a", "1");
    const EtcdCommit second = bench.put("a", "2");
    const auto compacted = etcd.compact(second.revision);
    REQUIRE(compacted);
    CHECK(*compacted == second.revision);
    const auto late = bench.other->watch(bench.all(), first.revision);
    for (int twice = 0; twice < 2; ++twice) {
      const auto none = late->next(std::chrono::seconds(10));
      REQUIRE_FALSE(none);
      CHECK(none.error().kind == EtcdError::Kind::compacted);
    }
    const auto watch = bench.other->watch(bench.all(), second.revision + 1);
    CHECK(bench.put("a", "3").is_done);
    CHECK(bench.events(*watch, 1).size() == 1);
    CHECK(bench.stored().size() == 1);
  }
  SUBCASE("the same compaction again is done, and one of the future is refused") {
    const EtcdCommit first = bench.put("a", "1");
    const EtcdCommit second = bench.put("a", "2");
    for (const EtcdRevision revision : {second.revision, second.revision, first.revision}) {
      const auto compacted = bench.other->compact(revision);
      REQUIRE(compacted);
      CHECK(*compacted == revision);
    }
    const auto future = etcd.compact(second.revision + 1);
    REQUIRE_FALSE(future);
    CHECK(future.error().kind == EtcdError::Kind::refused);
  }
}

}  // namespace linkmeter
