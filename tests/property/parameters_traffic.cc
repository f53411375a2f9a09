// PeopleTraffic: a change of parameters, as a change of the floor file or of a chapter in force.

#include <algorithm>
#include <vector>

#include "tests/property/naive_chapter.h"
#include "tests/property/people_traffic.h"

namespace linkmeter {

namespace {

std::string toml_dollars(Exact units) {
  const std::string exact = exact_text(units);
  return exact.substr(0, exact.size() - 6);
}

// The floor file as its tables: "[[link]]", "[[table]]" and the text before them.
std::vector<std::string> tables_of(const std::string& text) {
  std::vector<std::string> all;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t to = std::min(text.find("\n[[", from), text.size() - 1);
    all.push_back(text.substr(from, to + 1 - from));
    from = to + 1;
  }
  return all;
}

// Sets `key = value` in the table, replacing an earlier value.
void set(std::string& table, const std::string& key, const std::string& value) {
  const std::string line = "\n" + key + " = ";
  const std::size_t at = table.find(line);
  if (at == std::string::npos) {
    table += key + " = " + value + "\n";
  } else {
    const std::size_t from = at + line.size();
    table.replace(from, table.find('\n', from) - from, value);
  }
}

void remove(std::string& table, const std::string& key) {
  const std::size_t at = table.find("\n" + key + " = ");
  if (at != std::string::npos) table.erase(at, table.find('\n', at + 1) - at);
}

bool has(const std::string& table, const std::string& key) {
  return table.find("\n" + key + " = ") != std::string::npos;
}

std::string toml_text(const std::string& text) { return "\"" + text + "\""; }

std::string level_values(const NaiveTerms& terms, const std::vector<std::string>& values) {
  if (values.size() == 1) return values[0];
  std::string all;
  for (std::size_t at = 0; at < values.size(); ++at) {
    all += (at == 0 ? "{ " : ", ") + terms.rules.levels[at].level + " = " + values[at];
  }
  return all + " }";
}

// One change of a floor file, at one link.
class Edit {
 public:
  Edit(const NaiveModel& model, std::size_t link, Dice& dice)
      : model_(model),
        dice_(dice),
        terms_(model.terms()[link]),
        book_(model.books()[link]),
        tables_(tables_of(model.floor_text())) {}

  // "": the link has another name in the file.
  std::string text() {
    const auto at = named(terms_.id);
    if (at == tables_.end()) return "";
    const std::size_t choice = dice_.below(17);
    if (choice < 10) {
      change(*at, choice);
    } else if (choice < 13) {
      overdo(*at, choice);
    } else {
      change_house();
    }
    std::string all;
    for (const std::string& one : tables_) all += one;
    return all;
  }

 private:
  std::vector<std::string>::iterator named(const std::string& id) {
    return std::find_if(tables_.begin(), tables_.end(), [&id](const std::string& one) {
      return one.find("\nid = " + toml_text(id) + "\n") != std::string::npos;
    });
  }
  std::string& first_table() { return *named(model_.tables()[terms_.tables[0]].id); }
  std::string whole_percent(std::size_t most) {
    return toml_text(std::to_string(dice_.below(most + 1)) + "%");
  }
  // For every level of the link, if it has one.
  template <class Value>
  void set_levels(std::string& link, const std::string& key, Value value) {
    std::vector<std::string> amounts;
    for (std::size_t level = 0; level < terms_.seeds.size(); ++level) {
      amounts.push_back(toml_text(toml_dollars(value(level))));
    }
    if (!amounts.empty()) set(link, key, level_values(terms_, amounts));
  }

  // Keys that belong to no link.
  void change_house() {
    std::string& house = tables_.front();
    switch (dice_.below(4)) {
      case 0: set(house, "name", toml_text("House " + std::to_string(dice_.below(5)))); return;
      case 1: {
        const std::vector<std::string> ladders{
            "[]", "[{ from = \"0.00\", roles = [\"table_games_manager\"] }]",
            "[{ from = \"100.00\", roles = [\"floorperson\", \"table_games_manager\"] }, "
            "{ from = \"1200.00\", roles = [\"table_games_manager\"] }]"};
        set(house, "second_signature", dice_.pick(ladders));
        return;
      }
      case 2: {
        if (dice_.one_in(2)) {
          return set(house, "gaming_day_start",
                     toml_text("0" + std::to_string(dice_.below(10)) + ":00"));
        }
        // A timezone with New York's time, so that a tax day begins when the model says.
        return set(house, "timezone",
                   toml_text(dice_.one_in(2) ? "America/New_York" : "America/Detroit"));
      }
      default: {
        const std::vector<std::string> thresholds{
            "[]", "[{ since = \"1970-01-01\", amount = \"600.00\", ratio = 300 }]",
            "[{ since = \"2025-07-04\", amount = \"5000.00\", ratio = 0 }, "
            "{ since = \"2026-01-01\", amount = \"2000.00\", ratio = 300 }]"};
        set(house, "taxable", dice_.pick(thresholds));
      }
    }
  }
  // Keys that two persons may change.
  void change(std::string& link, std::size_t choice) {
    const std::vector<std::string> options{"any_20",
                                           "magic_card",
                                           "lucky_bonus",
                                           "payout_limit_caps_meter",
                                           "fold_forfeits",
                                           "folded_hand_gives_envy",
                                           "envy_of_non_bettors"};
    switch (choice) {
      case 0:
      case 1: {
        const std::string main = toml_text(std::to_string(12 + dice_.below(30)) + "." +
                                           std::to_string(dice_.below(10'000)) + "%");
        const std::string rest = dice_.percent(60) ? ", reserve = " + whole_percent(19) : "";
        return set(link, "rates", "{ main = " + main + rest + " }");
      }
      case 2:
      case 3:  // close to the meter
        return set_levels(link, "limit", [this](std::size_t level) {
          const Exact held = book_.levels[level].held;
          const Exact cents = dice_.one_in(3) ? -1 : dice_.between(0, 300);
          return std::max<Exact>(held - held % exact_cent + exact_cent * cents, 0);
        });
      case 4:
        return set_levels(link, "reseed", [this](std::size_t level) {
          return terms_.seeds[level] + exact_cent * dice_.between(0, 99);
        });
      case 5: {
        const std::string& option = dice_.pick(options);
        return set(link, option, dice_.one_in(2) ? "true" : "false");
      }
      case 6:
        return set(link, "payout_limit",
                   toml_text(std::to_string(25'000 + dice_.below(4) * 1'000)));
      case 7:
        if (dice_.one_in(2)) return set(first_table(), "draw_rate", whole_percent(100));
        return set(first_table(), "asset", toml_text("T-" + std::to_string(dice_.below(9))));
      case 8:
        if (has(link, "unit")) set(link, "unit", toml_text(dice_.one_in(2) ? "1.00" : "5.00"));
        if (has(link, "maximum"))
          set(link, "maximum", toml_text(std::to_string(20 + dice_.below(9))));
        return;
      default:
        if (terms_.of_pots && dice_.one_in(2)) {
          return set(link, "discontinuation", toml_text("order " + std::to_string(dice_.below(9))));
        }
        return set(link, "contribution",
                   "{ minimum_pot = \"" + std::to_string(10 + dice_.below(20)) +
                       ".00\", amount = \"" + std::to_string(1 + dice_.below(2)) + ".00\" }");
    }
  }

  // Keys that nobody may change.
  void overdo(std::string& link, std::size_t choice) {
    const std::vector<std::string> paytables{"A", "B", "C", "D"};
    const std::vector<std::string> of_table{"id", "seats", "game"};
    const std::vector<std::string> of_link{"seed", "id", "paytable", "tables", "tables"};
    if (terms_.of_pots && dice_.one_in(2)) return remove(link, "discontinuation");
    if (choice == 10) {
      const std::string& key = dice_.pick(of_table);
      return set(first_table(), key,
                 key == "seats" ? "2" : toml_text(key == "id" ? "T-NEW" : "crazy-4"));
    }
    if (choice == 12 && dice_.one_in(2)) {
      tables_.erase(named(terms_.id));
      return;
    }
    const std::string& key = choice == 12 ? of_link.back() : dice_.pick(of_link);
    if (key == "tables") {
      set(link, key, "[" + toml_text(model_.tables()[terms_.tables.back()].id) + "]");
    } else if (key == "seed") {
      set(link, key,
          toml_text(toml_dollars(terms_.seeds.empty() ? 0 : terms_.seeds[0] + exact_cent)));
    } else if (key == "id") {
      set(link, key, toml_text("L-NEW"));
    } else {
      set(link, key, toml_text(dice_.pick(paytables)));
    }
  }

  const NaiveModel& model_;
  Dice& dice_;
  const NaiveTerms& terms_;
  const NaiveBook& book_;
  std::vector<std::string> tables_;
};

// Suspended, and without an open round on it.
bool may_change(const NaiveModel& model, std::uint32_t link) {
  if (model.books()[link].suspended.empty()) return false;
  for (const std::uint32_t table : model.terms()[link].tables) {
    for (const auto& [id, round] : model.tables()[table].rounds) {
      for (const NaiveWager& wager : round.wagers) {
        if (wager.link == link) return false;
      }
    }
  }
  return true;
}

// All links with one paytable share it.
bool may_alter_paytable(const NaiveModel& model, const NaiveTerms& terms) {
  for (std::uint32_t link = 0; link < model.terms().size(); ++link) {
    const NaiveTerms& other = model.terms()[link];
    const bool is_same = other.wager == terms.wager && other.given.paytable == terms.given.paytable;
    if (is_same && !may_change(model, link)) return false;
  }
  return true;
}

}  // namespace

// Most likely at a link that could accept it.
ChangeParameters PeopleTraffic::parameters(const NaiveModel& model) {
  std::vector<std::size_t> likely;
  for (std::size_t link = 0; link < model.books().size(); ++link) {
    if (!model.books()[link].suspended.empty()) likely.push_back(link);
  }
  // A chapter may be altered alone, or together with the floor file.
  std::vector<std::size_t> alterable;
  for (const std::size_t link : likely) {
    if (may_alter_paytable(model, model.terms()[link])) alterable.push_back(link);
  }
  std::vector<std::string> chapters = model.chapters();
  if (!alterable.empty() && dice_.percent(70)) {
    const NaiveTerms& terms = model.terms()[dice_.pick(alterable)];
    bool is_altered = false;
    for (int tries = 0; !is_altered && tries < 4; ++tries) {
      is_altered =
          alter_chapter(chapters, terms.wager, terms.given.paytable.text(), terms.rules, dice_);
    }
    if (is_altered && dice_.percent(70)) return {model.floor_text(), std::move(chapters)};
  }
  const bool is_any = likely.empty() || dice_.one_in(10);
  const std::size_t link = is_any ? dice_.below(model.books().size()) : dice_.pick(likely);
  return {Edit(model, link, dice_).text(), std::move(chapters)};
}

}  // namespace linkmeter
