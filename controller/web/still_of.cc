#include "controller/web/still_of.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "controller/time/local_time.h"
#include "controller/time/time_text.h"
#include "controller/view/format.h"

namespace linkmeter {
namespace {

// "royal_flush" as "royal flush".
std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// "50000.90" as "$50,000.90".
std::string in_dollars(const std::string& amount) { return "$" + grouped(amount); }

std::string wager_words(const Json& update) {
  if (update.at("unit").is_string()) return in_dollars(update.at("unit")) + " wager";
  if (!update.at("minimum").is_string()) return "";
  return in_dollars(update.at("minimum")) + " to " + in_dollars(update.at("maximum")) + " wager";
}

// Nobody says what holds now: what held before is no amount any more.
bool is_stale(const Json& update) {
  const Json& age = update.at("age_ms");
  return age.is_number() && age > update.at("maximum_age_ms");
}

std::string ended_words(const Json& update) {
  const Json& to = update.at("went_to");
  if (!to.is_object()) return "This progressive has ended";
  return "This progressive has ended; its amount was moved to " + to.at("link").get<std::string>() +
         " " + to.at("level").get<std::string>();
}

std::string notice_words(const Json& update) {
  if (is_stale(update)) return "Amount not available";
  if (update.at("discontinued").get<bool>()) return ended_words(update);
  if (update.at("status") != "operating") {
    return "Suspended: " + update.at("reason").get<std::string>();
  }
  if (update.at("pending_adjustment").get<bool>()) return "Pending adjustment";
  return update.at("collecting").get<bool>() ? "" : "No more wagers are taken";
}

// "Straight flush".
std::string as_title(const std::string& name) {
  std::string title = in_words(name);
  if (!title.empty()) {
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  }
  return title;
}

// "Table C4-01 \u00b7 T-1041": what is not empty.
std::string with_dots(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty() && !text.empty()) text += " \u00b7 ";
    text += part;
  }
  return text;
}

std::string place_words(const Json& award) {
  return with_dots({"Table " + award.at("table").get<std::string>(), award.at("asset")});
}

std::string seat_words(const Json& award) {
  const Json& seats = award.at("seats");
  if (seats.empty()) return "Seat " + award.at("seat").dump();
  std::vector<int> numbers;
  for (const Json& one : seats) numbers.push_back(one.at("seat").get<int>());
  std::sort(numbers.begin(), numbers.end());
  std::string text = "Seats";
  for (const int number : numbers) {
    text += (number == numbers.front() ? " " : ", ") + std::to_string(number);
  }
  return text + ", shared";
}

std::string state_words(const Json& award) {
  const std::string state = award.at("state");
  return state == "raised" ? "Pending" : state == "validated" ? "Verified" : "Paid";
}

void add_levels(const Json& update, SignStill& still) {
  for (const Json& level : update.at("levels")) {
    std::string won_by;
    for (const Json& line : level.at("lines")) {
      won_by += (won_by.empty() ? "" : ", ") + in_words(line.at("line")) +
                (line.contains("or_better") ? " or better, beaten, " : " ") +
                line.at("pays").get<std::string>();
    }
    still.levels.push_back({level.at("level"), in_dollars(level.at("amount")), won_by});
  }
}

// The latest win stands large for half a minute, as on the page; every other one that is not
// settled in a line of its own.
void add_wins(const Json& update, SignStill& still) {
  constexpr std::int64_t large_ms = 30'000;
  constexpr std::size_t lines_max = 3;
  for (const Json& award : update.at("awards")) {
    const std::string state = award.at("state");
    if (state == "rejected") continue;
    const bool is_fresh = award.at("since_ms").get<std::int64_t>() < large_ms;
    const std::string amount = in_dollars(award.at("amount"));
    const std::string line = as_title(award.at("line"));
    if (is_fresh && !still.win) {
      const bool has_levels = update.at("levels").size() > 1;
      const std::string level = has_levels ? as_title(award.at("level")) : std::string();
      still.win =
          SignStill::Win{with_dots({line, level}), amount,
                         with_dots({place_words(award), seat_words(award)}), state_words(award)};
    } else if (state != "paid" && still.lines.size() < lines_max) {
      still.lines.push_back(with_dots({line, place_words(award), amount, state_words(award)}));
    }
  }
}

}  // namespace

std::optional<std::pair<int, int>> still_size(const std::string& text) {
  if (text == "1920x1080") return std::pair(1'920, 1'080);
  if (text == "3840x2160") return std::pair(3'840, 2'160);
  if (text == "1080x1920") return std::pair(1'080, 1'920);
  return std::nullopt;
}

SignStill still_of(const Json& update, const std::string& zone) {
  SignStill still;
  still.house = update.at("house");
  still.title = update.at("game").get<std::string>() + " \u00b7 " +
                update.at("progressive").get<std::string>();
  still.wager = wager_words(update);
  still.notice = notice_words(update);
  if (!is_stale(update)) {
    if (!update.at("discontinued").get<bool>()) add_levels(update, still);
    add_wins(update, still);
  }
  still.tables = "Tables";
  for (const Json& table : update.at("tables")) {
    still.tables += " " + table.at("table").get<std::string>();
    if (table.at("state") != "linked") still.tables += " (out of service)";
  }
  const std::string as_of = update.at("as_of");
  const std::optional<Timestamp> moment = parse_moment(as_of);
  still.as_of = "as of " + (moment ? local_text(*moment, zone) : as_of) + " \u00b7 entry " +
                std::to_string(update.at("sequence").get<std::uint64_t>());
  return still;
}

}  // namespace linkmeter
