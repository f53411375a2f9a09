#include "config/reader/paytable_reader.h"

#include <algorithm>

#include "config/reader/violation.h"
#include "meters/values/limits.h"
#include "meters/values/number.h"

namespace linkmeter {
namespace {

constexpr std::string_view for_one_suffix = " for 1";
constexpr std::string_view to_one_suffix = " to 1";
constexpr std::string_view of_infix = " of ";
constexpr std::string_view or_more_suffix = " or more";

// "500" of "500 for 1"; nullopt if the text ends otherwise or the number is not 0 to multiple_max.
std::optional<std::int64_t> multiple_before(std::string_view text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return std::nullopt;
  text.remove_suffix(suffix.size());
  const auto multiple = parse_number(text, limits::multiple_max);
  return multiple ? std::optional(static_cast<std::int64_t>(*multiple)) : std::nullopt;
}

std::optional<LevelIndex> find_level(const Paytable& paytable, std::string_view id) {
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    if (paytable.levels[place].id.text() == id) return LevelIndex(static_cast<std::uint8_t>(place));
  }
  return std::nullopt;
}

std::optional<Pays> parse_pays(std::string_view text, const Paytable& paytable) {
  Pays pays;
  for (const auto& [suffix, kind] : {std::pair(for_one_suffix, Pays::Kind::for_one),
                                     std::pair(to_one_suffix, Pays::Kind::to_one)}) {
    pays.kind = kind;
    pays.multiple = multiple_before(text, suffix).value_or(0);
    if (pays.multiple > 0) return pays;
  }
  const std::size_t infix = text.find(of_infix);
  if (infix == std::string_view::npos) return std::nullopt;
  const std::optional<Rate> share = parse_rate(text.substr(0, infix));
  const auto level = find_level(paytable, text.substr(infix + of_infix.size()));
  if (!share || share->ppm() == 0 || !level) return std::nullopt;
  return Pays{Pays::Kind::meter, *level, *share};
}

std::optional<std::int64_t> read_for_one(TomlTable& table, std::string_view key) {
  const std::optional<std::string> text = table.text(key, Need::optional);
  if (!text) return std::nullopt;
  const auto multiple = multiple_before(*text, for_one_suffix);
  if (!multiple) {
    table.refuse(key, "is \"" + *text + "\"; it is \"N for 1\", N up to " +
                          std::to_string(limits::multiple_max));
  }
  return multiple;
}

// seed_at_least = ["1000.00", "1000 for 1"]: dollars, a multiple of the unit, or both.
void read_seed_at_least(TomlTable& table, LevelRule& rule) {
  for (const TomlText& bound : table.texts("seed_at_least", Need::optional)) {
    if (const auto multiple = multiple_before(bound.text, for_one_suffix)) {
      rule.seed_for_one_min = multiple;
    } else if (const auto amount = parse_cents(bound.text)) {
      rule.seed_min = amount;
    } else {
      table.refuse_at(bound.line, "seed_at_least holds \"" + bound.text +
                                      "\"; it holds dollars, \"1000.00\", or \"N for 1\"");
    }
  }
}

LevelRule read_level(TomlTable& table) {
  LevelRule rule;
  rule.id = LevelId(table.name("id", Need::required).value_or(""));
  table.read({{"section", &rule.section}});
  rule.seed_for_one = read_for_one(table, "seed");
  rule.reseed_for_one = read_for_one(table, "reseed");
  read_seed_at_least(table, rule);
  table.read(
      {{"rate", &rule.rate, Need::optional}, {"rate_at_least", &rule.rate_min, Need::optional}});
  if (table.has("seed")) {
    table.refuse_each({"seed_at_least"}, "stands beside seed; a seed is fixed or has a minimum");
  }
  if (!table.has("seed")) {
    table.refuse_each({"reseed"}, "stands without seed; the text fixes both or neither");
  }
  if (table.has("rate")) {
    table.refuse_each({"rate_at_least"}, "stands beside rate; a rate is fixed or has a minimum");
  }
  table.finish();
  return rule;
}

void read_levels(TomlTable& table, Paytable& paytable, Need need) {
  Rate sum;
  for (TomlTable& level : table.tables("levels", need)) {
    LevelRule rule = read_level(level);
    if (rule.id.text() == "reserve") {
      level.refuse("id", "is reserve, which is not a level; write reserve = { rate, section }");
    }
    if (find_level(paytable, rule.id.text())) {
      level.refuse("id", "is " + rule.id.text() + " a second time");
    }
    const std::int64_t ppm = sum.ppm() + rule.rate.value_or(rule.rate_min.value_or(Rate())).ppm();
    if (ppm > Rate::ppm_whole) {
      level.refuse("id", "is " + rule.id.text() + ", whose rate takes the levels above 100%");
    } else {
      sum = Rate::from_ppm(ppm);
    }
    paytable.levels.push_back(std::move(rule));
  }
  if (paytable.levels.size() > limits::levels_max) {
    table.refuse("levels", "has more than " + std::to_string(limits::levels_max));
    paytable.levels.resize(limits::levels_max);
  }
}

// The option that a line depends on. Only any_20 offers a line.
std::optional<Option> read_line_option(TomlTable& row, const WagerRules& wager) {
  const std::optional<std::string> word = row.text("option", Need::optional);
  if (!word) return std::nullopt;
  const std::optional<Option> option = parse_option(*word);
  if (option != Option::any_20) {
    row.refuse("option", "is \"" + *word + "\"; no option of that name offers a line");
    return std::nullopt;
  }
  if (wager.find_option(*option) == nullptr) {
    row.refuse("option", "is " + *word + ", which the wager does not list as its option");
  }
  return option;
}

void read_lines(TomlTable& table, Paytable& paytable, const WagerRules& wager) {
  const bool has_lines = wager.decided_by != DecidedBy::pot;
  if (!has_lines && table.has("lines")) {
    table.refuse("lines", "stand here, but the award of a pot carries the name of the beaten hand");
  }
  for (TomlTable& row : table.tables("lines", has_lines ? Need::required : Need::optional)) {
    Line line;
    std::string id, pays_text;
    line.section = paytable.section;
    row.read({{"line", &id}, {"pays", &pays_text}, {"section", &line.section, Need::optional}});
    line.option = read_line_option(row, wager);
    row.finish();
    const std::optional<HandCategory> category = parse_hand_category(id);
    if (row.has("line") && !category)
      row.refuse("line", "is \"" + id + "\"; no hand has that name");
    const std::optional<Pays> pays = parse_pays(pays_text, paytable);
    if (row.has("pays") && !pays) {
      row.refuse("pays",
                 "is \"" + pays_text +
                     "\"; a line pays \"N for 1\", \"N to 1\" or \"P% of LEVEL\" of a level " +
                     "of this paytable");
    }
    const bool known = std::any_of(paytable.lines.begin(), paytable.lines.end(),
                                   [&](const Line& other) { return other.id.text() == id; });
    if (known) row.refuse("line", "is " + id + " a second time");
    line.id = LineId(id);
    line.category = category.value_or(HandCategory::high_card);
    line.pays = pays.value_or(Pays());
    paytable.lines.push_back(std::move(line));
  }
}

// A level that no line wins would collect contributions forever.
void check_levels_are_won(TomlTable& table, const Paytable& paytable) {
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const bool won =
        std::any_of(paytable.lines.begin(), paytable.lines.end(), [&](const Line& line) {
          return line.pays.kind == Pays::Kind::meter && line.pays.share.is_whole() &&
                 line.pays.level.value() == place && !line.option;
        });
    if (!won) {
      table.refuse("levels", "has " + paytable.levels[place].id.text() +
                                 ", but no line pays \"100% of " +
                                 paytable.levels[place].id.text() + "\"");
    }
  }
}

// by_wager = { "1.00" = "100.00", "5.00 or more" = "500.00" }
std::vector<EnvyStep> read_schedule(TomlTable& schedule) {
  std::vector<std::pair<EnvyStep, std::string>> steps;  // each with its key
  for (const std::string& key : schedule.keys()) {
    std::string_view wager_text = key;
    const bool or_more = wager_text.ends_with(or_more_suffix);
    if (or_more) wager_text.remove_suffix(or_more_suffix.size());
    const std::optional<Amount> wager = parse_cents(wager_text);
    const std::optional<Amount> amount = schedule.amount(key, Need::required);
    if (!wager || *wager <= Amount() || *wager > limits::wager_max) {
      schedule.refuse(key, "is not the amount of a wager, as \"5.00\" or \"5.00 or more\"");
    } else if (amount && *amount <= Amount()) {
      schedule.refuse(key, "is " + dollars(*amount) + "; leave out what brings no envy");
    } else if (amount) {
      steps.emplace_back(EnvyStep{*wager, *amount, or_more}, key);
    }
  }
  std::stable_sort(steps.begin(), steps.end(), [](const auto& left, const auto& right) {
    return left.first.wager < right.first.wager;
  });
  std::vector<EnvyStep> result;
  for (const auto& [step, key] : steps) {
    const Amount wager = step.wager;
    const auto covering = std::find_if(result.begin(), result.end(), [&](const EnvyStep& other) {
      return other.wager == wager || other.covers(wager);
    });
    if (covering == result.end()) {
      result.push_back(step);
    } else if (covering->wager == wager) {
      schedule.refuse(key, "is a wager that stands here twice");
    } else {
      schedule.refuse(key,
                      "is a wager that \"" + text_cents(covering->wager) + " or more\" covers");
    }
  }
  return result;
}

void read_envy(TomlTable& table, Paytable& paytable) {
  for (TomlTable& row : table.tables("envy", Need::optional)) {
    EnvyLine envy;
    envy.line = LineId(row.text("line", Need::required).value_or(""));
    envy.section = row.text("section", Need::optional).value_or(paytable.section);
    const bool is_line = std::any_of(paytable.lines.begin(), paytable.lines.end(),
                                     [&](const Line& line) { return line.id == envy.line; });
    if (row.has("line") && !is_line) {
      row.refuse("line", "is \"" + envy.line.text() + "\", which is no line of this paytable");
    }
    if (paytable.envy_for(envy.line) != nullptr) {
      row.refuse("line", "is " + envy.line.text() + " a second time");
    }
    if (auto schedule = row.table("by_wager", Need::required)) {
      envy.by_wager = read_schedule(*schedule);
    }
    row.finish();
    paytable.envy.push_back(std::move(envy));
  }
}

// bonuses = [ { bonus = "magic_card", pays = "20 for 1", first_cards = 2, section } ]
void read_bonuses(TomlTable& table, Paytable& paytable, const WagerRules& wager) {
  for (TomlTable& row : table.tables("bonuses", Need::optional)) {
    Bonus bonus;
    const auto kind =
        row.choice("bonus", Need::required, {Bonus::Kind::magic_card, Bonus::Kind::lucky_bonus});
    const std::optional<std::string> pays = row.text("pays", Need::required);
    row.read({{"section", &bonus.section}});
    if (row.has("first_cards")) {
      constexpr auto cards_max = static_cast<std::int64_t>(limits::cards_per_hand_max);
      bonus.first_cards = static_cast<std::size_t>(
          row.integer("first_cards", Need::optional, 1, cards_max).value_or(0));
      if (kind == Bonus::Kind::lucky_bonus) {
        row.refuse("first_cards", "is for magic_card; a lucky_bonus looks at no card");
      }
    }
    row.finish();
    const auto multiple = pays ? multiple_before(*pays, for_one_suffix) : std::nullopt;
    if (pays && multiple.value_or(0) == 0) {
      row.refuse("pays", "is \"" + *pays + "\"; a bonus pays \"N for 1\", N up to " +
                             std::to_string(limits::multiple_max));
    }
    bonus.multiple = multiple.value_or(0);
    if (!kind) continue;
    bonus.kind = *kind;
    const Option option =
        *kind == Bonus::Kind::magic_card ? Option::magic_card : Option::lucky_bonus;
    if (wager.find_option(option) == nullptr) {
      row.refuse("bonus", "is " + std::string(name(option)) +
                              ", but the wager lists no option of that name");
    }
    const bool known = std::any_of(paytable.bonuses.begin(), paytable.bonuses.end(),
                                   [&](const Bonus& other) { return other.kind == *kind; });
    if (known) row.refuse("bonus", "is " + std::string(name(option)) + " a second time");
    paytable.bonuses.push_back(std::move(bonus));
  }
}

}  // namespace

Paytable read_paytable(TomlTable& table, const WagerRules& wager) {
  Paytable paytable;
  const bool of_pot = wager.decided_by == DecidedBy::pot;
  if (table.has("id")) paytable.id = PaytableId(table.name("id", Need::optional).value_or(""));
  table.read({{"section", &paytable.section}});
  read_levels(table, paytable, of_pot ? Need::required : Need::optional);
  read_lines(table, paytable, wager);
  if (!of_pot && table.has("lines")) check_levels_are_won(table, paytable);
  read_envy(table, paytable);
  read_bonuses(table, paytable, wager);
  table.rule("reserve", Need::optional, [&](TomlTable& reserve) {
    reserve.read({{"rate", &paytable.reserve_rate}});
  });
  if (table.is_table("reserve") && paytable.levels.empty()) {
    table.refuse("reserve", "stands here without levels to reopen");
  }
  table.finish();
  return paytable;
}

}  // namespace linkmeter
