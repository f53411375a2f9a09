#include "meters/floor/config_diff.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace linkmeter {

namespace {

constexpr const char* nothing = "nothing";

constexpr std::array<Option, 6> options_in_rules{Option::any_20,
                                                 Option::magic_card,
                                                 Option::lucky_bonus,
                                                 Option::fold_forfeits,
                                                 Option::folded_hand_gives_envy,
                                                 Option::envy_of_non_bettors};

// Whether the house chose the option. LinkRules keep only the effect of an option.
bool is_chosen(const LinkRules& link, Option option) {
  const auto has_bonus = [&link](Bonus::Kind kind) {
    return std::any_of(link.paytable.bonuses.begin(), link.paytable.bonuses.end(),
                       [kind](const Bonus& bonus) { return bonus.kind == kind; });
  };
  switch (option) {
    case Option::any_20:
      return std::any_of(link.paytable.lines.begin(), link.paytable.lines.end(),
                         [option](const Line& line) { return line.option == option; });
    case Option::magic_card: return has_bonus(Bonus::Kind::magic_card);
    case Option::lucky_bonus: return has_bonus(Bonus::Kind::lucky_bonus);
    case Option::fold_forfeits: return link.wager.fold_forfeits;
    case Option::folded_hand_gives_envy: return link.wager.folded_hand_gives_envy;
    case Option::envy_of_non_bettors: return link.wager.envy_of_non_bettors;
    case Option::payout_limit_caps_meter: return false;  // a configuration term, not a rule
  }
  return false;
}

// "5000 for 1".
std::string for_one(const std::optional<std::int64_t>& multiple) {
  return multiple ? std::to_string(*multiple) + " for 1" : "none";
}

std::string pays_text(const Pays& pays, const Paytable& paytable) {
  switch (pays.kind) {
    case Pays::Kind::meter: {
      const std::size_t level = pays.level.value();
      const bool is_known = level < paytable.levels.size();
      return text(pays.share) + " of " +
             (is_known ? paytable.levels[level].id.text() : std::to_string(level));
    }
    case Pays::Kind::for_one: return std::to_string(pays.multiple) + " for 1";
    case Pays::Kind::to_one: return std::to_string(pays.multiple) + " to 1";
  }
  return "unknown";
}

// "20 for 1 on the first 2 cards".
std::string bonus_text(const Bonus* bonus) {
  if (bonus == nullptr) return nothing;
  return std::to_string(bonus->multiple) + " for 1" +
         (bonus->first_cards == 0
              ? ""
              : " on the first " + std::to_string(bonus->first_cards) + " cards");
}

std::string sources_text(const std::vector<PaymentSource>& sources) {
  std::string all;
  for (const PaymentSource source : sources) {
    all += (all.empty() ? "" : ", ") + std::string(name(source));
  }
  return all.empty() ? "none" : all;
}

std::string limit_text(const std::optional<PayoutLimitRule>& limit) {
  return limit ? shown(limit->at_least) : "none";
}

// Calls `tell(before, after)` for the pairs that `same` matches: each item of `before` in its
// order, with nullptr if `after` has no match, then the items that only `after` has.
template <class Item, class Same, class Tell>
void for_each_pair(std::vector<Item>& before, const std::vector<Item>& after, Same same,
                   Tell tell) {
  const auto match_in = [&same](auto& items, const Item& sought) {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Item& item) { return same(item, sought); });
    return found == items.end() ? nullptr : &*found;
  };
  for (Item& item : before) tell(&item, match_in(after, item));
  for (const Item& item : after) {
    if (match_in(before, item) == nullptr) tell(static_cast<Item*>(nullptr), &item);
  }
}

// Compares the paytable's lines by their ids.
void compare_lines(DifferenceList& all, Paytable& before, const Paytable& after) {
  std::vector<LineId> kept, added;
  for_each_pair(
      before.lines, after.lines,
      [](const Line& left, const Line& right) { return left.id == right.id; },
      [&](Line* was, const Line* is) {
        const std::string& id = (was != nullptr ? was : is)->id.text();
        const std::string old_pays = was ? pays_text(was->pays, before) : nothing;
        const std::string new_pays = is ? pays_text(is->pays, after) : nothing;
        if (old_pays != new_pays) all.say(id + " pays", old_pays, new_pays);
        if (is != nullptr) (was != nullptr ? kept : added).push_back(is->id);
        if (was == nullptr || is == nullptr) return;
        if (old_pays != new_pays) was->pays = is->pays;
        all.settle(id + " hand", was->category, is->category);
        all.settle(id + " option", was->option, is->option,
                   [](const auto& option) { return option ? name(*option) : "none"; });
        if (*was != *is) all.add("other rules of the line " + id);
      });
  // The first matching line pays, so the order matters. A new line is assumed to be the last one
  // unless the order of lines differs from that.
  kept.insert(kept.end(), added.begin(), added.end());
  const auto ids = [](const std::vector<Line>& lines) {
    std::string text;
    for (const Line& line : lines) text += (text.empty() ? "" : ", ") + line.id.text();
    return text;
  };
  const bool is_in_order =
      std::equal(kept.begin(), kept.end(), after.lines.begin(), after.lines.end(),
                 [](const LineId& id, const Line& line) { return id == line.id; });
  if (!is_in_order) all.say("order of lines", ids(before.lines), ids(after.lines));
  before.lines = after.lines;
}

// Compares the Envy steps by the receiver's wager.
void compare_envy(DifferenceList& all, Paytable& before, const Paytable& after) {
  for_each_pair(
      before.envy, after.envy,
      [](const EnvyLine& left, const EnvyLine& right) { return left.line == right.line; },
      [&all](EnvyLine* was, const EnvyLine* is) {
        EnvyLine old_line = was != nullptr ? *was : EnvyLine();
        const EnvyLine new_line = is != nullptr ? *is : EnvyLine();
        const std::string id = (was != nullptr ? was : is)->line.text();
        for_each_pair(
            old_line.by_wager, new_line.by_wager,
            [](const EnvyStep& left, const EnvyStep& right) {
              return left.wager == right.wager && left.or_more == right.or_more;
            },
            [&](EnvyStep* old_step, const EnvyStep* new_step) {
              const EnvyStep& step = old_step != nullptr ? *old_step : *new_step;
              const std::string old_amount = old_step ? shown(old_step->amount) : nothing;
              const std::string new_amount = new_step ? shown(new_step->amount) : nothing;
              if (old_amount == new_amount) return;
              all.say(id + " envy on " + shown(step.wager) + (step.or_more ? " or more" : ""),
                      old_amount, new_amount);
              if (old_step != nullptr && new_step != nullptr) old_step->amount = new_step->amount;
            });
        if (was == nullptr || is == nullptr) return;
        // Steps never overlap, so their order does not matter.
        was->by_wager = is->by_wager;
        if (*was != *is) all.add("other rules of the envy of " + id);
      });
  before.envy = after.envy;
}

void compare_bonuses(DifferenceList& all, Paytable& before, const Paytable& after) {
  for_each_pair(
      before.bonuses, after.bonuses,
      [](const Bonus& left, const Bonus& right) { return left.kind == right.kind; },
      [&all](Bonus* was, const Bonus* is) {
        const std::string id(name((was != nullptr ? was : is)->kind));
        const std::string old_pays = bonus_text(was);
        const std::string new_pays = bonus_text(is);
        if (old_pays != new_pays) all.say(id + " pays", old_pays, new_pays);
        if (was == nullptr || is == nullptr) return;
        was->multiple = is->multiple;
        was->first_cards = is->first_cards;
        if (*was != *is) all.add("other rules of the " + id);
      });
  before.bonuses = after.bonuses;
}

// The figures in the chapter, which bind the floor file.
void compare_levels(DifferenceList& all, Paytable& before, const Paytable& after) {
  const auto least_seed = [](const LevelRule& level) {
    std::string text = level.seed_min ? shown(*level.seed_min) : "";
    if (level.seed_for_one_min) {
      text += (text.empty() ? "" : ", ") + for_one(level.seed_for_one_min);
    }
    return text.empty() ? "none" : text;
  };
  for_each_pair(
      before.levels, after.levels,
      [](const LevelRule& left, const LevelRule& right) { return left.id == right.id; },
      [&](LevelRule* was, const LevelRule* is) {
        const std::string id = (was != nullptr ? was : is)->id.text();
        if (was == nullptr || is == nullptr) {
          all.add("level " + id + (was == nullptr ? " is a new one" : " is taken away"));
          return;
        }
        const std::string where = " in the chapter";
        all.settle(id + " seed" + where, was->seed_for_one, is->seed_for_one, for_one);
        all.settle(id + " reseed" + where, was->reseed_for_one, is->reseed_for_one, for_one);
        if (least_seed(*was) != least_seed(*is)) {
          all.say(id + " seed_at_least" + where, least_seed(*was), least_seed(*is));
        }
        was->seed_min = is->seed_min;
        was->seed_for_one_min = is->seed_for_one_min;
        all.settle(id + " rate" + where, was->rate, is->rate);
        all.settle(id + " rate_at_least" + where, was->rate_min, is->rate_min);
        if (*was != *is) all.add("other rules of the level " + id);
      });
  // Their order follows the floor's levels, which a change cannot reorder.
  before.levels = after.levels;
  all.settle("reserve rate in the chapter", before.reserve_rate, after.reserve_rate);
}

void compare_wagers(DifferenceList& all, WagerRules& before, const WagerRules& after) {
  const auto named = [](auto value) { return name(value); };
  all.settle("hand", before.hand, after.hand, named);
  all.settle("placement", before.placement, after.placement, named);
  all.settle("decided_by", before.decided_by, after.decided_by, named);
  all.settle("sharing", before.sharing, after.sharing, named);
  all.settle("sharing dealer_hand", before.dealer_sharing, after.dealer_sharing, named);
  all.settle("verified from", before.verified_from, after.verified_from, for_one);
  all.settle("verified by", before.verified_by, after.verified_by, named);
  all.settle("meter_award not_from", before.meter_award_not_from, after.meter_award_not_from,
             sources_text);
  all.settle("meter_award cards_stay", before.cards_stay, after.cards_stay, named);
  all.settle("linked allowed", before.may_be_linked, after.may_be_linked);
  all.settle("payout_limit at_least", before.payout_limit, after.payout_limit, limit_text);
  all.settle("settled in turn", before.settled_at, after.settled_at,
             [](std::size_t place) { return std::to_string(place + 1); });
}

}  // namespace

void compare_rules(std::vector<std::string>& lines, const std::string& link, LinkRules before,
                   const LinkRules& after) {
  DifferenceList all(lines, link);
  for (const Option option : options_in_rules) {
    all.compare(name(option), is_chosen(before, option), is_chosen(after, option));
  }
  before.wager.fold_forfeits = after.wager.fold_forfeits;
  before.wager.folded_hand_gives_envy = after.wager.folded_hand_gives_envy;
  before.wager.envy_of_non_bettors = after.wager.envy_of_non_bettors;
  compare_wagers(all, before.wager, after.wager);
  before.paytable.id = after.paytable.id;  // a configuration term, compared elsewhere
  // Lines and shares name their own levels, so compare the levels after them.
  Paytable& paytable = before.paytable;
  compare_lines(all, paytable, after.paytable);
  compare_envy(all, paytable, after.paytable);
  compare_bonuses(all, paytable, after.paytable);
  compare_levels(all, paytable, after.paytable);
  if (before != after) all.add("other rules of " + after.wager.id.text());
}

void compare_rules(std::vector<std::string>& lines, const std::string& game, GameRules before,
                   const GameRules& after) {
  DifferenceList all(lines, game);
  const auto settle_count = [&all](std::string_view term, auto& was, auto is) {
    all.settle(term, was, is, [](auto count) { return std::to_string(count); });
  };
  all.settle("cards dealing", before.dealing, after.dealing,
             [](Dealing dealing) { return name(dealing); });
  settle_count("seats max", before.seats_max, after.seats_max);
  settle_count("cards decks", before.decks_default, after.decks_default);
  all.settle("cards decks_vary", before.decks_vary, after.decks_vary);
  all.settle("cards joker", before.joker, after.joker);
  all.settle("cards folds", before.folds, after.folds);
  settle_count("cards player min", before.player_cards_min, after.player_cards_min);
  settle_count("cards player max", before.player_cards_max, after.player_cards_max);
  settle_count("cards dealer min", before.dealer_cards_min, after.dealer_cards_min);
  settle_count("cards dealer max", before.dealer_cards_max, after.dealer_cards_max);
  settle_count("cards board_max", before.board_cards_max, after.board_cards_max);
  if (before != after) all.add("other rules of " + game);
}

std::string shown(Amount amount) {
  return "$" + (amount.is_whole_cents() ? text_cents(amount) : text_exact(amount));
}
std::string shown(Rate rate) { return text(rate); }
std::string shown(bool chosen) { return chosen ? "true" : "false"; }
std::string shown(std::int64_t count) { return std::to_string(count); }
std::string shown(const std::string& text) { return '"' + text + '"'; }
std::string shown(const PaytableId& paytable) { return shown(paytable.text()); }
std::string shown(HandCategory category) { return std::string(name(category)); }
std::string shown(const PokerThreshold& threshold) { return text(threshold); }

DifferenceList::DifferenceList(std::vector<std::string>& lines, std::string whose)
    : lines_(lines), whose_(std::move(whose)) {}

void DifferenceList::say(std::string_view term, const std::string& before,
                         const std::string& after) {
  add(std::string(term) + " " + before + " -> " + after);
}

void DifferenceList::add(const std::string& what) { lines_.push_back(whose_ + " " + what); }

}  // namespace linkmeter
