#include "meters/game/game_rules.h"

#include <algorithm>
#include <array>

namespace linkmeter {

namespace {

constexpr std::array<std::string_view, 7> option_names{"any_20",
                                                       "magic_card",
                                                       "lucky_bonus",
                                                       "payout_limit_caps_meter",
                                                       "fold_forfeits",
                                                       "folded_hand_gives_envy",
                                                       "envy_of_non_bettors"};

}  // namespace

std::string_view name(Option option) { return option_names[static_cast<std::size_t>(option)]; }

std::optional<Option> parse_option(std::string_view text) {
  const auto found = std::find(option_names.begin(), option_names.end(), text);
  if (found == option_names.end()) return std::nullopt;
  return static_cast<Option>(found - option_names.begin());
}

std::string_view name(Bonus::Kind kind) {
  return name(kind == Bonus::Kind::magic_card ? Option::magic_card : Option::lucky_bonus);
}

bool is_own_hands(const WagerRules& wager) {
  return wager.decided_by == DecidedBy::player_hand || wager.decided_by == DecidedBy::either_hand;
}

std::string_view name(Placement placement) {
  switch (placement) {
    case Placement::chip: return "chip";
    case Placement::electronic: return "electronic";
    case Placement::pot: return "pot";
    case Placement::layout: return "layout";
  }
  return "unknown";
}

std::string_view name(DecidedBy decided_by) {
  switch (decided_by) {
    case DecidedBy::player_hand: return "player_hand";
    case DecidedBy::dealer_hand: return "dealer_hand";
    case DecidedBy::pot: return "pot";
    case DecidedBy::both_hands: return "both_hands";
    case DecidedBy::either_hand: return "either_hand";
  }
  return "unknown";
}

std::string_view name(Sharing sharing) {
  switch (sharing) {
    case Sharing::by_turn: return "by_turn";
    case Sharing::equal: return "equal";
    case Sharing::split: return "split";
    case Sharing::proportional: return "proportional";
  }
  return "unknown";
}

std::string_view name(Dealing dealing) {
  switch (dealing) {
    case Dealing::stud: return "stud";
    case Dealing::blackjack: return "blackjack";
    case Dealing::holdem: return "holdem";
  }
  return "unknown";
}

std::string_view name(Verifier verifier) {
  switch (verifier) {
    case Verifier::floorperson: return "floorperson";
    case Verifier::poker_shift_supervisor: return "poker_shift_supervisor";
  }
  return "unknown";
}

std::string_view name(CardsStay cards_stay) {
  switch (cards_stay) {
    case CardsStay::nobodys: return "nobodys";
    case CardsStay::winners: return "winners";
    case CardsStay::winners_and_dealers: return "winners_and_dealers";
  }
  return "unknown";
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

std::string_view name(PaymentSource source) {
  switch (source) {
    case PaymentSource::table_inventory: return "table_inventory";
    case PaymentSource::game_account: return "game_account";
    case PaymentSource::hand_pay: return "hand_pay";
  }
  return "unknown";
}

std::optional<PaymentSource> parse_payment_source(std::string_view text) {
  for (const PaymentSource source : payment_sources) {
    if (name(source) == text) return source;
  }
  return std::nullopt;
}

}  // namespace linkmeter
