// NaiveModel: another configuration of the floor (L8): what may change, what it changes, and when.

#include <algorithm>
#include <utility>

#include "tests/property/naive_chapter.h"
#include "tests/property/naive_person_message.h"

namespace linkmeter {

namespace {

std::string money(Amount amount) {
  const std::string exact = exact_text(amount.units());
  return "$" + exact.substr(0, exact.size() - 6);
}
std::string money(const std::optional<Amount>& amount) { return amount ? money(*amount) : "none"; }
std::string percent(Rate rate) {
  std::string decimals = std::to_string(10'000 + rate.ppm() % 10'000).substr(1);
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  return std::to_string(rate.ppm() / 10'000) + (decimals.empty() ? "" : ".") + decimals + "%";
}
std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }
std::string truth(bool is_true) { return is_true ? "true" : "false"; }

struct Lines {
  std::vector<std::string> all;
  void say(const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) all.push_back(what + " " + before + " -> " + after);
  }
};

bool has_line(const NaiveRules& rules, const std::string& line) {
  return std::any_of(rules.lines.begin(), rules.lines.end(),
                     [&line](const NaiveLine& one) { return one.line == line; });
}

bool has_bonus(const NaiveRules& rules, bool is_magic) {
  return std::any_of(rules.bonuses.begin(), rules.bonuses.end(),
                     [is_magic](const NaiveBonus& one) { return one.is_magic == is_magic; });
}

void say_link(Lines& lines, const NaiveTerms& before, const NaiveTerms& after) {
  const LinkConfig& was = before.given;
  const LinkConfig& is = after.given;
  const std::string& id = before.id;
  lines.say(id + " paytable", in_quotes(was.paytable.text()), in_quotes(is.paytable.text()));
  lines.say(id + " unit", money(was.unit), money(is.unit));
  lines.say(id + " minimum", money(was.minimum), money(is.minimum));
  lines.say(id + " maximum", money(was.maximum), money(is.maximum));
  for (std::size_t at = 0; at < was.levels.size(); ++at) {
    const std::string level = id + " " + was.levels[at].id.text();
    lines.say(level + " reseed", money(was.levels[at].reseed), money(is.levels[at].reseed));
    lines.say(level + " rate", percent(was.levels[at].rate), percent(is.levels[at].rate));
    lines.say(level + " limit", money(was.levels[at].limit), money(is.levels[at].limit));
  }
  lines.say(id + " reserve rate", percent(was.reserve_rate), percent(is.reserve_rate));
  lines.say(id + " payout_limit", money(was.payout_limit), money(is.payout_limit));
  lines.say(id + " payout_limit_caps_meter", truth(before.rules.limit_caps_meter),
            truth(after.rules.limit_caps_meter));
  if (was.pot) {
    lines.say(id + " minimum_pot", money(was.pot->minimum_pot), money(is.pot->minimum_pot));
    lines.say(id + " contribution", money(was.pot->contribution), money(is.pot->contribution));
    const auto least = [](const NaiveTerms& terms) {
      const std::string& ranks = terms.qualifying_ranks;
      return terms.qualifying + (ranks == "" ? "" : " ") + ranks;
    };
    lines.say(id + " qualifying", least(before), least(after));
    lines.say(id + " losing_hand", percent(was.pot->losing_hand), percent(is.pot->losing_hand));
    lines.say(id + " winning_hand", percent(was.pot->winning_hand), percent(is.pot->winning_hand));
    lines.say(id + " table", percent(was.pot->table), percent(is.pot->table));
    lines.say(id + " discontinuation", in_quotes(was.pot->discontinuation),
              in_quotes(is.pot->discontinuation));
  }
  lines.say(id + " any_20", truth(has_line(before.rules, "player_20")),
            truth(has_line(after.rules, "player_20")));
  lines.say(id + " magic_card", truth(has_bonus(before.rules, true)),
            truth(has_bonus(after.rules, true)));
  lines.say(id + " lucky_bonus", truth(has_bonus(before.rules, false)),
            truth(has_bonus(after.rules, false)));
  lines.say(id + " fold_forfeits", truth(before.rules.fold_forfeits),
            truth(after.rules.fold_forfeits));
  lines.say(id + " folded_hand_gives_envy", truth(before.rules.folded_bettor_gives_envy),
            truth(after.rules.folded_bettor_gives_envy));
  lines.say(id + " envy_of_non_bettors", truth(before.rules.non_bettor_gives_envy),
            truth(after.rules.non_bettor_gives_envy));
}

std::string said_pays(const NaiveLine* line) {
  if (line == nullptr) return "nothing";
  if (!line->level.empty()) return std::to_string(line->percent) + "% of " + line->level;
  return std::to_string(line->times) + (line->to_one ? " to 1" : " for 1");
}

const NaiveLine* line_of(const NaiveRules& rules, const std::string& id) {
  for (const NaiveLine& line : rules.lines) {
    if (line.line == id) return &line;
  }
  return nullptr;
}

NaiveEnvy envy_of(const NaiveRules& rules, const std::string& id) {
  for (const NaiveEnvy& envy : rules.envy) {
    if (envy.line == id) return envy;
  }
  return {id};
}

std::string dollars_or_nothing(std::int64_t dollars) {
  return dollars == 0 ? "nothing" : "$" + std::to_string(dollars) + ".00";
}

// The elements of `before`, then those that only `after` has.
template <class One>
std::vector<std::string> lines_in_both(const std::vector<One>& before,
                                       const std::vector<One>& after) {
  std::vector<std::string> all;
  for (const std::vector<One>* list : {&before, &after}) {
    for (const One& one : *list) {
      if (std::find(all.begin(), all.end(), one.line) == all.end()) all.push_back(one.line);
    }
  }
  return all;
}

std::string listed_lines(const std::vector<std::string>& ids) {
  std::string all;
  for (const std::string& id : ids) all += (all.empty() ? "" : ", ") + id;
  return all;
}

// What the lines of a paytable pay, and their order: new lines count as added at the end.
void say_lines(Lines& lines, const std::string& id, const NaiveRules& was, const NaiveRules& is) {
  std::vector<std::string> expected, old_ids, new_ids;
  for (const std::string& line : lines_in_both(was.lines, is.lines)) {
    lines.say(id + " " + line + " pays", said_pays(line_of(was, line)),
              said_pays(line_of(is, line)));
    if (has_line(was, line)) old_ids.push_back(line);
    if (has_line(is, line)) expected.push_back(line);
  }
  for (const NaiveLine& line : is.lines) new_ids.push_back(line.line);
  if (expected != new_ids) {
    lines.say(id + " order of lines", listed_lines(old_ids), listed_lines(new_ids));
  }
}

void say_envy(Lines& lines, const std::string& id, const NaiveRules& was, const NaiveRules& is) {
  for (const std::string& line : lines_in_both(was.envy, is.envy)) {
    const NaiveEnvy before = envy_of(was, line);
    const NaiveEnvy after = envy_of(is, line);
    lines.say(id + " " + line + " envy on $1.00", dollars_or_nothing(before.one_dollar),
              dollars_or_nothing(after.one_dollar));
    const bool or_more = before.five_or_more || after.five_or_more;  // of one game: alike
    lines.say(id + " " + line + " envy on $5.00" + (or_more ? " or more" : ""),
              dollars_or_nothing(before.five_dollars), dollars_or_nothing(after.five_dollars));
  }
}

void say_bonuses(Lines& lines, const std::string& id, const NaiveRules& was, const NaiveRules& is) {
  const auto found = [](const NaiveRules& rules, bool is_magic) {
    for (const NaiveBonus& bonus : rules.bonuses) {
      if (bonus.is_magic == is_magic) return bonus;
    }
    return NaiveBonus{};
  };
  // In the order in which they first occurred.
  std::vector<bool> kinds;
  for (const NaiveRules* rules : {&was, &is}) {
    for (const NaiveBonus& bonus : rules->bonuses) {
      if (std::find(kinds.begin(), kinds.end(), bonus.is_magic) == kinds.end()) {
        kinds.push_back(bonus.is_magic);
      }
    }
  }
  for (const bool is_magic : kinds) {
    const NaiveBonus before = found(was, is_magic);
    const NaiveBonus after = found(is, is_magic);
    const std::string name = id + (is_magic ? " magic_card" : " lucky_bonus");
    // A Crazy 4 hand has five cards: the chapter names no number for all five.
    const auto said = [](const NaiveBonus& bonus) {
      if (bonus.times == 0) return std::string("nothing");
      const std::string some = " on the first " + std::to_string(bonus.first_cards) + " cards";
      return std::to_string(bonus.times) + " for 1" + (bonus.first_cards >= 5 ? "" : some);
    };
    lines.say(name + " pays", said(before), said(after));
  }
}

// What the chapter fixes for a level; 0: the house sets it.
void say_levels(Lines& lines, const std::string& id, const NaiveRules& was, const NaiveRules& is) {
  const auto for_one = [](std::int64_t count) {
    return count == 0 ? "none" : std::to_string(count) + " for 1";
  };
  for (std::size_t at = 0; at < was.levels.size(); ++at) {
    const std::string level = id + " " + was.levels[at].level;
    lines.say(level + " seed in the chapter", for_one(was.levels[at].seed_for_one),
              for_one(is.levels[at].seed_for_one));
    lines.say(level + " rate in the chapter", std::to_string(was.levels[at].rate_percent) + "%",
              std::to_string(is.levels[at].rate_percent) + "%");
  }
  lines.say(id + " reserve rate in the chapter", std::to_string(was.reserve_percent) + "%",
            std::to_string(is.reserve_percent) + "%");
}

void say_rules(Lines& lines, const std::string& id, const NaiveRules& was, const NaiveRules& is) {
  const auto from = [](const std::optional<std::int64_t>& multiple) {
    return multiple ? std::to_string(*multiple) + " for 1" : "none";
  };
  lines.say(id + " verified from", from(was.claim_from), from(is.claim_from));
  say_lines(lines, id, was, is);
  say_envy(lines, id, was, is);
  say_bonuses(lines, id, was, is);
  say_levels(lines, id, was, is);
}

template <class Naive, class Core>
bool same_ids(const std::vector<Naive>& naive, const std::vector<Core>& core) {
  if (naive.size() != core.size()) return false;
  for (std::size_t at = 0; at < naive.size(); ++at) {
    if (naive[at].id != core[at].id.text()) return false;
  }
  return true;
}

bool same_table(const NaiveTable& before, const TableConfig& after) {
  return before.asset == after.asset && before.draw_ppm == after.draw_rate.ppm();
}

bool is_redefined(const LinkConfig& before, const LinkConfig& after) {
  bool other = before.wager != after.wager || before.tables != after.tables ||
               before.levels.size() != after.levels.size();
  for (std::size_t at = 0; !other && at < before.levels.size(); ++at) {
    other = before.levels[at].id != after.levels[at].id;
  }
  return other;
}

std::vector<NaiveTerms> terms_of(const ChangeParameters& act) {
  std::vector<NaiveTerms> all;
  for (const LinkConfig& link : act.floor.links) {
    all.push_back(NaiveTerms::of(link, act.floor_text, act.catalogue_texts));
  }
  return all;
}

}  // namespace

// For each link; the floor has the same ones.
std::vector<std::uint32_t> NaiveModel::PersonMessageDecision::changed_by(
    const ChangeParameters& act) const {
  const std::vector<NaiveTerms> after = terms_of(act);
  std::vector<std::uint32_t> changed;
  for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
    const NaiveTerms& before = model.terms_[link];
    bool other = before.given != after[link].given || before.rules != after[link].rules;
    for (const std::uint32_t table : before.tables) {
      other = other || !same_table(model.tables_[table], act.floor.tables[table]);
    }
    if (other) changed.push_back(link);
  }
  return changed;
}

std::vector<std::string> NaiveModel::PersonMessageDecision::lines_of(
    const ChangeParameters& act) const {
  Lines lines;
  lines.say("house name", in_quotes(model.house_), in_quotes(act.floor.house));
  const NaiveHouse asks = NaiveHouse::of(act.floor_text);
  lines.say("house timezone", in_quotes(model.asks_.timezone), in_quotes(asks.timezone));
  lines.say("house gaming_day_start", in_quotes(model.asks_.gaming_day_start),
            in_quotes(asks.gaming_day_start));
  lines.say("house second_signature", model.asks_.ladder_text(), asks.ladder_text());
  lines.say("house taxable", model.asks_.thresholds_text(), asks.thresholds_text());
  for (const std::string& line : chapter_lines_of(act)) lines.all.push_back(line);
  for (std::size_t at = 0; at < model.tables_.size(); ++at) {
    const NaiveTable& table = model.tables_[at];
    lines.say(table.id + " asset", in_quotes(table.asset), in_quotes(act.floor.tables[at].asset));
    lines.say(table.id + " draw_rate", percent(Rate::from_ppm(table.draw_ppm)),
              percent(act.floor.tables[at].draw_rate));
  }
  const std::vector<NaiveTerms> after = terms_of(act);
  for (std::size_t at = 0; at < after.size(); ++at) {
    say_link(lines, model.terms_[at], after[at]);
    say_rules(lines, model.terms_[at].id, model.terms_[at].rules, after[at].rules);
  }
  return lines.all;
}

// A trial alters chapters but never adds or removes one.
std::vector<std::string> NaiveModel::PersonMessageDecision::chapter_lines_of(
    const ChangeParameters& act) const {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < act.catalogue_texts.size(); ++at) {
    if (act.catalogue_texts[at] == model.chapters_[at]) continue;
    all.push_back("chapter " + chapter_game(model.chapters_[at]) + " is another one than in force");
  }
  return all;
}

void NaiveModel::PersonMessageDecision::check(const ChangeParameters& act) {
  if (!resolved) {
    no.insert(Refusal::floor_unresolved);
    return;
  }
  if (model.doubted_) no.insert(Refusal::clock_to_be_confirmed);
  if (act.since.value() != 0 && act.since.value() != model.configuration_) {
    no.insert(Refusal::parameters_outdated);
  }
  const bool same_tables = same_ids(model.tables_, act.floor.tables);
  const bool same_links = same_ids(model.terms_, act.floor.links);
  if (!same_tables) no.insert(Refusal::tables_differ);
  if (!same_links) no.insert(Refusal::links_differ);
  for (std::size_t at = 0; same_tables && at < model.tables_.size(); ++at) {
    const NaiveTable& before = model.tables_[at];
    const TableConfig& after = act.floor.tables[at];
    if (before.game != after.game.text() || before.seats != after.seats ||
        before.decks != after.decks) {
      no.insert(Refusal::tables_differ);
    }
  }
  if (!same_tables || !same_links || no.count(Refusal::tables_differ) != 0) return;
  const std::vector<std::uint32_t> changed = changed_by(act);
  for (const std::uint32_t link : changed) check_link(link, act.floor.links[link]);
  // A change of a chapter's text that decides nothing is no change by itself.
  if (changed.empty() && lines_of(act) == chapter_lines_of(act)) {
    no.insert(Refusal::parameters_unchanged);
  }
}

void NaiveModel::PersonMessageDecision::check_link(std::uint32_t link, const LinkConfig& after) {
  const LinkConfig& before = model.terms_[link].given;
  const NaiveBook& book = model.books_[link];
  if (book.suspended.empty()) no.insert(Refusal::link_not_suspended);
  for (const NaiveTable& table : model.tables_) {
    for (const auto& [id, round] : table.rounds) {
      for (const NaiveWager& wager : round.wagers) {
        if (wager.link == link) no.insert(Refusal::link_has_open_rounds);
      }
    }
  }
  if (is_redefined(before, after)) {
    no.insert(Refusal::link_redefined);
    return;
  }
  for (std::size_t at = 0; at < after.levels.size(); ++at) {
    if (before.levels[at].seed != after.levels[at].seed) no.insert(Refusal::seed_changed);
    const std::optional<Amount> limit = after.levels[at].limit;
    if (limit && before.levels[at].limit != limit && Exact{limit->units()} < book.levels[at].held) {
      no.insert(Refusal::limit_below_meter);
    }
  }
  // § 553.20(i): once the Board has approved how the fund ends, the floor always says so.
  const auto is_approved = [](const LinkConfig& terms) {
    return terms.pot.has_value() && terms.pot->discontinuation != "";
  };
  if (is_approved(before) && !is_approved(after)) no.insert(Refusal::discontinuation_removed);
}

void NaiveModel::PersonMessageDecision::perform(const ChangeParameters& act) {
  const std::vector<NaiveTerms> before = std::exchange(model.terms_, terms_of(act));
  // L8: posted terms take effect now, and not for a pot that was played before.
  for (NaiveTable& table : model.tables_) {
    for (auto& [id, pot] : table.pots) {
      const bool other = before[pot.link].given != model.terms_[pot.link].given;
      pot.other_terms = pot.other_terms || other;
    }
  }
  for (std::size_t at = 0; at < model.tables_.size(); ++at) {
    model.tables_[at].asset = act.floor.tables[at].asset;
    model.tables_[at].draw_ppm = act.floor.tables[at].draw_rate.ppm();
  }
  model.house_ = act.floor.house;
  model.floor_text_ = act.floor_text;
  model.asks_ = NaiveHouse::of(act.floor_text);
  model.chapters_ = act.catalogue_texts;
  model.configuration_ = model.entries_ + 1;
}

}  // namespace linkmeter
