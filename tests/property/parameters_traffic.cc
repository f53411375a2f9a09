// People traffic: a change of parameters, as an edit of the floor file in force.

#include <algorithm>
#include <vector>

#include "tests/property/people_traffic.h"

namespace linkmeter {

namespace {

std::string in_dollars(Exact units) {
  const std::string exact = exact_text(units);
  return exact.substr(0, exact.size() - 6);
}

// The floor file as its tables: "[[link]]", "[[table]]" and what stands before them.
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

// `key = value` in place of what the table says of it, or beside it.
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

bool has(const std::string& table, const std::string& key) {
  return table.find("\n" + key + " = ") != std::string::npos;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string level_values(const NaiveTerms& terms, const std::vector<std::string>& values) {
  if (values.size() == 1) return values[0];
  std::string all;
  for (std::size_t at = 0; at < values.size(); ++at) {
    all += (at == 0 ? "{ " : ", ") + terms.rules.levels[at].level + " = " + values[at];
  }
  return all + " }";
}

}  // namespace

// What links call their own, most likely one of a link that could take it.
ChangeParameters PeopleTraffic::parameters(const NaiveModel& model) {
  std::vector<std::size_t> likely;
  for (std::size_t link = 0; link < model.books().size(); ++link) {
    if (!model.books()[link].suspended.empty()) likely.push_back(link);
  }
  const bool is_any = likely.empty() || dice_.one_in(10);
  const std::size_t link = is_any ? dice_.below(model.books().size()) : dice_.pick(likely);
  const NaiveTerms& terms = model.terms()[link];
  std::vector<std::string> tables = tables_of(model.floor_text());
  const auto named = [&](const std::string& id) {
    return std::find_if(tables.begin(), tables.end(), [&id](const std::string& one) {
      return one.find("\nid = " + quoted(id) + "\n") != std::string::npos;
    });
  };
  const auto at = named(terms.id);
  const std::vector<std::string> options{"any_20",
                                         "magic_card",
                                         "lucky_bonus",
                                         "payout_limit_caps_meter",
                                         "fold_forfeits",
                                         "folded_hand_gives_envy",
                                         "envy_of_non_bettors"};
  if (at == tables.end()) return {model.floor_text(), {}};
  std::vector<std::string> amounts;
  const std::size_t levels = terms.seeds.size();
  switch (dice_.below(14)) {
    case 0:
    case 1: {  // a rate of the house
      std::string rates = "{ main = " + quoted(std::to_string(12 + dice_.below(30)) + "." +
                                               std::to_string(dice_.below(10'000)) + "%");
      if (dice_.percent(60)) {
        rates += ", reserve = " + quoted(std::to_string(dice_.below(20)) + "%");
      }
      set(*at, "rates", rates + " }");
      break;
    }
    case 2:
    case 3:
      for (std::size_t level = 0; level < levels; ++level) {  // close to the meter
        const Exact held = model.books()[link].levels[level].held;
        const Exact near =
            held - held % exact_cent + exact_cent * (dice_.one_in(3) ? -1 : dice_.between(0, 300));
        amounts.push_back(quoted(in_dollars(near < 0 ? 0 : near)));
      }
      if (levels > 0) set(*at, "limit", level_values(terms, amounts));
      break;
    case 4:
      for (std::size_t level = 0; level < levels; ++level) {
        amounts.push_back(
            quoted(in_dollars(terms.seeds[level] + exact_cent * dice_.between(0, 99))));
      }
      if (levels > 0) set(*at, "reseed", level_values(terms, amounts));
      break;
    case 5: {
      const std::string& option = dice_.pick(options);
      if (has(*at, option) || dice_.percent(80))
        set(*at, option, dice_.one_in(2) ? "true" : "false");
      break;
    }
    case 6:
      set(*at, "payout_limit", quoted(std::to_string(25'000 + dice_.below(4) * 1'000)));
      break;
    case 7: {
      const auto table = named(model.tables()[terms.tables[0]].id);
      if (dice_.one_in(2)) {
        set(*table, "asset", quoted("T-" + std::to_string(dice_.below(9))));
      } else {
        set(*table, "draw_rate", quoted(std::to_string(1 + dice_.below(100)) + "%"));
      }
      break;
    }
    case 8: {
      if (has(*at, "unit")) set(*at, "unit", quoted(dice_.one_in(2) ? "1.00" : "5.00"));
      if (has(*at, "maximum")) set(*at, "maximum", quoted(std::to_string(20 + dice_.below(10))));
      break;
    }
    case 9:
      set(*at, "contribution",
          "{ minimum_pot = \"" + std::to_string(10 + dice_.below(20)) + ".00\", amount = \"" +
              std::to_string(1 + dice_.below(2)) + ".00\" }");
      break;
    case 10: {
      const auto table = named(model.tables()[terms.tables[0]].id);
      const std::vector<std::string> keys{"id", "seats", "game"};
      const std::string& key = dice_.pick(keys);
      set(*table, key, key == "seats" ? "2" : quoted(key == "id" ? "T-NEW" : "crazy-4"));
      break;
    }
    case 11: {
      const std::vector<std::string> keys{"seed", "id", "paytable", "tables"};
      const std::string& key = dice_.pick(keys);
      set(*at, key,
          key == "tables" ? "[\"" + model.tables()[terms.tables.back()].id + "\"]"
          : key == "seed"
              ? quoted(in_dollars(terms.seeds.empty() ? 0 : terms.seeds[0] + exact_cent))
          : key == "id" ? quoted("L-NEW")
                        : quoted(dice_.one_in(2) ? "C" : "D"));
      break;
    }
    case 12:
      if (dice_.one_in(2)) tables.erase(at);
      break;
    default: set(tables.front(), "name", quoted("House " + std::to_string(dice_.below(5)))); break;
  }
  std::string text;
  for (const std::string& one : tables) text += one;
  return {text, {}};
}

}  // namespace linkmeter
