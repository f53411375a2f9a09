#include "table-agent/simulator/device_account.h"

#include <nlohmann/json.hpp>

#include "meters/values/amount.h"

namespace linkmeter {

std::string json_text(const DeviceAccount& account) {
  using OrderedJson = nlohmann::ordered_json;
  OrderedJson wagers = OrderedJson::object();
  for (const auto& [wager, count] : account.wagers) {
    const Amount handle = Amount::cents(account.handle_cents.at(wager));
    wagers[wager.text()] = {{"wagers", count}, {"handle", text_cents(handle)}};
  }
  const OrderedJson json = {{"rounds", account.rounds},
                            {"voided", account.voided},
                            {"blocked", account.blocked},
                            {"given_back", account.given_back},
                            {"wins", account.wins},
                            {"win", text_cents(Amount::cents(account.win_cents))},
                            {"lost", account.lost},
                            {"doubled", account.doubled},
                            {"held_back", account.held_back},
                            {"damaged", account.damaged},
                            {"dropped", account.dropped},
                            {"power_lost", account.power_lost},
                            {"wagers", wagers},
                            {"complaints", account.complaints}};
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace linkmeter
