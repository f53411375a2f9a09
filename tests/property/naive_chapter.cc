#include "tests/property/naive_chapter.h"

#include <algorithm>
#include <sstream>

namespace linkmeter {

namespace {

const std::string altered_mark = "# altered: ";

std::string game_of(const std::string& wager) { return wager.substr(0, wager.find('/')); }

// The chapter's text from the wager's paytable on, as positions in it.
struct Place {
  std::string* text = nullptr;
  std::size_t wager = std::string::npos;
  std::size_t lines = std::string::npos;
};

Place find_place(std::vector<std::string>& chapters, const std::string& wager,
                 const std::string& paytable) {
  for (std::string& chapter : chapters) {
    if (chapter_game(chapter) != game_of(wager)) continue;
    const std::size_t at = chapter.find("\nid = \"" + wager + "\"\n");
    if (at == std::string::npos) return {};
    const std::string id = paytable.empty() ? "" : "\nid = \"" + paytable + "\"\n";
    const std::size_t from = chapter.find("[[wager.paytable]]", at);
    return {&chapter, at, chapter.find("lines = [", chapter.find(id, from))};
  }
  return {};
}

// Replaces the text between quotes after `key`, which stands after `from`.
bool replace_after(std::string& text, std::size_t from, const std::string& key,
                   const std::string& end, const std::string& by) {
  const std::size_t at = text.find(key, from);
  if (at == std::string::npos) return false;
  const std::size_t first = at + key.size();
  text.replace(first, text.find(end, first) - first, by);
  return true;
}

std::size_t line_at(const Place& place, const std::string& line) {
  return place.text->find("line = \"" + line + "\"", place.lines);
}

// The whole row of a line of the paytable.
std::string cut_row(const Place& place, const std::string& line) {
  const std::size_t first = place.text->rfind('\n', line_at(place, line)) + 1;
  const std::size_t last = place.text->find('\n', first) + 1;
  const std::string row = place.text->substr(first, last - first);
  place.text->erase(first, last - first);
  return row;
}

bool has_envy(const NaiveRules& rules, const std::string& line) {
  return std::any_of(rules.envy.begin(), rules.envy.end(),
                     [&line](const NaiveEnvy& envy) { return envy.line == line; });
}

void apply(const std::string& kind, const std::string& what, std::int64_t value,
           NaiveRules& rules) {
  if (kind == "from") rules.claim_from = value;
  for (NaiveEnvy& envy : rules.envy) {
    if (envy.line != what) continue;
    if (kind == "envy on one") envy.one_dollar = value;
    if (kind == "envy on five") envy.five_dollars = value;
  }
  const auto line = std::find_if(rules.lines.begin(), rules.lines.end(),
                                 [&what](const NaiveLine& one) { return one.line == what; });
  if (line == rules.lines.end()) return;
  if (kind == "pays") line->times = value;
  if (kind == "last") std::rotate(line, line + 1, rules.lines.end());
  if (kind == "gone") rules.lines.erase(line);
}

}  // namespace

std::string chapter_game(const std::string& chapter) {
  const std::string key = "\ngame = \"";
  const std::size_t at = chapter.find(key) + key.size();
  return chapter.substr(at, chapter.find('"', at) - at);
}

bool alter_chapter(std::vector<std::string>& chapters, const std::string& wager,
                   const std::string& paytable, const NaiveRules& rules, Dice& dice) {
  const Place place = find_place(chapters, wager, paytable);
  if (place.lines == std::string::npos || rules.lines.empty()) return false;
  const auto note = [&](const std::string& of, const std::string& kind, const std::string& what,
                        std::int64_t value) {
    *place.text += altered_mark + wager + "|" + of + "|" + kind + "|" + what + "|" +
                   std::to_string(value) + "\n";
    return true;
  };
  if (rules.claim_from && dice.one_in(6)) {
    const std::int64_t from = dice.between(0, 600);
    return replace_after(*place.text, place.wager, "verified = { from = ", ",",
                         std::to_string(from)) &&
           note("*", "from", "", from);
  }
  if (!rules.envy.empty() && dice.one_in(2)) {
    const NaiveEnvy& envy = dice.pick(rules.envy);
    const bool is_one = envy.one_dollar > 0 && dice.one_in(2);
    const std::int64_t dollars = dice.between(1, 2'000);
    const std::string key = is_one              ? "\"1.00\" = \""
                            : envy.five_or_more ? "\"5.00 or more\" = \""
                                                : "\"5.00\" = \"";
    // Its line stands in the paytable first.
    const std::size_t at =
        place.text->find("line = \"" + envy.line + "\"", line_at(place, envy.line) + 1);
    return replace_after(*place.text, at, key, "\"", std::to_string(dollars) + ".00") &&
           note(paytable, is_one ? "envy on one" : "envy on five", envy.line, dollars);
  }
  const NaiveLine& line = dice.pick(rules.lines);
  if (!line.level.empty() || line.line == "player_20") return false;
  const bool may_go = !has_envy(rules, line.line) && rules.lines.size() > 2;
  if (may_go && dice.one_in(6)) {
    cut_row(place, line.line);
    return note(paytable, "gone", line.line, 0);
  }
  if (dice.one_in(6)) {
    const std::string row = cut_row(place, line.line);
    place.text->insert(place.text->find("\n]", place.lines) + 1, row);
    return note(paytable, "last", line.line, 0);
  }
  const std::int64_t times = dice.between(1, static_cast<int>(line.times) + 9);
  return replace_after(*place.text, line_at(place, line.line), "pays = \"", " ",
                       std::to_string(times)) &&
         note(paytable, "pays", line.line, times);
}

void apply_notes(const std::vector<std::string>& chapters, const std::string& wager,
                 const std::string& paytable, NaiveRules& rules) {
  for (const std::string& chapter : chapters) {
    for (std::size_t at = chapter.find(altered_mark); at != std::string::npos;
         at = chapter.find(altered_mark, at + 1)) {
      std::istringstream note(chapter.substr(at + altered_mark.size()));
      std::string whose, of, kind, what, value;
      std::getline(note, whose, '|');
      std::getline(note, of, '|');
      std::getline(note, kind, '|');
      std::getline(note, what, '|');
      std::getline(note, value);
      if (whose == wager && (of == "*" || of == paytable)) {
        apply(kind, what, std::stoll(value), rules);
      }
    }
  }
}

}  // namespace linkmeter
