#include "table-agent/simulator/device_account.h"

#include <algorithm>

#include "meters/values/amount.h"

namespace linkmeter {

std::string json_text(const DeviceAccount& account) {
  const auto number = [](const char* key, auto value) {
    return "\"" + std::string(key) + "\":" + std::to_string(value) + ",";
  };
  std::string wagers, complaints;
  for (const auto& [wager, count] : account.wagers) {
    wagers += (wagers.empty() ? "" : ",") + ("\"" + wager.text() + "\":{\"wagers\":") +
              std::to_string(count) + ",\"handle\":\"" +
              text_cents(Amount::cents(account.handle_cents.at(wager))) + "\"}";
  }
  for (std::string complaint : account.complaints) {
    std::replace(complaint.begin(), complaint.end(), '"', '\'');
    complaints += (complaints.empty() ? "\"" : ",\"") + complaint + "\"";
  }
  return "{" + number("rounds", account.rounds) + number("voided", account.voided) +
         number("blocked", account.blocked) + number("given_back", account.given_back) +
         number("wins", account.wins) + "\"win\":\"" +
         text_cents(Amount::cents(account.win_cents)) + "\"," + number("lost", account.lost) +
         number("doubled", account.doubled) + number("held_back", account.held_back) +
         number("damaged", account.damaged) + number("dropped", account.dropped) +
         number("power_lost", account.power_lost) + "\"wagers\":{" + wagers + "},\"complaints\":[" +
         complaints + "]}";
}

}  // namespace linkmeter
