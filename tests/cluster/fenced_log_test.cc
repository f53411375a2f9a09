#include "controller/cluster/fenced_log.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/cluster/written_cluster.h"
#include "tests/support/edited_etcd.h"

namespace linkmeter::fenced_log_test {
namespace {

constexpr EtcdFault unknown_results[] = {EtcdFault::lost_request, EtcdFault::lost_answer,
                                         EtcdFault::late};

class Gone : public Fault {
  using Fault::Fault;
};

}  // namespace

TEST_CASE("entries are in etcd when append() returns, with the head after them") {
  WrittenCluster at;
  const FencedLog log = at.log();
  const Head first = log.append({}, {"one", "two"});
  CHECK(first == head_after({}, {"one", "two"}));
  CHECK(at.head() == first);
  const Head second = log.append(first, {"three"});
  CHECK(at.head() == second);
  CHECK(at.turns() == std::vector<EntryBatch>{{EntryNumber(1), {"one", "two"}, first.hash, 0},
                                              {EntryNumber(3), {"three"}, second.hash, 0}});
  CHECK(log.append(second, {}) == second);
  CHECK(at.pauses == 0);
}

TEST_CASE("after an unknown result of any kind every entry is in the log once") {
  for (const EtcdFault fault : unknown_results) {
    for (const bool comes_in_the_pause : {true, false}) {
      CAPTURE(static_cast<int>(fault));
      CAPTURE(comes_in_the_pause);
      WrittenCluster at;
      const FencedLog log(at.etcd, at.keys, at.epoch, [&](const EtcdError&) {
        ++at.pauses;
        if (comes_in_the_pause) at.cluster.run_late();
      });
      at.etcd.fail_next(fault);
      const Head first = log.append({}, {"one"});
      CHECK(at.pauses == (fault == EtcdFault::lost_answer ? 0 : 1));
      at.cluster.run_late();  // the first try, if it comes after the second one
      CHECK(at.head() == first);
      CHECK(at.turns().size() == 1);
      const Head second = log.append(first, {"two"});
      CHECK(at.head() == second);
      CHECK(at.turns().size() == 2);
    }
  }
}

TEST_CASE("a try that comes after later entries changes nothing") {
  WrittenCluster at;
  at.etcd.fail_next(EtcdFault::late);
  const Head first = at.log().append({}, {"one"});
  const Head second = at.log().append(first, {"two"});
  const EtcdRevision before = at.cluster.revision();
  CHECK(at.cluster.run_late() == 1);
  CHECK(at.cluster.revision() == before);
  CHECK(at.head() == second);
}

TEST_CASE("append() waits until etcd answers, and reads the head again and again") {
  WrittenCluster at;
  at.cluster.set_quorum(false);
  const FencedLog log(at.etcd, at.keys, at.epoch, [&](const EtcdError&) {
    if (++at.pauses == 5) at.cluster.set_quorum(true);
  });
  const Head head = log.append({}, {"one"});
  CHECK(at.pauses >= 5);
  CHECK(at.head() == head);
}

TEST_CASE("a writer whose lease has ended appends nothing") {
  WrittenCluster at;
  const FencedLog log = at.log();
  SUBCASE("no other one writes") { at.cluster.pass_time(std::chrono::seconds(3)); }
  SUBCASE("another one writes, and has appended nothing") {
    at.cluster.pass_time(std::chrono::seconds(3));
    at.begin_writing("b");
  }
  SUBCASE("it writes again under another epoch") {
    REQUIRE(*at.etcd.end_lease(at.lease));
    at.begin_writing("a");
  }
  const EtcdRevision before = at.cluster.revision();
  CHECK_THROWS_AS(log.append({}, {"one"}), RoleLost);
  CHECK_THROWS_AS(log.append({}, {std::string(limits::entry_batch_bytes_max + 1, 'x')}), RoleLost);
  CHECK(at.cluster.revision() == before);
}

TEST_CASE("a head that another one moved, or that is gone, means that the role is lost") {
  WrittenCluster at;
  const std::string head = at.keys.head();
  SUBCASE("moved by who is no node") { at.put_raw(head, text(head_after({}, {"other"}))); }
  SUBCASE("moved") { at.put(head, text(head_after({}, {"other"}))); }
  SUBCASE("gone") { REQUIRE(at.etcd.commit({.conditions = {}, .deletions = {{head}}})->is_done); }
  CHECK_THROWS_AS(at.log().append({}, {"one"}), RoleLost);
  CHECK(at.turns().empty());
}

TEST_CASE("the role is lost while a result is unknown") {
  for (const EtcdFault fault : {EtcdFault::lost_request, EtcdFault::late}) {
    CAPTURE(static_cast<int>(fault));
    WrittenCluster at;
    const FencedLog log(at.etcd, at.keys, at.epoch,
                        [&](const EtcdError&) { at.cluster.pass_time(std::chrono::seconds(3)); });
    at.etcd.fail_next(fault);
    CHECK_THROWS_AS(log.append({}, {"one"}), RoleLost);
    at.cluster.run_late();
    CHECK(at.turns().empty());
  }
}

TEST_CASE("a turn of more than 1 MiB takes several transactions, each a whole step of the log") {
  constexpr std::size_t long_bytes = limits::entry_batch_bytes_max * 2 / 5;
  const std::vector<std::string> entries(5, std::string(long_bytes, 'x'));
  WrittenCluster at;
  SUBCASE("all of them are done") {
    CHECK(at.log().append({}, entries) == head_after({}, entries));
    const auto turns = at.turns();
    REQUIRE(turns.size() == 3);
    Head head;
    for (const EntryBatch& batch : turns) {
      CHECK(batch.first == head.entry.next());
      CHECK(batch.entries.size() * long_bytes <= limits::entry_batch_bytes_max);
      head = head_after(head, batch.entries);
      CHECK(batch.hash == head.hash);
    }
    CHECK(at.head() == head);
  }
  SUBCASE("the node ends between two of them") {
    int commits = 0;
    at.etcd.set_faults([&](EtcdCall call) {
      return call == EtcdCall::commit && ++commits == 2 ? EtcdFault::lost_request : EtcdFault::none;
    });
    const FencedLog log(at.etcd, at.keys, at.epoch,
                        [](const EtcdError& error) { throw Gone(error.words); });
    CHECK_THROWS_AS(log.append({}, entries), Gone);
    CHECK(at.turns().size() == 1);
    CHECK(at.head() == head_after({}, {entries[0], entries[1]}));
  }
}

TEST_CASE("an entry that is too long for one key is stored in parts, before its turn") {
  constexpr std::size_t parts = 4;
  std::string large(limits::entry_batch_bytes_max * (parts - 1) + 7, 'x');
  large.front() = 'a';
  large.back() = 'z';
  const std::vector<std::string> entries = {"before", large, "after"};
  for (const EtcdFault fault :
       {EtcdFault::none, EtcdFault::lost_request, EtcdFault::lost_answer, EtcdFault::late}) {
    CAPTURE(static_cast<int>(fault));
    WrittenCluster at;
    int commits = 0;  // every second one has the fault
    at.etcd.set_faults([&](EtcdCall call) {
      return call == EtcdCall::commit && ++commits % 2 == 0 ? fault : EtcdFault::none;
    });
    CHECK(at.log().append({}, entries) == head_after({}, entries));
    at.cluster.run_late();
    const auto turns = at.turns();
    REQUIRE(turns.size() == 3);
    CHECK(turns[1].first == EntryNumber(2));
    CHECK(turns[1].parts == parts);
    CHECK(turns[1].entries.empty());
    std::string joined;
    for (const EtcdValue& part : at.cluster.values(at.keys.parts_of(EntryNumber(2)))) {
      joined += part.value;
    }
    CHECK((joined == large));
    CHECK(at.head() == head_after({}, entries));
  }
}

TEST_CASE("an entry that is too long for etcd is a fault and changes nothing") {
  WrittenCluster at;
  const std::size_t most = limits::entry_batch_bytes_max * limits::entry_parts_max;
  const EtcdRevision before = at.cluster.revision();
  CHECK_THROWS_WITH_AS(at.log().append({}, {std::string(most + 1, 'x')}),
                       doctest::Contains("too long for etcd"), Fault);
  CHECK(at.cluster.revision() == before);
}

TEST_CASE("entries that etcd refuses are a fault, and no lost role") {
  WrittenCluster at;
  EditedEtcd refusing(at.etcd, [](EtcdTransaction&) {
    return EtcdResult<EtcdCommit>(EtcdError{EtcdError::Kind::refused, "no space"});
  });
  const FencedLog log(refusing, at.keys, at.epoch, at.pause);
  try {
    log.append({}, {"one"});
    FAIL("nothing was thrown");
  } catch (const RoleLost& lost) {
    FAIL(lost.what());
  } catch (const Fault& fault) {
    CHECK(std::string(fault.what()).find("no space") != std::string::npos);
  }
  CHECK(at.pauses == 0);
}

}  // namespace linkmeter::fenced_log_test
