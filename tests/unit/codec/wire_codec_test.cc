#include "proto/codec/wire_codec.h"

#include <doctest/doctest.h>
#include <string>

#include "meters/values/limits.h"
#include "tests/support/keys.h"
#include "tests/support/random_values.h"

namespace linkmeter::wire_codec_test {
namespace {

bool same(const TableMessage& left, const TableMessage& right) {
  return left.table == right.table && left.number == right.number &&
         left.sent_at == right.sent_at && left.command == right.command;
}

constexpr std::size_t rounds = 3'000;

}  // namespace

TEST_CASE("every command is decoded as it was sent") {
  RandomValues random(1);
  for (std::size_t kind = 0; kind < rounds; ++kind) {
    const TableMessage message = random.message(kind);
    const auto decoded = decode_from_table(encode(message));
    REQUIRE(decoded.has_value());
    REQUIRE(std::holds_alternative<TableMessage>(*decoded));
    REQUIRE(same(std::get<TableMessage>(*decoded), message));
  }
}

TEST_CASE("a Hello and every reply are decoded as they were sent") {
  RandomValues random(2);
  for (std::size_t round = 0; round < rounds; ++round) {
    const Hello hello{TableId(random.text()), round % 2 == 0 ? Head{} : random.head(),
                      random.number(), round % 3 == 0 ? std::string() : random.text(),
                      random.several([&random] { return random.head(); })};
    REQUIRE((std::get<Hello>(decode_from_table(encode(hello)).value()) == hello));
    const Heartbeat heartbeat{
        TableId(random.text()), random.below(1'000'000), random.below(2) == 0,
        random.several([&random] {
          return PanelPerson{Badge(random.text()), {random.text()}, random.number()};
        })};
    REQUIRE((std::get<Heartbeat>(decode_from_table(encode(heartbeat)).value()) == heartbeat));
    const TableSignIn sign_in{random.below(1'000'000), Badge(random.text()), random.text(),
                              random.below(2) == 0};
    CHECK(may_be_sign_in(encode(sign_in)));
    CHECK_FALSE(may_be_sign_in(encode(hello)));
    REQUIRE((std::get<TableSignIn>(decode_from_table(encode(sign_in)).value()) == sign_in));
    const TableSignedIn signed_in{random.below(1'000'000),
                                  Refusal::pin_wrong,
                                  Badge(random.text()),
                                  random.text(),
                                  {random.text()},
                                  {random.text(), random.text()},
                                  static_cast<std::uint32_t>(random.below(1'000)),
                                  random.number()};
    REQUIRE((std::get<TableSignedIn>(decode_to_table(encode(ToTable{signed_in})).value()) ==
             signed_in));
    const auto suspended = random.several([&random] {
      return SuspendedLink{LinkId(random.text()), random.text()};
    });
    const auto stopped = random.several([&random] { return LinkId(random.text()); });
    Welcome welcome{TableId(random.text()),
                    MessageNumber(random.number()),
                    random.head(),
                    Refusal::table_unknown,
                    suspended,
                    random.number(),
                    random.several([&random] { return random.head(); }),
                    random.head(),
                    stopped};
    const auto endpoint = [&random] {
      return random.coin() ? "tcp://10.0.0." + std::to_string(random.below(256)) + ":6057" : "";
    };
    welcome.writer = endpoint();
    welcome.nodes = random.several([&] {
      const std::string name = "node-" + std::to_string(random.below(9));
      return NodeAddress{name, key_of(name), endpoint()};
    });
    const auto claims = random.several([&random] {
      return ClaimNotice{ClaimNumber(1 + random.below(1'000'000)),
                         RoundId(random.text()),
                         random.seat(),
                         LinkId(random.text()),
                         LineId(random.text()),
                         LevelId(random.text()),
                         Amount::cents(static_cast<std::int64_t>(random.below(1'000'000))),
                         random.text(),
                         random.text(),
                         random.text(),
                         SlipNumber(random.number()),
                         random.text()};
    });
    HeartbeatAnswer answer{
        TableId(random.text()), suspended, random.below(2) == 0, {Badge(random.text())}, claims};
    answer.stopped = stopped;
    if (random.below(2) == 0) {
      answer.hands = random.several([&random] {
        RoundHands hands{RoundId(random.text()), random.several([&random] {
                           HandNotice hand{random.seat(), EntryNumber(random.number()), {}};
                           hand.cards = {parse_card("As").value(), parse_card("2c").value()};
                           hand.folded = random.below(2) == 0;
                           hand.awards = random.several([&random] {
                             AwardNotice award{random.seat(), LineId(random.text()),
                                               Amount::cents(5), ClaimNumber(1)};
                             award.on_dealer = random.below(2) == 0;
                             return award;
                           });
                           return hand;
                         })};
        hands.take_back = random.several([&random] {
          return AwardNotice{random.seat(), LineId(random.text()), Amount::cents(7), std::nullopt};
        });
        if (random.below(2) == 0) hands.draw = Draw{parse_card("As"), Seat(3)};
        return hands;
      });
    }
    REQUIRE((decode_to_table(encode(ToTable{answer})) == ToTable{answer}));
    REQUIRE((decode_to_table(encode(ToTable{welcome})) == ToTable{welcome}));
    const Acknowledgements acknowledgements{
        random.several([&random] {
          Acknowledgement one{MessageNumber(random.number()), EntryNumber(random.number()),
                              static_cast<Refusal>(random.below(256))};
          if (random.below(2) == 0)
            one.chips_expected = static_cast<std::uint32_t>(random.below(9));
          one.no_contribution = random.below(2) == 0;
          return one;
        }),
        random.head()};
    REQUIRE((decode_to_table(encode(ToTable{acknowledgements})) == ToTable{acknowledgements}));
  }
}

TEST_CASE("a Hello with an incomplete witness hash is rejected") {
  Hello hello{TableId("C4-01")};
  hello.witness.entry = EntryNumber(1);
  std::string bytes = encode(hello);
  REQUIRE(decode_from_table(bytes).has_value());
  // The hash is the last field: remove one byte from it and from the three lengths around it.
  bytes.pop_back();
  for (const std::size_t place : {std::size_t{1}, std::size_t{10}, std::size_t{14}}) --bytes[place];
  CHECK_FALSE(decode_from_table(bytes).has_value());
}

TEST_CASE("a Hello with more restorations than a table keeps is rejected") {
  RandomValues random(5);
  Hello hello{TableId("C4-01")};
  hello.history.assign(limits::reported_restorations_max, random.head());
  CHECK((std::get<Hello>(decode_from_table(encode(hello)).value()) == hello));
  hello.history.push_back(random.head());
  CHECK_FALSE(decode_from_table(encode(hello)).has_value());
}

TEST_CASE("a heartbeat answer has room for all links of a table with the longest reasons") {
  HeartbeatAnswer answer{TableId(std::string(limits::name_length_max, 't')), {}, true};
  for (std::size_t link = 0; link < limits::links_per_table_max; ++link) {
    answer.suspended.push_back({LinkId(std::string(limits::name_length_max, 'l')),
                                std::string(limits::reason_length_max, 'r')});
  }
  answer.stopped.assign(limits::links_per_table_max,
                        LinkId(std::string(limits::name_length_max, 'l')));
  answer.ended.assign(panel_people_max, Badge(std::string(limits::name_length_max, 'b')));
  CHECK((decode_to_table(encode(ToTable{answer})) == ToTable{answer}));
  Welcome welcome{answer.table, MessageNumber(UINT64_MAX), RandomValues(6).head()};
  welcome.suspended = answer.suspended;
  welcome.stopped = answer.stopped;
  welcome.history.assign(limits::reported_restorations_max, welcome.head);
  welcome.again_after = welcome.head;
  welcome.writer = std::string(limits::endpoint_length_max, 'w');
  welcome.nodes.assign(limits::nodes_max,
                       {std::string(limits::name_length_max, 'n'), key_of("a"), welcome.writer});
  CHECK((decode_to_table(encode(ToTable{welcome})) == ToTable{welcome}));
}

TEST_CASE("the nodes of a Welcome are bounded in number and form") {
  Welcome welcome{TableId("T-01"), {}, {}, Refusal::not_the_writer};
  welcome.nodes.assign(limits::nodes_max + 1, {"a", key_of("a"), "tcp://a:6057"});
  const auto told = decode_to_table(encode(ToTable{welcome}));
  REQUIRE(told.has_value());
  CHECK_EQ(std::get<Welcome>(*told).nodes.size(), limits::nodes_max);

  const auto is_read = [](const NodeAddress& node, const std::string& writer = {}) {
    Welcome one{TableId("T-01"), {}, {}, Refusal::none};
    one.writer = writer;
    one.nodes = {node};
    return decode_to_table(encode(ToTable{one})).has_value();
  };
  const NodeAddress good{"a", key_of("a"), ""};
  CHECK(is_read(good));
  CHECK_FALSE(is_read({"", good.key, ""}));
  CHECK_FALSE(is_read({"a", good.key + "x", ""}));
  CHECK_FALSE(is_read({"a", good.key, "tcp://a\n"}));
  CHECK_FALSE(is_read({"a", good.key, std::string(limits::endpoint_length_max + 1, 'e')}));
  CHECK_FALSE(is_read(good, "tcp://a\n"));
}

TEST_CASE("the number of people in a heartbeat is bounded") {
  Heartbeat heartbeat{TableId("T-01")};
  heartbeat.people.assign(panel_people_max + 1, {Badge("D-1"), {"dealer"}});
  const auto heard = decode_from_table(encode(heartbeat));
  REQUIRE(heard.has_value());
  CHECK_EQ(std::get<Heartbeat>(*heard).people.size(), panel_people_max);
}

TEST_CASE("the same message has the same bytes, so a resend is identical") {
  RandomValues random(3), again(3);
  for (std::size_t kind = 0; kind < 100; ++kind) {
    REQUIRE_EQ(encode(random.message(kind)), encode(again.message(kind)));
  }
}

TEST_CASE("a message cut off anywhere is rejected, never read in part") {
  RandomValues random(4);
  for (std::size_t kind = 0; kind < 200; ++kind) {
    const std::string message = encode(random.message(kind));
    for (std::size_t size = 0; size < message.size(); ++size) {
      REQUIRE_FALSE(decode_from_table(message.substr(0, size)).has_value());
    }
  }
  const std::string welcome = encode(ToTable{Welcome{TableId("C4-01"), {}, random.head(), {}}});
  for (std::size_t size = 0; size < welcome.size(); ++size) {
    REQUIRE_FALSE(decode_to_table(welcome.substr(0, size)).has_value());
  }
}

TEST_CASE("any bytes are rejected or decode to a message that can be encoded again") {
  RandomValues random(5);
  std::size_t messages = 0;
  for (std::size_t round = 0; round < 20'000; ++round) {
    // Random bytes are hardly ever a message; damaged messages sometimes are.
    std::string bytes =
        round % 4 == 0 ? random.bytes(random.below(40)) : encode(random.message(round));
    for (std::uint64_t damage = random.below(4); damage > 0 && !bytes.empty(); --damage) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    static_cast<void>(decode_to_table(bytes));
    const auto decoded = decode_from_table(bytes);
    if (!decoded) continue;
    ++messages;
    if (const auto* message = std::get_if<TableMessage>(&*decoded)) {
      const auto again = decode_from_table(encode(*message));
      REQUIRE(again.has_value());
      REQUIRE(same(std::get<TableMessage>(*again), *message));
    }
  }
  CHECK_GT(messages, 1'000);
}

TEST_CASE("a value outside its type is rejected") {
  TableMessage message;
  message.table = TableId("C4-01");
  message.command = CloseRound{RoundId("r1"), Badge()};
  CHECK_FALSE(decode_from_table(encode(message)).has_value());  // number 0
  message.number = MessageNumber(1);
  CHECK(decode_from_table(encode(message)).has_value());
  message.command =
      PlayPot{RoundId("r1"), limits::lifetime_max + Amount::cents(1), {}, false, {}, Badge()};
  CHECK_FALSE(decode_from_table(encode(message)).has_value());
  message.command = VoidRound{RoundId("r1"), "not UTF-8: \xff", Badge()};
  CHECK_FALSE(decode_from_table(encode(message)).has_value());
  message.command = VoidRound{RoundId("r1"), std::string(limits::message_bytes_max, 'x'), Badge()};
  CHECK_FALSE(decode_from_table(encode(message)).has_value());
  message.command = ShowHands{RoundId("r1"), {}, {Card::from_index(52)}, {}, Badge()};
  std::string shown = encode(message);
  CHECK(decode_from_table(shown).has_value());
  shown[shown.rfind('\x34')] = '\x35';  // card 53
  CHECK_FALSE(decode_from_table(shown).has_value());
}

}  // namespace linkmeter::wire_codec_test
