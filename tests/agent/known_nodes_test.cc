#include "table-agent/link/known_nodes.h"

#include <string>
#include <vector>

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
  CHECK(known.replace({}));
  CHECK(KnownNodes(outbox).list().empty());
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
  CHECK((known.list() == Nodes{good}));
  CHECK((KnownNodes(outbox).list() == Nodes{good}));
  Nodes many;
  for (int number = 0; number < 20; ++number) many.push_back(node("n" + std::to_string(number)));
  known.replace(many);
  many.resize(limits::nodes_max);
  CHECK(known.list() == many);
}

TEST_CASE("a damaged list in the outbox is read as far as it is one") {
  const std::string good = "a " + key_of("a") + " tcp://a:6057\n";
  for (const auto& [stored, count] :
       std::vector<std::pair<std::string, std::size_t>>{{"", 0},
                                                        {good, 1},
                                                        {good + good, 1},
                                                        {good + "b " + key_of("b"), 1},
                                                        {std::string("\0\xff\n \n", 5), 0},
                                                        {std::string(100'000, 'x'), 0},
                                                        {good + "b key tcp://b:6057\n", 1}}) {
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
