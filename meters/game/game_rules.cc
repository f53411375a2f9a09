#include "meters/game/game_rules.h"

#include <algorithm>

#include "meters/values/enum_names.h"

namespace linkmeter {

namespace {

constexpr EnumNames<Option::any_20, Option::envy_of_non_bettors> option_names{
    "any_20",
    "magic_card",
    "lucky_bonus",
    "payout_limit_caps_meter",
    "fold_forfeits",
    "folded_hand_gives_envy",
    "envy_of_non_bettors"};
constexpr EnumNames<PaymentSource::table_inventory, PaymentSource::hand_pay> source_names{
    "table_inventory", "game_account", "hand_pay"};

}  // namespace

std::string_view name(Option option) { return option_names.of(option); }

std::optional<Option> parse_option(std::string_view text) { return option_names.parse(text); }

std::string_view name(Bonus::Kind kind) {
  return name(kind == Bonus::Kind::magic_card ? Option::magic_card : Option::lucky_bonus);
}

bool is_own_hands(const WagerRules& wager) {
  return wager.decided_by == DecidedBy::player_hand || wager.decided_by == DecidedBy::either_hand;
}

std::string_view name(Placement placement) {
  static constexpr EnumNames<Placement::chip, Placement::layout> names{"chip", "electronic", "pot",
                                                                       "layout"};
  return names.of(placement);
}

std::string_view name(DecidedBy decided_by) {
  static constexpr EnumNames<DecidedBy::player_hand, DecidedBy::either_hand> names{
      "player_hand", "dealer_hand", "pot", "both_hands", "either_hand"};
  return names.of(decided_by);
}

std::string_view name(Sharing sharing) {
  static constexpr EnumNames<Sharing::by_turn, Sharing::proportional> names{
      "by_turn", "equal", "split", "proportional"};
  return names.of(sharing);
}

std::string_view name(Dealing dealing) {
  static constexpr EnumNames<Dealing::stud, Dealing::holdem> names{"stud", "blackjack", "holdem"};
  return names.of(dealing);
}

std::string_view name(Verifier verifier) {
  static constexpr EnumNames<Verifier::floorperson, Verifier::poker_shift_supervisor> names{
      "floorperson", "poker_shift_supervisor"};
  return names.of(verifier);
}

std::string_view name(CardsStay cards_stay) {
  static constexpr EnumNames<CardsStay::nobodys, CardsStay::winners_and_dealers> names{
      "nobodys", "winners", "winners_and_dealers"};
  return names.of(cards_stay);
}

const OptionRule* WagerRules::find_option(Option option) const {
  for (const OptionRule& rule : options) {
    if (rule.option == option) return &rule;
  }
  return nullptr;
}

bool may_be_paid_from(PaymentSource source, Placement placement, bool off_meter,
                      const std::vector<PaymentSource>& barred) {
  if (source == PaymentSource::game_account && placement != Placement::electronic) return false;
  return !off_meter || std::find(barred.begin(), barred.end(), source) == barred.end();
}

bool WagerRules::pays_from(PaymentSource source, bool off_meter) const {
  return may_be_paid_from(source, placement, off_meter, meter_award_not_from);
}

const Line* Paytable::line_for(CategorySet hand) const {
  for (const Line& line : lines) {
    if (hand.has(line.category)) return &line;
  }
  return nullptr;
}

const EnvyLine* Paytable::envy_for(const LineId& line) const {
  for (const EnvyLine& entry : envy) {
    if (entry.line == line) return &entry;
  }
  return nullptr;
}

const Paytable* WagerRules::find_paytable(const PaytableId& paytable) const {
  for (const Paytable& candidate : paytables) {
    if (candidate.id == paytable) return &candidate;
  }
  return nullptr;
}

const GameRules* Catalogue::find_game(const GameId& id) const {
  for (const GameRules& game : games) {
    if (game.id == id) return &game;
  }
  return nullptr;
}

const WagerRules* Catalogue::find_wager(const WagerId& id) const {
  for (const GameRules& game : games) {
    for (const WagerRules& wager : game.wagers) {
      if (wager.id == id) return &wager;
    }
  }
  return nullptr;
}

std::string_view name(PaymentSource source) { return source_names.of(source); }

std::optional<PaymentSource> parse_payment_source(std::string_view text) {
  return source_names.parse(text);
}

}  // namespace linkmeter
