#include "controller/web/still_of.h"

#include <algorithm>

namespace linkmeter {
namespace {

// "royal_flush" as "royal flush".
std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// "50000.90" as "$50,000.90".
std::string in_dollars(std::string amount) {
  for (std::size_t at = amount.find('.'); at != std::string::npos && at > 3; at -= 3) {
    amount.insert(at - 3, ",");
  }
  return "$" + amount;
}

std::string wager_words(const Json& update) {
  if (update.at("unit").is_string()) return in_dollars(update.at("unit")) + " wager";
  if (!update.at("minimum").is_string()) return "";
  return in_dollars(update.at("minimum")) + " to " + in_dollars(update.at("maximum")) + " wager";
}

std::string notice_words(const Json& update) {
  if (update.at("status") != "operating") {
    return "Suspended: " + update.at("reason").get<std::string>();
  }
  return update.at("pending_adjustment").get<bool>() ? "Pending adjustment" : "";
}

}  // namespace

std::optional<std::pair<int, int>> still_size(const std::string& text) {
  if (text == "1920x1080") return std::pair(1'920, 1'080);
  if (text == "3840x2160") return std::pair(3'840, 2'160);
  if (text == "1080x1920") return std::pair(1'080, 1'920);
  return std::nullopt;
}

SignStill still_of(const Json& update) {
  SignStill still;
  still.house = update.at("house");
  still.title = update.at("game").get<std::string>() + " \u00b7 " +
                update.at("progressive").get<std::string>();
  still.wager = wager_words(update);
  still.notice = notice_words(update);
  for (const Json& level : update.at("levels")) {
    std::string won_by;
    for (const Json& line : level.at("lines")) {
      won_by += (won_by.empty() ? "" : ", ") + in_words(line.at("line")) +
                (line.contains("or_better") ? " or better, beaten, " : " ") +
                line.at("pays").get<std::string>();
    }
    still.levels.push_back({level.at("level"), in_dollars(level.at("amount")), won_by});
  }
  still.tables = "Tables";
  for (const Json& table : update.at("tables")) {
    still.tables += " " + table.at("table").get<std::string>();
    if (table.at("state") != "linked") still.tables += " (out of service)";
  }
  const std::string as_of = update.at("as_of");
  still.as_of = "as of " + as_of.substr(0, 10) + " " + as_of.substr(11, 8) + " UTC \u00b7 entry " +
                std::to_string(update.at("sequence").get<std::uint64_t>());
  return still;
}

}  // namespace linkmeter
