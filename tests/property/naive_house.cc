#include "tests/property/naive_house.h"

#include <utility>

namespace linkmeter {

namespace {

// The words of a line: texts in quotation marks, and whole numbers.
std::vector<std::string> words_of(const std::string& text, const std::string& key) {
  std::vector<std::string> words;
  const std::size_t from = text.find("\n" + key + " = ");
  if (from == std::string::npos) return words;
  const std::string line = text.substr(from + 1, text.find('\n', from + 1) - from - 1);
  for (std::size_t at = line.find('['); at < line.size(); ++at) {
    if (line[at] == '"') {
      const std::size_t end = line.find('"', at + 1);
      words.push_back(line.substr(at + 1, end - at - 1));
      at = end;
    } else if (line[at] >= '0' && line[at] <= '9') {
      const std::size_t end = line.find_first_not_of("0123456789", at);
      words.push_back(line.substr(at, end - at));
      at = end - 1;
    }
  }
  return words;
}

// The text of the line in quotation marks; "" if there is none.
void read_text(const std::string& floor_text, const std::string& key, std::string& into) {
  const std::string line = "\n" + key + " = \"";
  const std::size_t from = floor_text.find(line);
  if (from == std::string::npos) return;
  const std::size_t begin = from + line.size();
  into = floor_text.substr(begin, floor_text.find('"', begin) - begin);
}

// Parses "1200.00".
Exact in_units(const std::string& amount) {
  const std::size_t point = amount.find('.');
  return (Exact{std::stoll(amount.substr(0, point))} * 100 + std::stoll(amount.substr(point + 1))) *
         exact_cent;
}

// Midnight in New York, where the test's houses are: five hours behind UTC in winter, four in
// summer. The tests' days are not near a clock change.
std::int64_t midnight_us(const std::string& date) {
  const int year = std::stoi(date.substr(0, 4));
  const int month = std::stoi(date.substr(5, 2));
  std::int64_t days = std::stoi(date.substr(8, 2)) - 1;
  const auto is_leap = [](int one) { return one % 4 == 0 && (one % 100 != 0 || one % 400 == 0); };
  for (int before = 1970; before < year; ++before) days += is_leap(before) ? 366 : 365;
  const std::vector<int> lengths{31, is_leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
                                 31};
  for (int before = 1; before < month; ++before)
    days += lengths.at(static_cast<std::size_t>(before) - 1);
  const bool is_summer = month >= 4 && month <= 10;
  return (days * 24 + (is_summer ? 4 : 5)) * 3'600'000'000;
}

std::string in_dollars(Exact units) {
  const std::string exact = exact_text(units);
  return "$" + exact.substr(0, exact.size() - 6);
}

}  // namespace

NaiveHouse NaiveHouse::of(const std::string& floor_text) {
  NaiveHouse house;
  for (const std::string& word : words_of(floor_text, "second_signature")) {
    if (word == "floorperson") {
      house.ladder.back().roles.insert(Role::floorperson);
    } else if (word == "table_games_manager") {
      house.ladder.back().roles.insert(Role::table_games_manager);
    } else {
      house.ladder.push_back({in_units(word), {}});
    }
  }
  read_text(floor_text, "timezone", house.timezone);
  read_text(floor_text, "gaming_day_start", house.gaming_day_start);
  const std::vector<std::string> words = words_of(floor_text, "taxable");
  for (std::size_t at = 0; at + 2 < words.size(); at += 3) {
    house.thresholds.push_back(
        {words[at], midnight_us(words[at]), in_units(words[at + 1]), std::stoll(words[at + 2])});
  }
  return house;
}

const NaiveStep* NaiveHouse::step(Exact amount) const {
  for (std::size_t at = ladder.size(); at > 0; --at) {
    if (ladder[at - 1].from <= amount) return &ladder[at - 1];
  }
  return nullptr;
}

const NaiveThreshold* NaiveHouse::threshold(std::int64_t moment_us) const {
  for (std::size_t at = thresholds.size(); at > 0; --at) {
    if (thresholds[at - 1].since_us <= moment_us) return &thresholds[at - 1];
  }
  return nullptr;
}

std::string NaiveHouse::ladder_text() const {
  std::string text;
  for (const NaiveStep& one : ladder) {
    text += (text.empty() ? "" : ", ") + in_dollars(one.from);
    if (one.roles.count(Role::floorperson) != 0) text += " floorperson";
    if (one.roles.count(Role::table_games_manager) != 0) text += " table_games_manager";
  }
  return text.empty() ? "none" : text;
}

std::string NaiveHouse::thresholds_text() const {
  std::string text;
  for (const NaiveThreshold& one : thresholds) {
    text += (text.empty() ? "" : ", ") + one.date + " " + in_dollars(one.amount) + " and " +
            std::to_string(one.ratio) + " times the wager";
  }
  return text.empty() ? "none" : text;
}

}  // namespace linkmeter
