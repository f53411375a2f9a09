#include "table-agent/panel/panel_driver.h"

#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "meters/values/refusal.h"
#include "table-agent/round/round_rules.h"

namespace linkmeter {

namespace {

constexpr std::string_view other_round = "round_unknown";

// Reasons that are not refusals of the controller, or need other words than those.
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> sentences = {{
    {"locked", "betting is not open: nothing is placed or taken back now"},
    {"not_placed", "no such wager lies at this seat"},
    {"seat_faulty", "the sensor of this seat is out of order"},
    {"device_faulty", "the table's sensors are out of order"},
    {"device_gone", "the table's sensors do not answer"},
    {"sensors_tell", "the sensors of the table tell the wagers"},
    {"round_open", "a round is on: close or void it first"},
    {"not_open", "betting is not open"},
    {"not_closed", "no more bets comes before the count"},
    {"counted", "the chips were counted already, and were another number"},
    {"not_counted", "count the chips first"},
    {"line_unknown", "no wager of this table has such a line"},
    {"message_too_long", "that is more than one message can hold"},
    {"nothing_to_lock", "no wager is left that may be locked"},
    {"state_unknown", "what lies on the sensors is not known yet"},
    {"busy", "too much of this table waits for the controller"},
    {"no_controller", "there is no connection to the controller"},
    {"catching_up", "what was said before is delivered first"},
    {"stopping", "this agent is being stopped"},
    {"no_answer", "the controller did not answer in time: try again"},
    {"not_left_open", "no round was left open"},
    {"read_only", "this table plays by itself: its panel only shows"},
    {"configuration_differs", "this agent runs with another floor file than the controller"},
    {"another_agent",
     "another agent of this table is connected, and this one waits until that one is gone"},
    {"frozen", "this table is frozen: no new round until two managers unfreeze it"},
    {"history_not_accepted",
     "the controller was restored from a backup: two managers are to accept that first"},
}};

}  // namespace

std::string panel_words(std::string_view why) {
  for (const auto& [name, words] : sentences) {
    if (name == why) return std::string(words);
  }
  if (const std::optional<Refusal> refusal = parse_refusal(why)) {
    return std::string(sentence(*refusal));
  }
  return std::string(why);
}

void PanelDriver::take_actions() {
  while (!machine_.is_pending()) {
    std::optional<PanelInbox::Asked> request = port_.next();
    if (!request) return;
    const std::string& id = request->touch.id;
    if (const auto known = answers_.find(id); known != answers_.end()) {
      port_.answer(request->ticket, known->second);
      continue;
    }
    PanelAnswer done = take(request->touch);
    if (machine_.is_pending()) {
      has_asked_ = true;
      asked_ticket_ = request->ticket;
      asked_id_ = id;
      return;
    }
    answer(request->ticket, id, std::move(done));
  }
}

void PanelDriver::settle(std::string_view why) {
  if (!std::exchange(has_asked_, false)) return;
  answer(asked_ticket_, asked_id_, {std::string(why)});
}

void PanelDriver::answer(std::uint64_t ticket, const std::string& id, PanelAnswer answer) {
  if (!answer.why.empty() && answer.words.empty()) answer.words = panel_words(answer.why);
  port_.answer(ticket, answer);
  answers_[id] = std::move(answer);
  answered_.push_back(id);
  if (answered_.size() <= answers_remembered) return;
  answers_.erase(answered_.front());
  answered_.pop_front();
}

PanelAnswer PanelDriver::take(const DealerAction& touch) {
  return std::visit([&](const auto& word) { return take(word, touch); }, touch.word);
}

PanelAnswer PanelDriver::take(const input::BettingSwitched& bets, const DealerAction& touch) {
  if (!touch.round.empty() && touch.round != machine_.round().next_id()) {
    // A repeat of "no more bets" that has already become the lock, possibly before a restart.
    const RoundRecord& round = machine_.round();
    if (!bets.open && round.number > 0 && touch.round == round.id()) return {};
    return {std::string(other_round)};
  }
  if (machine_.table().pot) return {std::string(name(Refusal::wrong_game))};
  if (device_ != nullptr && bets.open && !device_->is_connected()) return {"device_gone"};
  if (bets.open) return {std::string(machine_.open_bets())};
  const RoundMachine::Closing closing =
      device_ != nullptr ? device_->closing()
                         : RoundMachine::Closing{.bets_are_known = true,
                                                 .is_counted = machine_.bets().chips() > 0};
  return {std::string(machine_.close_bets(closing, touch.by))};
}

// If no betting is open, the answer says that instead.
bool PanelDriver::is_of_other_betting(const DealerAction& touch) const {
  return machine_.betting() == RoundMachine::Betting::open &&
         touch.round != machine_.round().next_id();
}

PanelAnswer PanelDriver::take(const input::WagerPlaced& placed, const DealerAction& touch) {
  if (device_ != nullptr) return {"sensors_tell"};
  if (is_of_other_betting(touch)) return {std::string(other_round)};
  return {std::string(machine_.place(placed.wager))};
}

PanelAnswer PanelDriver::take(const input::WagerRemoved& removed, const DealerAction& touch) {
  if (device_ != nullptr) return {"sensors_tell"};
  if (is_of_other_betting(touch)) return {std::string(other_round)};
  return {std::string(machine_.remove(removed.seat, removed.wager, removed.on_dealer))};
}

PanelAnswer PanelDriver::take(const input::ChipCount& count, const DealerAction& touch) {
  const bool is_counting = machine_.betting() == RoundMachine::Betting::counting;
  const RoundId round = is_counting ? machine_.round().next_id() : machine_.round().id();
  if (touch.round != round) return {std::string(other_round)};
  const bool bets_are_known = device_ == nullptr || device_->bets_are_known();
  return {std::string(machine_.count(count.chips, bets_are_known, touch.by))};
}

// No message: the controller does not know this round, and none of its lights was on.
PanelAnswer PanelDriver::take_back(const VoidRound& voided, const DealerAction& touch) {
  if (voided.round != machine_.round().next_id()) return {std::string(other_round)};
  if (device_ == nullptr || device_->bets_are_known()) return {"not_counted"};
  if (PanelAnswer no = check_reason(voided.reason); !no.why.empty()) return no;
  machine_.end_counting("device_gone");
  tell_("round " + voided.round.text() + " was not counted: its sensors were gone, and " +
        touch.by.text() + " gave the wagers back: " + voided.reason);
  return {};
}

PanelAnswer PanelDriver::take(const touch::Submit& submitted, const DealerAction& touch) {
  const std::string mark = "touch " + touch.id;
  if (machine_.round().was_submitted(mark)) return {};
  const auto* voided = std::get_if<VoidRound>(&submitted.command);
  if (voided != nullptr && !voided->seat && machine_.betting() == RoundMachine::Betting::counting) {
    return take_back(*voided, touch);
  }
  if (const auto* pot = std::get_if<PlayPot>(&submitted.command)) {
    if (PanelAnswer no = object(machine_.table(), *pot); !no.why.empty()) return no;
    return {std::string(machine_.play_pot(*pot, mark))};
  }
  // First check what the round allows.
  if (PanelAnswer no = object(machine_, submitted); !no.why.empty()) return no;
  return {std::string(machine_.submit(submitted.command, mark))};
}

PanelAnswer PanelDriver::take(const touch::CallFloor&, const DealerAction&) { return {}; }

PanelAnswer PanelDriver::take(const touch::GoOn&, const DealerAction& touch) {
  const bool was_left_open = machine_.round().is_left_open;
  const std::string_view why = machine_.resume(touch.round);
  if (why.empty() && was_left_open) {
    tell_("round " + touch.round.text() + " was left open, and " + touch.by.text() +
          " goes on with it");
  }
  return {std::string(why)};
}

}  // namespace linkmeter
