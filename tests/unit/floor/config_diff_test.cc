#include "meters/floor/config_diff.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace linkmeter::config_diff_test {

namespace {

using Lines = std::vector<std::string>;

template <class Rules>
struct Change {
  std::function<void(Rules&)> make;
  Lines told;
};

Amount dollars(std::int64_t count) { return Amount::dollars(count); }

Pays for_one(std::int64_t multiple) { return {Pays::Kind::for_one, {}, {}, multiple}; }

// Two levels, three lines, two envies, both bonuses: something of everything.
LinkRules some_rules() {
  LinkRules link;
  link.wager.id = WagerId("g/w");
  link.wager.game = GameId("g");
  link.wager.verified_from = 0;
  link.wager.meter_award_not_from = {PaymentSource::table_inventory};
  link.wager.payout_limit = PayoutLimitRule{dollars(50'000), ""};
  Paytable& paytable = link.paytable;
  paytable.id = PaytableId("A");
  paytable.levels.resize(2);
  paytable.levels[0].id = LevelId("mega");
  paytable.levels[0].seed_for_one = 5'000;
  paytable.levels[0].rate = Rate::from_ppm(90'000);
  paytable.levels[1].id = LevelId("major");
  paytable.levels[1].seed_min = dollars(1'000);
  paytable.levels[1].seed_for_one_min = 200;
  paytable.levels[1].rate_min = Rate::from_ppm(50'000);
  paytable.reserve_rate = Rate();
  const Pays whole{Pays::Kind::meter, LevelIndex(0), Rate::from_ppm(1'000'000), 0};
  paytable.lines = {{LineId("royal_flush"), HandCategory::royal_flush, whole, "", {}},
                    {LineId("flush"), HandCategory::flush, for_one(50), "", {}},
                    {LineId("straight"), HandCategory::straight, for_one(2), "", {}}};
  paytable.envy = {{LineId("royal_flush"), {{dollars(1), dollars(1'000), false}}, ""},
                   {LineId("flush"), {{dollars(5), dollars(20), true}}, ""}};
  paytable.bonuses = {{Bonus::Kind::magic_card, 20, 2, ""}, {Bonus::Kind::lucky_bonus, 5, 0, ""}};
  return link;
}

Lines told(const LinkRules& before, const LinkRules& after) {
  Lines lines;
  compare_rules(lines, "L", before, after);
  return lines;
}

void check_each(const std::vector<Change<LinkRules>>& changes) {
  for (const Change<LinkRules>& change : changes) {
    LinkRules other = some_rules();
    change.make(other);
    const LinkRules before = some_rules();
    REQUIRE_FALSE(before == other);
    CAPTURE(change.told.front());
    CHECK(told(before, other) == change.told);
  }
}

Change<LinkRules> of_wager(std::function<void(WagerRules&)> make, std::string line) {
  return {[make = std::move(make)](LinkRules& link) { make(link.wager); }, {std::move(line)}};
}

Change<LinkRules> of_paytable(std::function<void(Paytable&)> make, Lines lines) {
  return {[make = std::move(make)](LinkRules& link) { make(link.paytable); }, std::move(lines)};
}

}  // namespace

TEST_CASE("equal rules have no difference") {
  CHECK(told(some_rules(), some_rules()).empty());
  Lines lines;
  compare_rules(lines, "g", GameRules(), GameRules());
  CHECK(lines.empty());
}

// Each binding names every field of its type. A new field does not compile until it has a line in
// the comparison and a change in the cases below.
TEST_CASE("every difference of a link's rules has a line, unless only people read it") {
  const LinkRules link = some_rules();
  [[maybe_unused]] const auto& [wager, paytable] = link;
  [[maybe_unused]] const auto& [id, game, title, section, hand, placement, decided_by, sharing,
                                fold_forfeits, folded_hand_gives_envy, verified_from, not_from,
                                may_be_linked, linked_section, paytables, dealer_sharing,
                                envy_of_non_bettors, verified_by, cards_stay, options, payout_limit,
                                settled_at] = wager;
  [[maybe_unused]] const auto& [paytable_id, levels, reserve_rate, lines, envy, paytable_section,
                                bonuses] = paytable;
  [[maybe_unused]] const auto& [level_id, seed_for_one, reseed_for_one, seed_min, seed_for_one_min,
                                rate, rate_min, level_section] = levels[0];
  [[maybe_unused]] const auto& [line_id, category, pays, line_section, option] = lines[0];
  [[maybe_unused]] const auto& [kind, level, share, multiple] = pays;
  [[maybe_unused]] const auto& [envy_line, by_wager, envy_section] = envy[0];
  [[maybe_unused]] const auto& [step_wager, step_amount, or_more] = by_wager[0];
  [[maybe_unused]] const auto& [bonus_kind, bonus_multiple, first_cards, bonus_section] =
      bonuses[0];
  [[maybe_unused]] const auto& [at_least, limit_section] = *payout_limit;
  const GameRules rules;
  [[maybe_unused]] const auto& [game_id, game_title, chapter, source, effective, status, dealing,
                                seats_max, seats_section, decks_default, decks_vary, joker, folds,
                                cards_section, player_min, player_max, dealer_min, dealer_max,
                                board_max, wagers] = rules;
  CHECK(told(link, link).empty());
}

TEST_CASE("every rule of a wager that differs has a line") {
  check_each({
      of_wager([](auto& w) { w.hand = HandKind::four_card; }, "L hand five_card -> four_card"),
      of_wager([](auto& w) { w.settled_at = 2; }, "L settled in turn 1 -> 3"),
      of_wager([](auto& w) { w.placement = Placement::layout; }, "L placement chip -> layout"),
      of_wager([](auto& w) { w.decided_by = DecidedBy::both_hands; },
               "L decided_by player_hand -> both_hands"),
      of_wager([](auto& w) { w.sharing = Sharing::proportional; },
               "L sharing by_turn -> proportional"),
      of_wager([](auto& w) { w.dealer_sharing = Sharing::proportional; },
               "L sharing dealer_hand equal -> proportional"),
      of_wager([](auto& w) { w.fold_forfeits = true; }, "L fold_forfeits false -> true"),
      of_wager([](auto& w) { w.folded_hand_gives_envy = true; },
               "L folded_hand_gives_envy false -> true"),
      of_wager([](auto& w) { w.envy_of_non_bettors = false; },
               "L envy_of_non_bettors true -> false"),
      of_wager([](auto& w) { w.verified_from = 500; }, "L verified from 0 for 1 -> 500 for 1"),
      of_wager([](auto& w) { w.verified_from.reset(); }, "L verified from 0 for 1 -> none"),
      of_wager([](auto& w) { w.verified_by = Verifier::poker_shift_supervisor; },
               "L verified by floorperson -> poker_shift_supervisor"),
      of_wager([](auto& w) { w.meter_award_not_from.push_back(PaymentSource::game_account); },
               "L meter_award not_from table_inventory -> table_inventory, game_account"),
      of_wager([](auto& w) { w.meter_award_not_from.clear(); },
               "L meter_award not_from table_inventory -> none"),
      of_wager([](auto& w) { w.cards_stay = CardsStay::winners; },
               "L meter_award cards_stay nobodys -> winners"),
      of_wager([](auto& w) { w.may_be_linked = true; }, "L linked allowed false -> true"),
      of_wager([](auto& w) { w.payout_limit->at_least = dollars(60'000); },
               "L payout_limit at_least $50000.00 -> $60000.00"),
      of_wager([](auto& w) { w.payout_limit.reset(); },
               "L payout_limit at_least $50000.00 -> none"),
  });
}

TEST_CASE("every figure of a paytable that differs has a line") {
  check_each({
      of_paytable([](auto& p) { p.lines[2].pays.multiple = 700; },
                  {"L straight pays 2 for 1 -> 700 for 1"}),
      of_paytable([](auto& p) { p.lines[2].pays.kind = Pays::Kind::to_one; },
                  {"L straight pays 2 for 1 -> 2 to 1"}),
      of_paytable([](auto& p) { p.lines[0].pays.share = Rate::from_ppm(100'000); },
                  {"L royal_flush pays 100% of mega -> 10% of mega"}),
      of_paytable([](auto& p) { p.lines[0].pays.level = LevelIndex(1); },
                  {"L royal_flush pays 100% of mega -> 100% of major"}),
      of_paytable([](auto& p) { p.lines[2].category = HandCategory::flush; },
                  {"L straight hand straight -> flush"}),
      of_paytable([](auto& p) { p.lines[2].option = Option::any_20; },
                  {"L any_20 false -> true", "L straight option none -> any_20"}),
      of_paytable([](auto& p) { p.lines.erase(p.lines.begin() + 1); },
                  {"L flush pays 50 for 1 -> nothing"}),
      of_paytable(
          [](auto& p) {
            p.lines.push_back({LineId("pair"), {}, for_one(1), "", {}});
          },
          {"L pair pays nothing -> 1 for 1"}),
      // It takes the award of the straight below it.
      of_paytable(
          [](auto& p) {
            p.lines.insert(p.lines.begin() + 1, {LineId("pair"), {}, for_one(1), "", {}});
          },
          {"L pair pays nothing -> 1 for 1",
           "L order of lines royal_flush, flush, straight -> royal_flush, pair, flush, straight"}),
      of_paytable(
          [](auto& p) { std::swap(p.lines[1], p.lines[2]); },
          {"L order of lines royal_flush, flush, straight -> royal_flush, straight, flush"}),
      of_paytable([](auto& p) { p.envy[0].by_wager[0].amount = dollars(500); },
                  {"L royal_flush envy on $1.00 $1000.00 -> $500.00"}),
      of_paytable([](auto& p) { p.envy[1].by_wager[0].or_more = false; },
                  {"L flush envy on $5.00 or more $20.00 -> nothing",
                   "L flush envy on $5.00 nothing -> $20.00"}),
      of_paytable([](auto& p) { p.envy[1].by_wager[0].wager = dollars(1); },
                  {"L flush envy on $5.00 or more $20.00 -> nothing",
                   "L flush envy on $1.00 or more nothing -> $20.00"}),
      of_paytable([](auto& p) { p.envy.pop_back(); },
                  {"L flush envy on $5.00 or more $20.00 -> nothing"}),
      of_paytable(
          [](auto& p) {
            p.envy.push_back({LineId("straight"), {{dollars(1), dollars(2), false}}, ""});
          },
          {"L straight envy on $1.00 nothing -> $2.00"}),
      of_paytable([](auto& p) { p.bonuses[0].multiple = 30; },
                  {"L magic_card pays 20 for 1 on the first 2 cards -> "
                   "30 for 1 on the first 2 cards"}),
      of_paytable([](auto& p) { p.bonuses[0].first_cards = 0; },
                  {"L magic_card pays 20 for 1 on the first 2 cards -> 20 for 1"}),
      of_paytable([](auto& p) { p.bonuses.pop_back(); },
                  {"L lucky_bonus true -> false", "L lucky_bonus pays 5 for 1 -> nothing"}),
      of_paytable([](auto& p) { p.levels[0].seed_for_one = 6'000; },
                  {"L mega seed in the chapter 5000 for 1 -> 6000 for 1"}),
      of_paytable([](auto& p) { p.levels[0].reseed_for_one = 0; },
                  {"L mega reseed in the chapter none -> 0 for 1"}),
      of_paytable([](auto& p) { p.levels[1].seed_min = dollars(2'000); },
                  {"L major seed_at_least in the chapter $1000.00, 200 for 1 -> "
                   "$2000.00, 200 for 1"}),
      of_paytable([](auto& p) { p.levels[1].seed_for_one_min.reset(); },
                  {"L major seed_at_least in the chapter $1000.00, 200 for 1 -> $1000.00"}),
      of_paytable([](auto& p) { p.levels[0].rate = Rate::from_ppm(100'000); },
                  {"L mega rate in the chapter 9% -> 10%"}),
      of_paytable([](auto& p) { p.levels[1].rate_min = Rate::from_ppm(60'000); },
                  {"L major rate_at_least in the chapter 5% -> 6%"}),
      of_paytable([](auto& p) { p.reserve_rate = Rate::from_ppm(80'000); },
                  {"L reserve rate in the chapter 0% -> 8%"}),
      of_paytable([](auto& p) { p.reserve_rate.reset(); },
                  {"L reserve rate in the chapter 0% -> none"}),
  });
}

TEST_CASE("a difference without its own line is still reported") {
  LinkRules other = some_rules();
  other.wager.game = GameId("h");
  other.paytable.lines[2].pays.multiple = 3;
  CHECK(told(some_rules(), other) ==
        Lines{"L straight pays 2 for 1 -> 3 for 1", "L other rules of g/w"});
}

TEST_CASE("another paytable id hides no difference") {
  LinkRules other = some_rules();
  other.paytable.id = PaytableId("B");
  CHECK(told(some_rules(), other).empty());
  other.paytable.lines[2].pays.multiple = 700;
  CHECK(told(some_rules(), other) == Lines{"L straight pays 2 for 1 -> 700 for 1"});
}

TEST_CASE("every rule of a game that differs has a line") {
  const std::vector<Change<GameRules>> changes{
      {[](auto& g) { g.dealing = Dealing::holdem; }, {"g cards dealing stud -> holdem"}},
      {[](auto& g) { g.seats_max = 7; }, {"g seats max 6 -> 7"}},
      {[](auto& g) { g.decks_default = 2; }, {"g cards decks 1 -> 2"}},
      {[](auto& g) { g.decks_vary = true; }, {"g cards decks_vary false -> true"}},
      {[](auto& g) { g.joker = true; }, {"g cards joker false -> true"}},
      {[](auto& g) { g.folds = false; }, {"g cards folds true -> false"}},
      {[](auto& g) { g.player_cards_min = 5; }, {"g cards player min 0 -> 5"}},
      {[](auto& g) { g.player_cards_max = 5; }, {"g cards player max 0 -> 5"}},
      {[](auto& g) { g.dealer_cards_min = 5; }, {"g cards dealer min 0 -> 5"}},
      {[](auto& g) { g.dealer_cards_max = 5; }, {"g cards dealer max 0 -> 5"}},
      {[](auto& g) { g.board_cards_max = 5; }, {"g cards board_max 0 -> 5"}},
      {[](auto& g) { g.id = GameId("h"); }, {"g other rules of g"}},
  };
  for (const Change<GameRules>& change : changes) {
    GameRules other;
    change.make(other);
    Lines lines;
    compare_rules(lines, "g", GameRules(), other);
    CAPTURE(change.told.front());
    CHECK(lines == change.told);
  }
}

TEST_CASE("added and removed levels and bonuses have lines") {
  const auto told_of = [](const std::function<void(Paytable&)>& make) {
    LinkRules other = some_rules();
    make(other.paytable);
    return std::pair(told(some_rules(), other), told(other, some_rules()));
  };
  const auto [gone, come] = told_of([](Paytable& paytable) { paytable.levels.pop_back(); });
  CHECK(gone == Lines{"L level major is taken away"});
  CHECK(come == Lines{"L level major is a new one"});
  const auto [lost, won] = told_of([](Paytable& paytable) { paytable.bonuses.pop_back(); });
  const auto has_pays = [](const Lines& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("L lucky_bonus pays ");
    });
  };
  CHECK(has_pays(lost));
  CHECK(has_pays(won));
  CHECK(lost != won);
  const auto [no_dollars, dollars_too] =
      told_of([](Paytable& paytable) { paytable.levels[1].seed_min.reset(); });
  CHECK(no_dollars == Lines{"L major seed_at_least in the chapter $1000.00, 200 for 1 -> "
                            "200 for 1"});
  CHECK(dollars_too == Lines{"L major seed_at_least in the chapter 200 for 1 -> "
                             "$1000.00, 200 for 1"});
}

TEST_CASE("values are written as in the floor file, and no fraction is rounded to zero") {
  CHECK_EQ(shown(Amount::cents(5)), "$0.05");
  CHECK_EQ(shown(Amount::from_units(1)), "$0.00000001");
  CHECK_EQ(shown(std::int64_t{7}), "7");
  CHECK_EQ(shown(true), "true");
  CHECK_EQ(shown(std::string("a b")), "\"a b\"");
}

}  // namespace linkmeter::config_diff_test
