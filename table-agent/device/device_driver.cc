#include "table-agent/device/device_driver.h"

#include <utility>
#include <variant>

#include "proto/codec/round_script.h"

namespace linkmeter {

namespace {

using Betting = RoundMachine::Betting;

constexpr std::int64_t state_again_us = 500'000;

}  // namespace

DeviceDriver::DeviceDriver(const Setup& setup)
    : machine_(setup.machine),
      port_(setup.port),
      tell_(setup.tell),
      is_counted_elsewhere_(setup.is_counted_elsewhere),
      session_(setup.table, setup.new_word, setup.intervals) {}

void DeviceDriver::update(Timestamp now) {
  now_ = now;
  if (!port_.open(now)) return note_connection(false);
  note_connection(true);
  if (!machine_.is_pending()) {
    const auto bytes = port_.read(now);
    if (bytes) cutter_.add(*bytes);
    take_lines();
    if (!bytes || session_.is_silent(now)) {
      port_.close(now);
      return note_connection(false);
    }
  }
  paint();
  flush();
}

std::optional<Timestamp> DeviceDriver::wakes_at() const {
  std::optional<Timestamp> next = port_.wakes_at();
  const auto alive = is_connected_ ? session_.wakes_at() : std::nullopt;
  if (!next || (alive && *alive < *next)) next = alive;
  return next;
}

void DeviceDriver::settle(std::string_view why) {
  if (!std::exchange(has_asked_, false)) return;
  if (asked_line_ != 0 && session_.is_begun()) session_.answer(asked_line_, why);
}

void DeviceDriver::note_connection(bool is_open) {
  if (is_open == is_connected_) return;
  is_connected_ = is_open;
  if (is_open) {
    session_.begin(now_);
  } else {
    session_.end();
    tell_("the device is gone; its sensors count as locked");
  }
  cutter_ = LineSplitter();
  note_session();
}

void DeviceDriver::note_session() {
  session_count_ = session_.session_count();
  machine_.end_betting("device_gone");
  asked_line_ = 0;
  state_.reset();
  state_is_whole_ = false;
  state_due_ = now_;
  machine_.bets().clear();
  machine_.bets().clear_faults();
}

void DeviceDriver::take_lines() {
  while (is_connected_ && !machine_.is_pending()) {
    const std::optional<std::string> line = cutter_.next();
    if (!line) return;
    take_line(*line);
  }
}

void DeviceDriver::take_line(const std::string& line) {
  const bool was_begun = session_.is_begun();
  const auto heard = session_.take(line, now_);
  if (session_.session_count() != session_count_) note_session();
  if (const std::string error = session_.trouble(); !error.empty()) tell_(error);
  if (!was_begun && session_.is_begun()) {
    tell_("the device is there: " + std::to_string(session_.device().seats) + " seats");
  }
  if (!heard) return;
  const std::string_view why =
      std::visit([this](const auto& word) { return take(word); }, heard->word);
  if (machine_.is_pending()) {
    has_asked_ = true;
    asked_line_ = heard->number;
  } else {
    session_.answer(heard->number, why);
  }
  paint();
}

std::string_view DeviceDriver::take(const device::State& state) {
  state_ = state;
  held_count_ = 0;
  state_is_whole_ = false;
  machine_.bets().clear();
  if (state.wagers == 0) note_state();
  return {};
}

std::string_view DeviceDriver::take(const device::Held& held) {
  if (!state_ || held_count_ == state_->wagers) return "held_unexpected";
  const std::string_view why = machine_.bets().place(held.wager);
  if (++held_count_ == state_->wagers) note_state();
  return why;
}

// Called when the whole seat state has arrived.
void DeviceDriver::note_state() {
  const bool is_next = state_->round == machine_.round().next_id();
  // Otherwise the state is from before the sensors were opened.
  state_is_whole_ = is_next || machine_.betting() != Betting::open;
  if (is_next && !state_->is_open) return;
  // The device lost power after "no more bets", so the wagers of that moment are not known.
  machine_.end_counting("power_lost");
}

bool DeviceDriver::is_open() const {
  return machine_.betting() == Betting::open && session_.shows_open() && state_is_whole_;
}

RoundMachine::Closing DeviceDriver::closing() const {
  return {.bets_are_known = is_open(),
          .is_counted = (session_.is_begun() && session_.device().counts_chips) ||
                        (is_counted_elsewhere_ && machine_.bets().chips() > 0)};
}

std::string_view DeviceDriver::take(const input::WagerPlaced& placed) {
  return is_open() ? machine_.place(placed.wager) : "locked";
}

std::string_view DeviceDriver::take(const input::WagerRemoved& removed) {
  return machine_.remove(removed.seat, removed.wager, removed.on_dealer);
}

std::string_view DeviceDriver::take(const input::BettingSwitched& bets) {
  return bets.open ? machine_.open_bets() : machine_.close_bets(closing());
}

std::string_view DeviceDriver::take(const input::ChipCount& count) {
  return machine_.count(count.chips, state_is_whole_);
}

std::string_view DeviceDriver::take(const device::Faulty& fault) {
  machine_.bets().set_fault(fault.sensor, fault.seat, fault.words);
  if (fault.seat == Seat(0)) machine_.end_betting("device_faulty");
  tell_("fault of the device: " + fault.sensor + ", seat " + std::to_string(fault.seat.value()) +
        ": " + fault.words);
  return {};
}

std::string_view DeviceDriver::take(const device::Sound& sound) {
  return machine_.bets().clear_fault(sound.sensor, sound.seat) ? "" : "no_fault";
}

std::string_view DeviceDriver::take(const device::Event& event) {
  auto parsed = parse_script_line(event.text);
  if (const auto* error = std::get_if<ScriptError>(&parsed)) {
    tell_("event of the device: " + error->message);
    return "event_malformed";
  }
  auto* command = std::get_if<TableCommand>(&std::get<ScriptEvent>(parsed));
  if (command == nullptr || std::holds_alternative<LockRound>(*command) ||
      std::holds_alternative<PlayPot>(*command)) {
    return "event_not_taken";
  }
  return machine_.submit(std::move(*command), event.text);
}

void DeviceDriver::paint() {
  if (!session_.is_begun()) return;
  if (session_.paint(machine_.mode(), machine_.lights()) && session_.shows_open()) {
    machine_.bets().clear();  // the device reports everything placed from now on
    state_is_whole_ = false;
    state_due_ = now_;
  }
  if (state_is_whole_ || now_ < state_due_) return;
  session_.ask_state();
  state_due_ = now_.after(state_again_us);
}

void DeviceDriver::flush() {
  if (is_connected_) port_.write(session_.output(now_), now_);
}

}  // namespace linkmeter
