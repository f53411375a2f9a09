#include "config/reader/wager_reader.h"

#include <algorithm>

#include "config/reader/paytable_reader.h"
#include "meters/game/game_rules.h"
#include "meters/state/claim.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

bool has_meter(const WagerRules& wager) {
  return std::any_of(wager.paytables.begin(), wager.paytables.end(),
                     [](const Paytable& paytable) { return !paytable.levels.empty(); });
}

void read_sharing(TomlTable& table, std::optional<DecidedBy> decided_by, WagerRules& wager) {
  table.rule("sharing", Need::required, [&](TomlTable& sharing) {
    wager.sharing =
        sharing
            .choice("kind", Need::required,
                    {Sharing::by_turn, Sharing::equal, Sharing::split, Sharing::proportional})
            .value_or(Sharing::by_turn);
    if (decided_by == DecidedBy::either_hand) {
      wager.dealer_sharing =
          sharing.choice("dealer_hand", Need::required, {Sharing::equal, Sharing::proportional})
              .value_or(Sharing::equal);
    } else if (sharing.has("dealer_hand")) {
      sharing.expect({"dealer_hand"});
      // decided_by may be invalid; that was reported already.
      if (decided_by) sharing.refuse("dealer_hand", "is for wagers that either_hand decides");
    }
  });
}

void read_meter_award(TomlTable& table, WagerRules& wager) {
  table.rule(
      "meter_award", has_meter(wager) ? Need::required : Need::optional, [&](TomlTable& award) {
        if (!has_meter(wager)) {
          table.refuse("meter_award", "stands here, but no paytable of the wager has levels");
        }
        for (const TomlText& source : award.texts("not_from", Need::required)) {
          if (const auto parsed = parse_payment_source(source.text)) {
            wager.meter_award_not_from.push_back(*parsed);
          } else {
            award.refuse_at(source.line, "meter_award.not_from holds \"" + source.text +
                                             "\"; a source is table_inventory, game_account or " +
                                             "hand_pay");
          }
        }
        wager.cards_stay =
            award
                .choice("cards_stay", Need::optional,
                        {CardsStay::nobodys, CardsStay::winners, CardsStay::winners_and_dealers})
                .value_or(CardsStay::nobodys);
      });
}

// Reads the rules that are one table each, so that each has its own section.
void read_settling(TomlTable& table, std::optional<DecidedBy> decided_by, WagerRules& wager) {
  read_sharing(table, decided_by, wager);
  table.rule("fold", Need::required, [&](TomlTable& fold) {
    fold.read({{"forfeits", &wager.fold_forfeits},
               {"gives_envy", &wager.folded_hand_gives_envy, Need::optional}});
  });
  table.rule("verified", Need::required, [&](TomlTable& verified) {
    wager.verified_from = verified.integer("from", Need::optional, 0, limits::multiple_max);
    wager.verified_by =
        verified
            .choice("by", Need::optional, {Verifier::floorperson, Verifier::poker_shift_supervisor})
            .value_or(Verifier::floorperson);
  });
  wager.linked_section = table.rule("linked", Need::required, [&](TomlTable& linked) {
    linked.read({{"allowed", &wager.may_be_linked}});
  });
  PayoutLimitRule limit;
  limit.section = table.rule("payout_limit", Need::optional, [&](TomlTable& rule) {
    rule.read({{"at_least", &limit.at_least}});
    wager.payout_limit.emplace();
  });
  if (wager.payout_limit) wager.payout_limit = std::move(limit);
}

// Reads an option with its rule; nullopt: the table names none.
std::optional<OptionRule> read_option(TomlTable& table) {
  OptionRule rule;
  const std::optional<std::string> word = table.text("name", Need::required);
  table.read({{"default", &rule.standard}, {"section", &rule.section}});
  table.finish();
  if (!word) return std::nullopt;
  const std::optional<Option> option = parse_option(*word);
  if (!option) {
    table.refuse("name", "is \"" + *word + "\"; no option has that name");
    return std::nullopt;
  }
  rule.option = *option;
  return rule;
}

void read_paytables(TomlTable& table, WagerRules& wager, const std::string& place) {
  for (TomlTable& row : table.tables("paytable", Need::required)) {
    const std::string id = row.has("id") ? row.name("id", Need::optional).value_or("") : "";
    std::string where = place;
    if (!id.empty()) where.append(" paytable ").append(id);
    row.set_place(where);
    Paytable paytable = read_paytable(row, wager);
    if (wager.find_paytable(paytable.id) != nullptr) {
      row.refuse("id", "is \"" + id + "\" a second time");
    }
    wager.paytables.push_back(std::move(paytable));
  }
  if (table.is_empty_array("paytable")) table.refuse("paytable", "holds no paytable");
  if (wager.paytables.size() > 1 && wager.find_paytable(PaytableId()) != nullptr) {
    table.refuse("paytable",
                 "has one without id beside others; only a single paytable may be nameless");
  }
}

// What the option lacks to have an effect; "": nothing.
std::string missing_for(Option option, const WagerRules& wager) {
  const auto in_a_paytable = [&](auto holds) {
    return std::any_of(wager.paytables.begin(), wager.paytables.end(), holds);
  };
  const auto has_bonus = [&](Bonus::Kind kind) {
    return in_a_paytable([&](const Paytable& paytable) {
      return std::any_of(paytable.bonuses.begin(), paytable.bonuses.end(),
                         [&](const Bonus& bonus) { return bonus.kind == kind; });
    });
  };
  switch (option) {
    case Option::any_20:
      return in_a_paytable([](const Paytable& paytable) {
        return std::any_of(paytable.lines.begin(), paytable.lines.end(),
                           [](const Line& line) { return line.option == Option::any_20; });
      })
                 ? ""
                 : "no line of a paytable has it";
    case Option::magic_card:
      return has_bonus(Bonus::Kind::magic_card) ? "" : "no paytable has that bonus";
    case Option::lucky_bonus:
      return has_bonus(Bonus::Kind::lucky_bonus) ? "" : "no paytable has that bonus";
    case Option::payout_limit_caps_meter:
      if (!wager.payout_limit) return "the wager has no payout_limit";
      return has_meter(wager) ? "" : "no paytable has levels";
    case Option::fold_forfeits: return "";
    case Option::folded_hand_gives_envy:
    case Option::envy_of_non_bettors:
      return in_a_paytable([](const Paytable& paytable) { return !paytable.envy.empty(); })
                 ? ""
                 : "no paytable has an envy schedule";
  }
  return "";
}

// Checks that the default of the option agrees with the rule that it decides.
void check_option(TomlTable& table, const OptionRule& rule, const WagerRules& wager) {
  const std::string missing = missing_for(rule.option, wager);
  if (!missing.empty()) {
    table.refuse("name", "is " + std::string(name(rule.option)) + ", but " + missing);
  }
  const bool other_than_fold =
      (rule.option == Option::fold_forfeits && rule.standard != wager.fold_forfeits) ||
      (rule.option == Option::folded_hand_gives_envy &&
       rule.standard != wager.folded_hand_gives_envy);
  if (other_than_fold) table.refuse("default", "is not what fold says; write the same in both");
}

// Whether the sharing fits the wager: winners who win a meter together share it; winners by turn do
// not.
bool sharing_fits(const WagerRules& wager) {
  const bool shared = wager.sharing == Sharing::equal || wager.sharing == Sharing::proportional;
  const bool together = has_meter(wager) && (wager.decided_by == DecidedBy::dealer_hand ||
                                             wager.decided_by == DecidedBy::both_hands);
  return shared == together;
}

void check_settling(TomlTable& table, const WagerRules& wager) {
  const int pot_rules = (wager.placement == Placement::pot ? 1 : 0) +
                        (wager.decided_by == DecidedBy::pot ? 1 : 0) +
                        (wager.sharing == Sharing::split ? 1 : 0);
  if (pot_rules == 1 || pot_rules == 2) {
    table.refuse("placement", "pot, decided_by pot and sharing split go together");
    return;
  }
  if (pot_rules == 0 && !sharing_fits(wager)) {
    table.refuse("sharing", "is equal or proportional where one hand of the dealer wins a meter " +
                                std::string("for several, and by_turn elsewhere"));
  }
  if (wager.placement == Placement::layout && has_meter(wager)) {
    table.refuse("placement", "is layout, where no sensor counts what feeds a meter");
  }
  const bool has_envy =
      std::any_of(wager.paytables.begin(), wager.paytables.end(),
                  [](const Paytable& paytable) { return !paytable.envy.empty(); });
  if (has_envy && wager.decided_by != DecidedBy::player_hand) {
    table.refuse("decided_by", "must be player_hand; an envy is brought by the hand of a player");
  }
}

bool counts_fit(HandKind kind, std::size_t least, std::size_t most, std::size_t board) {
  for (std::size_t count = std::max<std::size_t>(least, 1); count <= most; ++count) {
    if (!card_count_fits(kind, count + board)) return false;
  }
  return most > 0;
}

// Whether every hand that the game's card counts allow can be evaluated as the wager's kind of
// hand. A hand without cards was not shown.
bool hands_fit(const GameRules& game, const WagerRules& wager) {
  const std::size_t board = wager.decided_by == DecidedBy::pot ? game.board_cards_max : 0;
  const bool of_player =
      counts_fit(wager.hand, game.player_cards_min, game.player_cards_max, board);
  const bool of_dealer = counts_fit(wager.hand, game.dealer_cards_min, game.dealer_cards_max, 0);
  switch (wager.decided_by) {
    case DecidedBy::player_hand:
    case DecidedBy::pot: return of_player;
    case DecidedBy::dealer_hand: return of_dealer;
    case DecidedBy::either_hand: return of_player && of_dealer;
    case DecidedBy::both_hands: break;
  }
  for (std::size_t count = std::max<std::size_t>(game.dealer_cards_min, 1);
       count <= game.dealer_cards_max; ++count) {
    if (!dealer_count_fits(wager.hand, count)) return false;
  }
  return of_player && game.dealer_cards_max > 0;
}

void check_hand(TomlTable& table, const GameRules& game, const WagerRules& wager) {
  if (depends_on_dealer_hand(wager.hand) != (wager.decided_by == DecidedBy::both_hands)) {
    table.refuse("decided_by", "both_hands and a hand that is weighed against the dealer's, " +
                                   std::string("twenty_against_dealer or three_card_beaten, ") +
                                   "go together");
  } else if (!hands_fit(game, wager)) {
    table.refuse("hand", "does not fit the number of cards that [cards] allows");
  } else if (game.joker && wager.hand != HandKind::seven_card) {
    table.refuse("hand",
                 "is " + std::string(name(wager.hand)) + ", which knows no joker; [cards] has one");
  }
}

}  // namespace

WagerRules read_wager_table(TomlTable& table, const GameRules& game) {
  WagerRules wager;
  wager.game = game.id;
  wager.id = WagerId(table.name("id", Need::required).value_or(""));
  const std::string place = "[[wager]] " + wager.id.text();
  table.set_place(place);
  if (!wager.id.empty() && !wager.id.text().starts_with(game.id.text() + "/")) {
    table.refuse("id", "must begin with \"" + game.id.text() + "/\"");
  }
  table.read({{"title", &wager.title}, {"section", &wager.section}});
  const std::string hand = table.text("hand", Need::required).value_or("");
  const std::optional<HandKind> kind = parse_hand_kind(hand);
  if (table.has("hand") && !kind) {
    table.refuse("hand", "is \"" + hand + "\"; no kind of hand has that name");
  }
  const auto placement =
      table.choice("placement", Need::required,
                   {Placement::chip, Placement::electronic, Placement::pot, Placement::layout});
  const auto decided_by =
      table.choice("decided_by", Need::required,
                   {DecidedBy::player_hand, DecidedBy::dealer_hand, DecidedBy::pot,
                    DecidedBy::both_hands, DecidedBy::either_hand});
  wager.hand = kind.value_or(HandKind::five_card);
  wager.placement = placement.value_or(Placement::chip);
  wager.decided_by = decided_by.value_or(DecidedBy::player_hand);
  read_settling(table, decided_by, wager);

  std::vector<std::pair<TomlTable, OptionRule>> options;
  for (TomlTable& row : table.tables("option", Need::optional)) {
    const std::optional<OptionRule> rule = read_option(row);
    if (!rule) continue;
    if (wager.find_option(rule->option) != nullptr) {
      row.refuse("name", "is " + std::string(name(rule->option)) + " a second time");
      continue;
    }
    wager.options.push_back(*rule);
    options.emplace_back(row, *rule);
    if (rule->option == Option::envy_of_non_bettors) wager.envy_of_non_bettors = rule->standard;
  }
  read_paytables(table, wager, place);
  read_meter_award(table, wager);
  for (auto& [row, rule] : options) check_option(row, rule, wager);
  if (kind && placement && decided_by) {
    check_settling(table, wager);
    check_hand(table, game, wager);
  }
  table.finish();
  return wager;
}

}  // namespace linkmeter
