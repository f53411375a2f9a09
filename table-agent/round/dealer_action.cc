#include "table-agent/round/dealer_action.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "proto/codec/json_nesting.h"
#include "proto/codec/round_script.h"

namespace linkmeter {

namespace {

using Json = nlohmann::json;

// Reads the keys of one object. It keeps the first mistake.
class DealerActionReader {
 public:
  explicit DealerActionReader(const Json& json) : json_(json) {}

  void allow(std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : json_.items()) {
      const bool is_known = key == "do" || key == "id" || key == "round" ||
                            std::find(keys.begin(), keys.end(), key) != keys.end();
      if (!is_known) mistaken("the touch does not take the key \"" + key + "\"");
    }
  }
  std::string text(const char* key, bool is_required = true) {
    const auto found = json_.find(key);
    if (found == json_.end()) {
      if (is_required) mistaken("the touch lacks the key \"" + std::string(key) + "\"");
      return {};
    }
    if (!found->is_string()) mistaken("\"" + std::string(key) + "\" must be a text");
    return found->is_string() ? found->get<std::string>() : std::string();
  }
  bool boolean(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_boolean()) {
      mistaken("\"" + std::string(key) + "\" must be true or false");
      return false;
    }
    return found->get<bool>();
  }
  std::uint64_t number(const char* key, std::uint64_t max) {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > max) {
      mistaken("\"" + std::string(key) + "\" must be a whole number of at most " +
               std::to_string(max));
      return 0;
    }
    return found->get<std::uint64_t>();
  }
  Seat seat() {
    return Seat(
        static_cast<std::uint8_t>(number("seat", std::numeric_limits<std::uint8_t>::max())));
  }
  // Whether the wager is on the dealer's hand.
  bool on_dealer() {
    const std::string on = text("on", false);
    if (!on.empty() && on != "own" && on != "dealer") {
      mistaken("\"on\" must be \"own\" or \"dealer\"");
    }
    return on == "dealer";
  }
  WagerId wager() {
    std::string id = text("wager");
    if (!is_well_formed_name(id)) mistaken("\"wager\" must be the id of a wager");
    return WagerId(std::move(id));
  }
  Amount amount() {
    const std::optional<Amount> amount = parse_cents(text("amount"));
    if (!amount) mistaken("\"amount\" must be dollars and cents, like \"5.00\"");
    return amount.value_or(Amount());
  }
  [[nodiscard]] const std::string& mistake() const { return mistake_; }
  void mistaken(std::string how) {
    if (mistake_.empty()) mistake_ = std::move(how);
  }

 private:
  const Json& json_;
  std::string mistake_;
};

// Reads an action that is a floor-script event with additional keys; the script's reader reads it.
DealerAction::Word read_event(const Json& json, const std::string& event, DealerActionReader& in) {
  touch::Submit submitted;
  Json script = json;
  script.erase("do");
  script.erase("id");
  script["event"] = event;
  if (const auto passed = json.find("passed"); passed != json.end() && event == "show") {
    script.erase("passed");
    if (!passed->is_array()) in.mistaken("\"passed\" must be a list of seats");
    for (const Json& seat : *passed) {
      if (!seat.is_number_unsigned() || seat.get<std::uint64_t>() > 255) {
        in.mistaken("\"passed\" must be a list of seats");
        break;
      }
      submitted.passed.emplace_back(static_cast<std::uint8_t>(seat.get<std::uint64_t>()));
    }
  }
  if (json.contains("by")) in.mistaken("who did it is who is signed in: \"by\" is not taken");
  if (!in.mistake().empty()) return submitted;
  auto parsed = parse_script_line(script.dump(-1, ' ', true, Json::error_handler_t::replace));
  if (const auto* error = std::get_if<ScriptError>(&parsed)) {
    in.mistaken(error->message);
    return submitted;
  }
  auto* command = std::get_if<TableCommand>(&std::get<ScriptEvent>(parsed));
  if (command == nullptr) return in.mistaken("not an event of a round"), submitted;
  submitted.command = std::move(*command);
  return submitted;
}

constexpr std::array<std::string_view, 5> round_events = {"show", "close", "void", "resolve",
                                                          "pot"};

DealerAction::Word read_word(const Json& json, const std::string& what, DealerActionReader& in) {
  if (what == "open_bets" || what == "close_bets") {
    in.allow({});
    return input::BettingSwitched{what == "open_bets"};
  }
  if (what == "place") {
    in.allow({"seat", "wager", "amount", "on"});
    AskedWager wager;
    wager.seat = in.seat();
    wager.wager = in.wager();
    wager.amount = in.amount();
    wager.on_dealer = in.on_dealer();
    return input::WagerPlaced{wager};
  }
  if (what == "remove") {
    in.allow({"seat", "wager", "on"});
    input::WagerRemoved removed{in.seat(), in.wager()};
    removed.on_dealer = in.on_dealer();
    return removed;
  }
  if (what == "count") {
    in.allow({"chips"});
    constexpr std::uint64_t chips_max = 9'999;
    return input::ChipCount{static_cast<std::uint32_t>(in.number("chips", chips_max))};
  }
  if (what == "go_on") {
    in.allow({});
    return touch::GoOn{};
  }
  if (what == "call_floor") {
    in.allow({"calls"});
    return touch::CallFloor{in.boolean("calls")};
  }
  if (std::find(round_events.begin(), round_events.end(), what) != round_events.end()) {
    return read_event(json, what, in);
  }
  in.mistaken("\"do\" must name an action of a dealer");
  return input::BettingSwitched{};
}

bool is_well_formed_id(const std::string& id) {
  return id.size() <= action_id_length_max && is_well_formed_name(id);
}

}  // namespace

std::variant<DealerAction, DealerActionError> parse_dealer_action(std::string_view body) {
  if (is_nested_too_deep(body)) return DealerActionError{"the body is nested too deep"};
  const Json json = Json::parse(body, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return DealerActionError{"the body is no JSON object"};
  const auto found = json.find("touch");
  if (found == json.end() || !found->is_object()) {
    return DealerActionError{"the body lacks the object \"touch\""};
  }
  DealerActionReader in(*found);
  DealerAction touch;
  const std::string what = in.text("do");
  touch.id = in.text("id");
  touch.round = RoundId(in.text("round", false));
  touch.word = read_word(*found, what, in);
  if (!is_well_formed_id(touch.id)) in.mistaken("\"id\" must be a name of 1 to 64 characters");
  if (!touch.round.empty() && !is_well_formed_text(touch.round.text(), limits::name_length_max)) {
    in.mistaken("\"round\" must be the id of a round");
  }
  if (!in.mistake().empty()) return DealerActionError{in.mistake()};
  return touch;
}

std::string_view name(const DealerAction& touch) {
  if (const auto* bets = std::get_if<input::BettingSwitched>(&touch.word)) {
    return bets->open ? "open_bets" : "close_bets";
  }
  if (const auto* submitted = std::get_if<touch::Submit>(&touch.word))
    return event_name(submitted->command);
  if (std::holds_alternative<input::WagerPlaced>(touch.word)) return "place";
  if (std::holds_alternative<input::WagerRemoved>(touch.word)) return "remove";
  if (std::holds_alternative<input::ChipCount>(touch.word)) return "count";
  if (std::holds_alternative<touch::GoOn>(touch.word)) return "go_on";
  return "call_floor";
}

void sign(DealerAction& touch, const Badge& by) {
  touch.by = by;
  if (auto* submitted = std::get_if<touch::Submit>(&touch.word)) {
    std::visit([&by](auto& command) { command.by = by; }, submitted->command);
  }
}

}  // namespace linkmeter
