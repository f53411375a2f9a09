// NaiveModel: another configuration of the floor (L8): what may change, what it changes, and when.

#include <algorithm>

#include "tests/property/naive_asking.h"

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
std::string quoted(const std::string& text) { return "\"" + text + "\""; }
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
  const LinkTerms& was = before.given;
  const LinkTerms& is = after.given;
  const std::string& id = before.id;
  lines.say(id + " paytable", quoted(was.paytable.text()), quoted(is.paytable.text()));
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
    lines.say(id + " qualifying", before.qualifying, after.qualifying);
    lines.say(id + " losing_hand", percent(was.pot->losing_hand), percent(is.pot->losing_hand));
    lines.say(id + " winning_hand", percent(was.pot->winning_hand), percent(is.pot->winning_hand));
    lines.say(id + " table", percent(was.pot->table), percent(is.pot->table));
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

template <class Naive, class Core>
bool same_ids(const std::vector<Naive>& naive, const std::vector<Core>& core) {
  if (naive.size() != core.size()) return false;
  for (std::size_t at = 0; at < naive.size(); ++at) {
    if (naive[at].id != core[at].id.text()) return false;
  }
  return true;
}

bool same_table(const NaiveTable& before, const TableTerms& after) {
  return before.asset == after.asset && before.draw_ppm == after.draw_rate.ppm();
}

bool is_redefined(const LinkTerms& before, const LinkTerms& after) {
  bool other = before.wager != after.wager || before.tables != after.tables ||
               before.levels.size() != after.levels.size();
  for (std::size_t at = 0; !other && at < before.levels.size(); ++at) {
    other = before.levels[at].id != after.levels[at].id;
  }
  return other;
}

std::vector<NaiveTerms> terms_of(const ChangeParameters& act) {
  std::vector<NaiveTerms> all;
  for (const LinkTerms& link : act.floor.links) {
    all.push_back(NaiveTerms::of(link, act.floor_text));
  }
  return all;
}

}  // namespace

// Of each link; the floor has the same ones.
std::vector<std::uint32_t> NaiveModel::Asking::changed_by(const ChangeParameters& act) const {
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

std::vector<std::string> NaiveModel::Asking::lines_of(const ChangeParameters& act) const {
  Lines lines;
  lines.say("house name", quoted(model.house_), quoted(act.floor.house));
  for (std::size_t at = 0; at < model.tables_.size(); ++at) {
    const NaiveTable& table = model.tables_[at];
    lines.say(table.id + " asset", quoted(table.asset), quoted(act.floor.tables[at].asset));
    lines.say(table.id + " draw_rate", percent(Rate::from_ppm(table.draw_ppm)),
              percent(act.floor.tables[at].draw_rate));
  }
  const std::vector<NaiveTerms> after = terms_of(act);
  for (std::size_t at = 0; at < after.size(); ++at) say_link(lines, model.terms_[at], after[at]);
  return lines.all;
}

void NaiveModel::Asking::check(const ChangeParameters& act) {
  if (!resolved) {
    no.insert(Refusal::floor_unresolved);
    return;
  }
  if (act.since.value() != 0 && act.since.value() != model.configuration_) {
    no.insert(Refusal::parameters_outdated);
  }
  const bool same_tables = same_ids(model.tables_, act.floor.tables);
  const bool same_links = same_ids(model.terms_, act.floor.links);
  if (!same_tables) no.insert(Refusal::tables_differ);
  if (!same_links) no.insert(Refusal::links_differ);
  for (std::size_t at = 0; same_tables && at < model.tables_.size(); ++at) {
    const NaiveTable& before = model.tables_[at];
    const TableTerms& after = act.floor.tables[at];
    if (before.game != after.game.text() || before.seats != after.seats ||
        before.decks != after.decks) {
      no.insert(Refusal::tables_differ);
    }
  }
  if (!same_tables || !same_links || no.count(Refusal::tables_differ) != 0) return;
  const std::vector<std::uint32_t> changed = changed_by(act);
  for (const std::uint32_t link : changed) check_link(link, act.floor.links[link]);
  if (changed.empty() && lines_of(act).empty()) no.insert(Refusal::parameters_unchanged);
}

void NaiveModel::Asking::check_link(std::uint32_t link, const LinkTerms& after) {
  const LinkTerms& before = model.terms_[link].given;
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
}

void NaiveModel::Asking::perform(const ChangeParameters& act) {
  model.terms_ = terms_of(act);
  for (std::size_t at = 0; at < model.tables_.size(); ++at) {
    model.tables_[at].asset = act.floor.tables[at].asset;
    model.tables_[at].draw_ppm = act.floor.tables[at].draw_rate.ppm();
  }
  model.house_ = act.floor.house;
  model.floor_text_ = act.floor_text;
  model.configuration_ = model.entries_ + 1;
}

}  // namespace linkmeter
