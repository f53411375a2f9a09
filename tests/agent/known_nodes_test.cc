#include "table-agent/link/known_nodes.h"

#include <sstream>
#include <string>
#include <vector>

#include "meters/values/enrolment.h"
#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "tests/support/keys.h"
#include "tests/support/memory_outbox.h"

#include <doctest/doctest.h>

namespace linkmeter::known_nodes_test {
namespace {

using Nodes = std::vector<NodeAddress>;

NodeAddress node(const std::string& name) {
  return {name, key_of(name), "tcp://" + name + ":6057"};
}

Credentials credentials_from(const std::string& controller) {
  return {"table", "C4-01", {key_of("table-" + controller), ""}, key_of(controller)};
}

const std::string given = mark_of(credentials_from("given"));

KnownNodes::Link through(const std::string& controller, const std::string& credentials = given) {
  return {credentials, key_of(controller)};
}

}  // namespace

TEST_CASE("the last list of nodes is kept, also over a restart") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  CHECK(known.list().empty());
  CHECK(known.replace({node("a"), node("b")}));
  CHECK_FALSE(known.replace({node("a"), node("b")}));
  CHECK((KnownNodes(outbox).list() == Nodes{node("a"), node("b")}));
  CHECK(known.replace({node("c")}));
  CHECK((KnownNodes(outbox).list() == Nodes{node("c")}));
}

TEST_CASE("an empty list leaves the way to the controller that sent it, and no other") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  CHECK_FALSE(known.replace({}, through("a")));  // a house that never had a node
  CHECK(outbox.place(KnownNodes::place).empty());
  known.replace({node("a"), node("b")}, through("a"));
  SUBCASE("a known node") {
    CHECK(known.replace({}, through("a")));
    CHECK_FALSE(known.replace({}, through("a")));
    CHECK((known.list() == Nodes{node("a")}));
    CHECK((KnownNodes(outbox).list() == Nodes{node("a")}));
  }
  SUBCASE("a node that only a standby named") {
    known.hear({node("c")});
    CHECK(known.replace({}, through("c")));
    CHECK((KnownNodes(outbox).list() == Nodes{node("c")}));
  }
  SUBCASE("the controller of new credentials, which needs no list") {
    CHECK(known.replace({}, through("new")));
    CHECK(KnownNodes(outbox).list().empty());
    CHECK(KnownNodes(outbox).replaced_credentials().empty());
  }
  SUBCASE("a list in which no node is one is as an empty one") {
    CHECK(known.replace({{"a b", key_of("a"), ""}}, through("a")));
    CHECK((known.list() == Nodes{node("a")}));
  }
}

TEST_CASE("a list replaces the controller's key in the credentials under which it was given") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  CHECK(known.replaced_credentials().empty());
  // The house never had this controller, or has revoked it.
  known.replace({node("a"), node("b")}, through("a", given));
  CHECK(known.replaced_credentials() == given);
  CHECK(KnownNodes(outbox).replaced_credentials() == given);
  CHECK((KnownNodes(outbox).list() == Nodes{node("a"), node("b")}));
  SUBCASE("not if the list has it") {
    const std::string of_a = mark_of(credentials_from("a"));
    CHECK(known.replace({node("a"), node("b")}, through("b", of_a)));
    CHECK(known.replaced_credentials().empty());
    // The same list, after the first controller was revoked.
    CHECK(known.replace({node("b")}, through("b", of_a)));
    CHECK(KnownNodes(outbox).replaced_credentials() == of_a);
  }
  SUBCASE("the next list is for the credentials of that time") {
    const std::string next = mark_of(credentials_from("next"));
    CHECK(known.replace({node("a"), node("b")}, through("a", next)));
    CHECK(KnownNodes(outbox).replaced_credentials() == next);
  }
  SUBCASE("not if the list lacks the key of its own connection") {
    known.replace({node("a"), node("b")}, through("c", given));
    CHECK(KnownNodes(outbox).replaced_credentials().empty());
  }
  SUBCASE("a house that is back at one controller keeps it out as well") {
    known.replace({}, through("b", given));
    CHECK((KnownNodes(outbox).list() == Nodes{node("b")}));
    CHECK(KnownNodes(outbox).replaced_credentials() == given);
  }
  SUBCASE("what a standby says changes nothing") {
    known.hear({node("given")});
    CHECK(known.replaced_credentials() == given);
  }
}

// A standby that is behind, or that somebody keeps from the writer, names a node that was replaced.
TEST_CASE("a key that a list dropped comes back from no standby") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  const NodeAddress stolen = node("b"), replaced{"b", key_of("new"), stolen.endpoint};
  known.replace({node("a"), stolen}, through("a"));
  known.replace({node("a"), replaced}, through("a"));
  for (int start = 0; start < 2; ++start) {
    KnownNodes now(outbox);
    CHECK_FALSE(now.hear({node("a"), stolen}, through("a")));
    CHECK_FALSE(now.hear({node("given")}, through("a")));  // of the credentials
    CHECK((now.list() == Nodes{node("a"), replaced}));
    // A node that the house has got since, under the name of one that it had.
    const NodeAddress next{"a", key_of("next"), "tcp://next:6057"};
    CHECK(now.hear({next, stolen}, through("a")));
    CHECK((now.list() == Nodes{next, node("a"), replaced}));
    known.replace({replaced}, through("new"));
    known.replace({node("a"), replaced}, through("a"));
  }
  SUBCASE("the writer names it again") {
    known.replace({node("a"), stolen}, through("a"));
    known.replace({node("a")}, through("a"));
    CHECK_FALSE(known.hear({stolen}, through("a")));
    known.replace({node("a"), stolen}, through("a"));
    known.hear({{"c", stolen.key, "tcp://c:6057"}}, through("a"));
    CHECK(known.list().front().endpoint == "tcp://c:6057");
  }
  SUBCASE("new credentials have it") {
    const std::string of_b = mark_of(credentials_from("b"));
    CHECK_FALSE(known.hear({stolen}, through("a", mark_of(credentials_from("c")))));
    CHECK(known.hear({stolen}, through("b", of_b)));
    CHECK(known.list(of_b) == Nodes{stolen});
    known.replace({node("a"), replaced}, through("a", of_b));
    CHECK_FALSE(KnownNodes(outbox).hear({stolen}, through("a", of_b)));
  }
  SUBCASE("a house without nodes keeps it out as well") {
    known.replace({}, through("a"));
    known.replace({}, through("other"));
    CHECK_FALSE(KnownNodes(outbox).hear({stolen}, through("a")));
  }
}

TEST_CASE("the last keys that lists dropped are kept") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  const auto number = [](std::size_t at) { return node("n" + std::to_string(at)); };
  for (std::size_t at = 0; at <= KnownNodes::dropped_max + 1; ++at) {
    known.replace({number(at)});
    CHECK(outbox.place(KnownNodes::place).size() < 2'000);
  }
  KnownNodes next(outbox);
  CHECK(next.hear({number(0)}));
  for (std::size_t at = 1; at <= KnownNodes::dropped_max; ++at) {
    CAPTURE(at);
    next.hear({number(at)});
    CHECK((next.list() == Nodes{number(KnownNodes::dropped_max + 1)}));
  }
}

TEST_CASE("an older agent reads the nodes of the stored list alone") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  known.replace({node("a"), node("b")}, through("a"));
  known.replace({node("a")}, through("a"));
  std::istringstream words(outbox.place(KnownNodes::place));
  Nodes nodes;
  for (NodeAddress line; words >> line.name >> line.key >> line.endpoint;) {
    if (is_well_formed_key(line.key)) nodes.push_back(line);
  }
  CHECK(nodes == Nodes{node("a")});
}

TEST_CASE("new credentials are used without the nodes that were named under the ones before") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  // The list has the writer's key, or lacks it: the outbox says in both cases under which.
  std::string writer = "a";
  SUBCASE("with the writer's key") {}
  SUBCASE("without the writer's key") { writer = "other"; }
  known.replace({node("a"), node("thief")}, through(writer));
  known.hear({node("b")}, through("a"));
  CHECK((known.list(given) == Nodes{node("b"), node("a"), node("thief")}));
  const std::string next = mark_of(credentials_from("c"));
  CHECK(known.list(next).empty());
  CHECK(KnownNodes(outbox).list(next).empty());
  CHECK(known.replaced_credentials() != next);
  // Their controller is a standby, and shows the way.
  CHECK(known.hear({node("c"), {"a", key_of("a"), ""}}, through("c", next)));
  CHECK((known.list(next) == Nodes{node("c"), {"a", key_of("a"), ""}}));
  CHECK((KnownNodes(outbox).list(given) == Nodes{node("a"), node("thief")}));
  known.replace({node("c"), {"a", key_of("a"), ""}}, through("a", next));
  CHECK((KnownNodes(outbox).list(next) == Nodes{node("c"), {"a", key_of("a"), ""}}));
  CHECK_FALSE(KnownNodes(outbox).hear({node("thief")}, through("a", next)));
}

TEST_CASE("a list of an older agent names the credentials only if it replaces their key") {
  const std::string nodes = "a " + key_of("a") + " tcp://a:6057\n";
  MemoryOutbox outbox;
  outbox.append({}, {KnownNodes::place, "credentials " + given + " -\n" + nodes});
  KnownNodes known(outbox);
  const std::string next = mark_of(credentials_from("next"));
  CHECK(known.replaced_credentials() == given);
  CHECK(known.list(given) == Nodes{node("a")});
  CHECK(known.list(next).empty());
  CHECK_FALSE(known.hear({node("given")}, through("a")));
  outbox.append({}, {KnownNodes::place, nodes});
  CHECK(KnownNodes(outbox).list(next) == Nodes{node("a")});
}

TEST_CASE("a list that release 0.3.0 stored replaces no key until the next one comes") {
  MemoryOutbox outbox;
  outbox.append({}, {KnownNodes::place, "a " + key_of("a") + " tcp://a:6057\n"});
  KnownNodes known(outbox);
  CHECK((known.list() == Nodes{node("a")}));
  CHECK(known.replaced_credentials().empty());
  CHECK(known.replace({node("a")}, through("a", given)));
  CHECK(KnownNodes(outbox).replaced_credentials() == given);
}

TEST_CASE("a node that is down keeps the endpoint it had, with the key that it has now") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  known.replace({node("a"), node("b")});
  CHECK(known.replace({node("a"), {"b", key_of("new"), ""}, {"c", key_of("c"), ""}}));
  const Nodes expected{node("a"), {"b", key_of("new"), "tcp://b:6057"}, {"c", key_of("c"), ""}};
  CHECK(known.list() == expected);
  CHECK(KnownNodes(outbox).list() == expected);
}

// b took over the address of the machine of c, which is down.
TEST_CASE("a node keeps its key, whatever endpoint another node has now") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  known.replace({node("a"), node("c")});
  const NodeAddress down{"c", key_of("c"), ""}, moved{"b", key_of("b"), "tcp://c:6057"};
  SUBCASE("told first") {
    known.replace({moved, down});
    CHECK(known.list() == Nodes{moved, down});
  }
  SUBCASE("told last") {
    known.replace({down, moved});
    CHECK(known.list() == Nodes{down, moved});
  }
  SUBCASE("told of both") {
    known.replace({moved, node("c")});
    CHECK(known.list() == Nodes{moved, down});
  }
  const Nodes told = known.list();
  CHECK(KnownNodes(outbox).list() == told);
}

TEST_CASE("what a standby says is not kept, and takes no node away") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  known.replace({node("a"), node("b")});
  const NodeAddress other{"b", key_of("new"), "tcp://b:6057"};
  CHECK(known.hear({other, node("c")}));
  CHECK_FALSE(known.hear({other, node("c")}));
  CHECK((known.list() == Nodes{other, node("c"), node("a"), node("b")}));
  CHECK((KnownNodes(outbox).list() == Nodes{node("a"), node("b")}));
  CHECK(known.hear({}));
  CHECK((known.list() == Nodes{node("a"), node("b")}));
  SUBCASE("the writer's next list is the only one") {
    known.hear({other});
    CHECK(known.replace({node("a"), node("b")}));
    CHECK((known.list() == Nodes{node("a"), node("b")}));
  }
}

TEST_CASE("what is no node is left out, and no list is longer than the house may be") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  const NodeAddress good = node("a");
  const std::string endless = "tcp://" + std::string(limits::endpoint_length_max, 'x') + ":6057";
  known.replace({{"", good.key, good.endpoint},
                 {"a b", good.key, good.endpoint},
                 {"a", "short", good.endpoint},
                 {"a", good.key, "a:6057"},
                 {"a", good.key, "tcp://*:6057"},
                 {"a", good.key, "tcp://a:6057\nb"},
                 {"a", good.key, endless},
                 good,
                 {"a", key_of("other"), "tcp://other:6057"},
                 {"other", key_of("other"), good.endpoint}});
  const Nodes expected{good, {"other", key_of("other"), ""}};
  CHECK((known.list() == expected));
  CHECK((KnownNodes(outbox).list() == expected));
  Nodes many;
  for (int number = 0; number < 20; ++number) many.push_back(node("n" + std::to_string(number)));
  known.replace(many);
  many.resize(limits::nodes_max);
  CHECK(known.list() == many);
}

TEST_CASE("a damaged list in the outbox is read as far as it is one") {
  const std::string good = "a " + key_of("a") + " tcp://a:6057\n";
  for (const auto& [stored, count] : std::vector<std::pair<std::string, std::size_t>>{
           {"", 0},
           {good, 1},
           {good + good, 1},
           {good + "b " + key_of("b"), 1},
           {std::string("\0\xff\n \n", 5), 0},
           {std::string(100'000, 'x'), 0},
           {good + "b key tcp://b:6057\n", 1},
           {"dropped - " + key_of("a") + "\n" + good, 1},
           {"dropped - key\ngiven key -\n" + good, 1},
           {"dropped " + key_of("d") + " -\n", 1}}) {
    MemoryOutbox outbox;
    outbox.append({}, {KnownNodes::place, stored});
    CHECK(KnownNodes(outbox).list().size() == count);
  }
}

TEST_CASE("a list that cannot be stored is not known") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  outbox.fail_next(MemoryOutbox::Trouble::throws_before_storing);
  CHECK_THROWS_AS(known.replace({node("a")}), Fault);
  CHECK(known.list().empty());
}

}  // namespace linkmeter::known_nodes_test
