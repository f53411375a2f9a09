#include "config/reader/catalogue_file.h"

#include <doctest/doctest.h>
#include <iterator>
#include <string>
#include <vector>

namespace linkmeter::catalogue_file_test {
namespace {

// The shipped catalogue.
const Catalogue& shipped() {
  static const Catalogue catalogue = [] {
    const auto texts = read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue");
    return std::get<Catalogue>(parse_catalogue(std::get<std::vector<CatalogueText>>(texts)));
  }();
  return catalogue;
}

const WagerRules& wager(const char* id) {
  const WagerRules* const rules = shipped().find_wager(WagerId(id));
  REQUIRE(rules != nullptr);
  return *rules;
}

// The options of a wager with their defaults: "any_20=false".
std::string options_of(const WagerRules& rules) {
  std::string all;
  for (const OptionRule& rule : rules.options) {
    all += (all.empty() ? "" : " ") + std::string(name(rule.option)) +
           (rule.standard ? "=true" : "=false");
    CHECK_FALSE(rule.section.empty());
  }
  return all;
}

// Regulations, matrix of section 1.0 and the defaults of section 5, one row for each wager.
struct Settling {
  const char* wager;
  HandKind hand;
  Placement placement;
  DecidedBy decided_by;
  Sharing sharing;
  bool fold_forfeits;
  bool folded_hand_gives_envy;
  std::optional<std::int64_t> verified_from;
  Verifier verified_by;
  std::vector<PaymentSource> not_from;
  CardsStay cards_stay;
  bool may_be_linked;
  bool has_payout_limit;
  std::size_t paytables;
  const char* options;
};

const std::vector<PaymentSource> none{};
const std::vector<PaymentSource> inventory{PaymentSource::table_inventory};
const std::vector<PaymentSource> account{PaymentSource::game_account};
const std::vector<PaymentSource> hand_pay_alone{PaymentSource::table_inventory,
                                                PaymentSource::game_account};

const std::vector<Settling>& settlings() {
  static const std::vector<Settling> rows{
      {"raise-it-up/progressive", HandKind::three_card, Placement::chip, DecidedBy::player_hand,
       Sharing::by_turn, true, true, 0, Verifier::floorperson, inventory, CardsStay::winners, false,
       false, 1, "folded_hand_gives_envy=true envy_of_non_bettors=true"},
      {"crazy-4/four-card", HandKind::four_card, Placement::chip, DecidedBy::player_hand,
       Sharing::by_turn, true, false, 0, Verifier::floorperson, inventory, CardsStay::winners, true,
       false, 2, "folded_hand_gives_envy=false envy_of_non_bettors=true"},
      {"crazy-4/five-card", HandKind::five_card, Placement::chip, DecidedBy::player_hand,
       Sharing::by_turn, true, false, 0, Verifier::floorperson, inventory, CardsStay::winners, true,
       false, 4, "folded_hand_gives_envy=false envy_of_non_bettors=true"},
      {"crazy-4/five-card-hand-bonus", HandKind::five_card, Placement::electronic,
       DecidedBy::either_hand, Sharing::by_turn, false, false, 500, Verifier::floorperson, account,
       CardsStay::winners_and_dealers, true, false, 1,
       "fold_forfeits=false magic_card=false lucky_bonus=false"},
      {"blackjack/bad-beat", HandKind::twenty_against_dealer, Placement::electronic,
       DecidedBy::both_hands, Sharing::proportional, false, false, 100, Verifier::floorperson,
       hand_pay_alone, CardsStay::winners_and_dealers, false, false, 1,
       "any_20=false magic_card=false lucky_bonus=false fold_forfeits=false"},
      {"blackjack/hit-and-run", HandKind::dealer_cards, Placement::chip, DecidedBy::dealer_hand,
       Sharing::equal, false, false, 100, Verifier::floorperson, inventory,
       CardsStay::winners_and_dealers, false, false, 1, ""},
      {"pai-gow-poker/progressive", HandKind::seven_card, Placement::chip, DecidedBy::player_hand,
       Sharing::by_turn, false, false, 0, Verifier::floorperson, inventory, CardsStay::winners,
       false, true, 1, "payout_limit_caps_meter=false"},
      {"pai-gow-poker/fortune-bonus", HandKind::seven_card, Placement::layout,
       DecidedBy::player_hand, Sharing::by_turn, false, true, std::nullopt, Verifier::floorperson,
       none, CardsStay::nobodys, true, true, 4, ""},
      {"pai-gow-poker/emperors-treasure", HandKind::seven_card, Placement::layout,
       DecidedBy::player_hand, Sharing::by_turn, false, true, std::nullopt, Verifier::floorperson,
       none, CardsStay::nobodys, true, true, 4, ""},
      {"three-card-prime/bad-beat-bonus", HandKind::three_card_beaten, Placement::layout,
       DecidedBy::both_hands, Sharing::by_turn, true, false, std::nullopt, Verifier::floorperson,
       none, CardsStay::nobodys, true, true, 2, ""},
      {"poker/bad-beat", HandKind::best_of_seven, Placement::pot, DecidedBy::pot, Sharing::split,
       true, false, 0, Verifier::poker_shift_supervisor, hand_pay_alone, CardsStay::nobodys, true,
       false, 1, ""},
  };
  return rows;
}

}  // namespace

TEST_CASE("the shipped catalogue has six chapters") {
  struct Chapter {
    const char* game;
    const char* chapter;
    const char* effective;
    const char* status;
    int seats_max;
    int decks;
    bool decks_vary;
    bool joker;
    bool folds;
    std::size_t player_cards;  // at most
    std::size_t dealer_cards;
    Dealing dealing;
  };
  const Chapter chapters[] = {
      {"raise-it-up", "669a", "2016-08-27", "final", 6, 1, false, false, true, 3, 3, Dealing::stud},
      {"crazy-4", "657a", "2019-08-31", "final", 6, 1, false, false, true, 5, 5, Dealing::stud},
      {"blackjack", "633a", "2012-05-19", "final", 7, 8, true, false, true, 24, 24,
       Dealing::blackjack},
      {"pai-gow-poker", "645a", "2012-05-19", "final", 6, 1, false, true, false, 7, 7,
       Dealing::stud},
      {"three-card-prime", "679a", "", "proposed", 6, 1, false, false, false, 3, 3, Dealing::stud},
      {"poker", "553", "2010-03-06", "temporary", 10, 1, false, false, true, 2, 0, Dealing::holdem},
  };
  CHECK_EQ(shipped().games.size(), std::size(chapters));
  for (const Chapter& chapter : chapters) {
    CAPTURE(chapter.game);
    const GameRules* const game = shipped().find_game(GameId(chapter.game));
    REQUIRE(game != nullptr);
    CHECK_EQ(game->chapter, chapter.chapter);
    CHECK_EQ(game->effective, chapter.effective);
    CHECK_EQ(game->status, chapter.status);
    CHECK_EQ(int{game->seats_max}, chapter.seats_max);
    CHECK_EQ(game->decks_default, chapter.decks);
    CHECK_EQ(game->decks_vary, chapter.decks_vary);
    CHECK_EQ(game->joker, chapter.joker);
    CHECK_EQ(game->folds, chapter.folds);
    CHECK_EQ(game->player_cards_max, chapter.player_cards);
    CHECK_EQ(game->dealer_cards_max, chapter.dealer_cards);
    CHECK(game->dealing == chapter.dealing);
    CHECK_FALSE(game->seats_section.empty());
    CHECK_FALSE(game->cards_section.empty());
  }
  CHECK(shipped().find_game(GameId("no-game")) == nullptr);
  CHECK(shipped().find_wager(WagerId("poker/no-wager")) == nullptr);
}

TEST_CASE("each wager is settled as its chapter says") {
  std::size_t wagers = 0;
  for (const GameRules& game : shipped().games) wagers += game.wagers.size();
  CHECK_EQ(wagers, settlings().size());
  for (const Settling& row : settlings()) {
    CAPTURE(row.wager);
    const WagerRules& rules = wager(row.wager);
    CHECK(rules.hand == row.hand);
    CHECK(rules.placement == row.placement);
    CHECK(rules.decided_by == row.decided_by);
    CHECK(rules.sharing == row.sharing);
    CHECK_EQ(rules.fold_forfeits, row.fold_forfeits);
    CHECK_EQ(rules.folded_hand_gives_envy, row.folded_hand_gives_envy);
    CHECK(rules.envy_of_non_bettors);
    CHECK(rules.verified_from == row.verified_from);
    CHECK(rules.verified_by == row.verified_by);
    CHECK(rules.meter_award_not_from == row.not_from);
    CHECK(rules.cards_stay == row.cards_stay);
    CHECK_EQ(rules.may_be_linked, row.may_be_linked);
    CHECK_FALSE(rules.linked_section.empty());
    CHECK_EQ(rules.payout_limit.has_value(), row.has_payout_limit);
    if (rules.payout_limit) CHECK_EQ(rules.payout_limit->at_least, Amount::dollars(50'000));
    CHECK_EQ(rules.paytables.size(), row.paytables);
    CHECK_EQ(options_of(rules), row.options);
    CHECK_FALSE(rules.section.empty());
  }
  CHECK(wager("crazy-4/five-card-hand-bonus").dealer_sharing == Sharing::equal);
  CHECK_EQ(wager("pai-gow-poker/progressive").payout_limit->section, "§ 645a.13(f)");
  CHECK_EQ(wager("three-card-prime/bad-beat-bonus").payout_limit->section, "§ 679a.12(h)");
}

TEST_CASE("the first line in paytable order that the hand satisfies pays") {
  const Paytable* const found = wager("crazy-4/five-card").find_paytable(PaytableId("A"));
  REQUIRE(found != nullptr);
  const Paytable& table = *found;
  CategorySet royal;
  royal.add(HandCategory::flush).add(HandCategory::straight_flush).add(HandCategory::royal_flush);
  REQUIRE(table.line_for(royal) != nullptr);
  CHECK_EQ(table.line_for(royal)->id.text(), "royal_flush");
  CategorySet pair;
  pair.add(HandCategory::pair);
  CHECK(table.line_for(pair) == nullptr);
  CHECK(table.envy_for(LineId("straight_flush")) != nullptr);
  CHECK(table.envy_for(LineId("flush")) == nullptr);
}

TEST_CASE("three-of-a-kind at 3 to 1 is above a straight at 2 to 1 (A-72)") {
  CategorySet both;
  both.add(HandCategory::straight).add(HandCategory::three_of_a_kind);
  for (const char* id : {"pai-gow-poker/fortune-bonus", "pai-gow-poker/emperors-treasure"}) {
    for (const Paytable& paytable : wager(id).paytables) {
      const Line* const line = paytable.line_for(both);
      REQUIRE(line != nullptr);
      CHECK_EQ(line->id.text(), "three_of_a_kind");
    }
  }
}

}  // namespace linkmeter::catalogue_file_test
