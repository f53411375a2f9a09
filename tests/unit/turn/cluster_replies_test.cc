#include "controller/cluster_replies.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <utility>

#include "tests/support/controller_house.h"
#include "tests/support/keys.h"

// What a node tells about its cluster, and when a writer hands over.
namespace linkmeter::cluster_replies_test {
namespace {

NodeRecord record(const std::string& name, std::uint64_t entry) {
  return {name,  "tcp://" + name + ":6057",   "tcp://" + name + ":6058", "https://" + name, "",
          "1.0", Head{EntryNumber(entry), {}}};
}

// "a" is the writer. The other nodes report their heads about once a second.
Cluster::News news() {
  Cluster::News news;
  news.has_looked = true;
  news.seen.head = Head{EntryNumber(5'000), {}};
  news.seen.writer = ClusterWatch::Writer{record("a", 1), 17, 1};
  for (const auto& [name, entry] : {std::pair("a", 4'900U), std::pair("b", 4'000U),
                                    std::pair("c", 3'999U), std::pair("stranger", 5'000U)}) {
    news.seen.nodes[name] = record(name, entry);
  }
  news.members = {{"m1", "http://m1:2379", "3.4.23", true, true, 10, ""}};
  return news;
}

Enrolments enrolments() {
  Enrolments all;
  for (const std::string name : {"a", "b", "c", "d"}) {
    all.enrol({EnrolmentKind::node, name, key_of(name)});
  }
  all.enrol({EnrolmentKind::table, "T-01", key_of("T-01")});
  return all;
}

const ClusterStatus::Node& node(const ClusterStatus& status, const std::string& name) {
  const auto found = std::find_if(status.nodes.begin(), status.nodes.end(),
                                  [&name](const auto& one) { return one.name == name; });
  REQUIRE(found != status.nodes.end());
  return *found;
}

ClusterStatus of_writer() {
  return cluster_status(news(), record("a", 5'000), enrolments(), WriterChanged{"a", 3});
}

}  // namespace

TEST_CASE("the writer tells each node's role and how far it is behind") {
  const ClusterStatus status = of_writer();
  CHECK(status.node == "a");
  CHECK(status.writer == "a");
  CHECK(status.epoch == 3);  // the journal's, and not etcd's
  CHECK(status.etcd_error.empty());
  CHECK(status.members.size() == 1);
  CHECK(status.nodes.size() == 5);
  CHECK(node(status, "a") == ClusterStatus::Node{"a", "writer", true, EntryNumber(5'000), 0,
                                                 std::chrono::microseconds(0), "tcp://a:6057",
                                                 "tcp://a:6058", "https://a", "1.0"});
  CHECK(node(status, "b") == ClusterStatus::Node{"b",
                                                 "standby",
                                                 true,
                                                 EntryNumber(4'000),
                                                 1'000,
                                                 {},
                                                 "tcp://b:6057",
                                                 "tcp://b:6058",
                                                 "https://b",
                                                 "1.0"});
  CHECK(node(status, "d") == ClusterStatus::Node{"d", "away", true, {}, {}, {}, "", "", "", ""});
  CHECK_FALSE(node(status, "stranger").is_enrolled);
}

TEST_CASE("a standby measures itself against the head in etcd") {
  Cluster::News seen = news();
  ClusterStatus status = cluster_status(seen, record("b", 4'990), enrolments());
  CHECK(status.node == "b");
  CHECK(status.epoch == 0);  // it has not followed the writer's first entry
  CHECK(cluster_status(seen, record("b", 4'990), enrolments(), WriterChanged{"b", 2}).epoch == 0);
  CHECK(node(status, "b").lag_entries == 10);
  CHECK_FALSE(node(status, "b").lag.has_value());  // it was never current
  seen.current_at = boot_time() - std::chrono::seconds(7);
  status = cluster_status(seen, record("b", 4'990), enrolments());
  REQUIRE(node(status, "b").lag.has_value());
  CHECK(*node(status, "b").lag >= std::chrono::seconds(7));
  CHECK_FALSE(node(status, "a").lag.has_value());
  // Ahead of what it last saw.
  CHECK(node(cluster_status(seen, record("b", 5'001), enrolments()), "b").lag_entries == 0);
}

TEST_CASE("a node that never reached etcd tells what it knows") {
  Cluster::News none;
  CHECK(cluster_status(none, record("b", 7), enrolments()).etcd_error == "not asked yet");
  none.error = "no member answers";
  const ClusterStatus status = cluster_status(none, record("b", 7), {});
  CHECK(status.writer.empty());
  CHECK(status.etcd_error == "no member answers");
  CHECK(status.nodes.size() == 1);
  CHECK(node(status, "b").role == "standby");
}

TEST_CASE("a standby's status is one sentence") {
  CHECK(standby_text(cluster_status(news(), record("b", 4'988), enrolments())) ==
        "standby of a, 12 entries behind");
  Cluster::News none;
  none.has_looked = true;
  none.error = "no quorum";
  CHECK(standby_text(cluster_status(none, record("b", 7), {})) ==
        "standby, there is no writer, 0 entries behind; etcd does not answer: no quorum");
}

TEST_CASE("documents of pages name the node, the writer and the lag") {
  const Json members = cluster_members(of_writer());
  CHECK(members.at("node") == "a");
  CHECK(members.at("writer") == "a");
  CHECK(members.at("lag_seconds") == 0.0);
  CHECK(members.at("etcd") == Json{{"answers", true}, {"members", 1}, {"healthy", 1}});
  // Those that are enrolled.
  CHECK(members.at("nodes").size() == 4);
  CHECK(members.at("nodes").at(1) ==
        Json{{"name", "b"}, {"role", "standby"}, {"lag_entries", 1'000}, {"pages", "https://b"}});
  CHECK(members.at("nodes").at(3) ==
        Json{{"name", "d"}, {"role", "away"}, {"lag_entries", nullptr}, {"pages", nullptr}});
  CHECK(cluster_members(cluster_status({}, record("b", 7), {})) ==
        Json{{"node", "b"},
             {"writer", nullptr},
             {"lag_seconds", nullptr},
             {"nodes", Json::array()},
             {"etcd", Json{{"answers", false}, {"members", 0}, {"healthy", 0}}}});
}

TEST_CASE("the writer hands over only to an enrolled node that runs and lacks little") {
  const ClusterStatus status = of_writer();
  const auto refusal = [&status](const std::string& to) {
    const HandoverReply reply = handover_reply(status, to);
    CHECK_FALSE(reply.text.empty());
    return reply.refusal;
  };
  CHECK(handover_reply(status, "b") == HandoverReply{"", "handing over to b"});
  CHECK(refusal("a") == "is_the_writer");
  CHECK(refusal("c") == "node_behind");  // 1,001 entries
  CHECK(refusal("d") == "node_not_running");
  CHECK(refusal("stranger") == "node_not_enrolled");
  for (const std::string& unknown : {std::string(), std::string("T-01"), std::string(9'000, 'x')}) {
    CHECK(refusal(unknown) == "node_not_enrolled");
  }
}

TEST_CASE("who is not the writer hands nothing over") {
  const ClusterStatus standby = cluster_status(news(), record("b", 5'000), enrolments());
  CHECK(handover_reply(standby, "b").refusal == "not_the_writer");
  CHECK(handover_reply(standby, "a").refusal == "not_the_writer");
  CHECK(handover_reply(ClusterStatus(), "b").refusal == "not_a_node");
}

TEST_CASE("a person at a standby's pages is told where the writer's pages are") {
  ControllerHouse house;
  OperatorRequest request{"browser", Badge("TGM-1"), true, {}};
  const auto text = [&](RequestSource source) {
    request.source = source;
    const Controller::Turn turn = house.controller().turn({}, house.now, {request});
    REQUIRE_EQ(turn.person_replies.size() + turn.socket_replies.size(), 1);
    return source == RequestSource::web
               ? turn.socket_replies[0].reply.text
               : decode_control_reply(turn.person_replies[0].bytes).value().text;
  };
  house.controller().set_standby("tcp://a:6057", "https://a:6059");
  CHECK(text(RequestSource::web).ends_with("the writer is another node: https://a:6059"));
  CHECK(text(RequestSource::control).ends_with("the writer is another node: tcp://a:6057"));
  house.controller().set_standby("");
  CHECK(text(RequestSource::web).ends_with("the writer is another node"));
}

}  // namespace linkmeter::cluster_replies_test
