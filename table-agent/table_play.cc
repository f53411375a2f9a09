#include "table-agent/device_play.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "meters/check.h"
#include "table-agent/event_text.h"

namespace linkmeter {

namespace {

using Phase = TableRound::Phase;

// How long a start waits for the controller before it speaks to the device: a restart in the middle
// of a round is linked again before the device says again what it had not heard an answer to.
constexpr std::int64_t first_link_us = 2'000'000;
constexpr std::int64_t state_again_us = 500'000;

}  // namespace

DevicePlay::DevicePlay(const Setup& setup)
    : port_(setup.port),
      tell_(setup.tell),
      talk_(setup.table.terms.id.text(), setup.new_word, setup.intervals),
      bets_(setup.table),
      round_(TableRound::at(setup.place, setup.new_word)),
      unanswered_(setup.unacknowledged, round_.id()) {
  // A restart before the first lock must know its round again.
  place_is_stale_ = setup.place.empty();
  // Who took the answer from this outbox was no play of a device: how it ended is not known.
  if (round_.phase == Phase::ending && !unanswered_.has_end()) {
    round_.phase = Phase::over;
    round_.light = TableRound::Light::off;
  }
}

// ---- the session's side ------------------------------------------------------------------------

void DevicePlay::attend(const Surroundings& surroundings) {
  surroundings_ = surroundings;
  const Timestamp now = surroundings_.now;
  if (!started_at_) started_at_ = now;
  was_linked_ = was_linked_ || surroundings_.locked_by.empty() ||
                now.microseconds() - started_at_->microseconds() >= first_link_us;
  bets_.set_suspended(surroundings_.suspended);
  if (const std::string_view why = lockout(); !why.empty()) end_betting(why);
  if (!was_linked_) return;
  if (!port_.open(now)) return note_connection(false);
  note_connection(true);
  if (!pending_) {
    const auto bytes = port_.read(now);
    if (bytes) cutter_.add(*bytes);
    take_lines();
    if (!bytes || talk_.is_silent(now)) {
      port_.close(now);
      return note_connection(false);
    }
  }
  paint();
  flush();
}

std::optional<Timestamp> DevicePlay::wakes_at() const {
  if (!was_linked_) {
    if (!started_at_) return std::nullopt;
    return Timestamp::from_microseconds(started_at_->microseconds() + first_link_us);
  }
  std::optional<Timestamp> next = port_.wakes_at();
  const auto alive = is_connected_ ? talk_.wakes_at() : std::nullopt;
  if (!next || (alive && *alive < *next)) next = alive;
  return next;
}

std::optional<Step> DevicePlay::next() {
  if (pending_) {
    const TableRound after = pending_->after(round_, surroundings_.last_number.next());
    return Step{pending_->command, {std::string(name), after.place()}};
  }
  if (!std::exchange(place_is_stale_, false)) return std::nullopt;
  return Step{Wait{0}, {std::string(name), round_.place()}};
}

TableRound DevicePlay::Pending::after(const TableRound& round, MessageNumber number) const {
  const auto* locked = std::get_if<LockRound>(&command);
  return locked != nullptr ? round.next(*locked) : round.after(command, event, number);
}

void DevicePlay::said(MessageNumber number) {
  CHECK(pending_.has_value() && number == surroundings_.last_number.next());
  round_ = pending_->after(round_, number);
  surroundings_.last_number = number;
  place_is_stale_ = false;
  if (std::holds_alternative<LockRound>(pending_->command)) betting_ = Betting::none;
  if (pending_->line > 0 && talk_.is_begun()) talk_.accept(pending_->line);
  unanswered_.add(number, std::move(pending_->command));
  pending_.reset();
  go_on();
}

void DevicePlay::unsaid() {
  CHECK(pending_.has_value());
  const auto* locked = std::get_if<LockRound>(&pending_->command);
  if (locked == nullptr) return;  // said as soon as there is room
  const std::string why = surroundings_.locked_by.empty() ? "busy" : surroundings_.locked_by;
  give_back(locked->wagers, why);
  if (pending_->line > 0 && talk_.is_begun()) talk_.refuse(pending_->line, why);
  betting_ = Betting::none;
  pending_.reset();
  go_on();
}

// What came behind a step that is said now, or never.
void DevicePlay::go_on() {
  if (!is_connected_) return;
  take_lines();
  paint();
  flush();
}

void DevicePlay::give_back(const std::vector<AskedWager>& wagers, std::string_view why) {
  for (const AskedWager& wager : wagers) {
    notes_.insert(light_text(wager, "refused " + std::string(why)));
  }
}

// ---- what the controller answers ---------------------------------------------------------------

std::optional<Position> DevicePlay::hear(const std::vector<Answered>& answered) {
  bool moves = false;
  for (const Answered& one : answered) moves = hear_one(one) || moves;
  if (!moves) return std::nullopt;
  place_is_stale_ = false;
  return Position{std::string(name), round_.place()};
}

bool DevicePlay::hear_one(const Answered& answered) {
  const auto command = unanswered_.take(answered.number);
  if (!command || round_of(*command) != round_.id()) return false;
  const std::string refused = "refused " + std::string(event_name(*command)) + " ";
  std::erase_if(notes_, [&](const std::string& note) { return note.starts_with(refused); });
  if (answered.refusal != Refusal::none && !std::holds_alternative<LockRound>(*command)) {
    notes_.insert(refused + std::string(linkmeter::name(answered.refusal)));
  }
  round_.hear(*command, answered);
  return true;
}

// ---- the device's side -------------------------------------------------------------------------

void DevicePlay::note_connection(bool is_open) {
  if (is_open == is_connected_) return;
  is_connected_ = is_open;
  if (is_open) {
    talk_.begin(surroundings_.now);
  } else {
    talk_.end();
    tell_("the device is gone; its sensors count as locked");
  }
  cutter_ = LineCutter();
  note_session();
}

void DevicePlay::note_session() {
  session_count_ = talk_.session_count();
  end_betting("device_gone");
  if (pending_) pending_->line = 0;  // a number of the session that is over
  state_.reset();
  state_is_whole_ = false;
  state_due_ = surroundings_.now;
  bets_.clear();
  bets_.clear_faults();
  picture_ = DevicePicture();
}

void DevicePlay::take_lines() {
  while (!pending_) {
    const std::optional<std::string> line = cutter_.next();
    if (!line) return;
    take_line(*line);
  }
}

void DevicePlay::take_line(const std::string& line) {
  const bool was_begun = talk_.is_begun();
  const auto heard = talk_.take(line, surroundings_.now);
  if (talk_.session_count() != session_count_) note_session();
  if (const std::string trouble = talk_.trouble(); !trouble.empty()) tell_(trouble);
  if (!was_begun && talk_.is_begun()) {
    tell_("the device is there: " + std::to_string(talk_.device().seats) + " seats");
  }
  if (!heard) return;
  const std::string_view why =
      std::visit([this](const auto& word) { return take(word); }, heard->word);
  if (pending_) {
    pending_->line = heard->number;
  } else if (why.empty()) {
    talk_.accept(heard->number);
  } else {
    talk_.refuse(heard->number, why);
  }
  paint();
}

std::string_view DevicePlay::take(const device::State& state) {
  state_ = state;
  held_count_ = 0;
  state_is_whole_ = false;
  bets_.clear();
  if (state.wagers == 0) note_state();
  return {};
}

std::string_view DevicePlay::take(const device::Held& held) {
  if (!state_ || held_count_ == state_->wagers) return "held_unexpected";
  const std::string_view why = bets_.place(held.wager);
  if (++held_count_ == state_->wagers) note_state();
  return why;
}

// The whole state has come.
void DevicePlay::note_state() {
  const bool is_next = state_->round == round_.next_id();
  state_is_whole_ = is_next || betting_ != Betting::open;  // else it is of before it opened
  if (betting_ != Betting::counting || (is_next && !state_->is_open)) return;
  // It lost its power after "no more bets": nobody knows what lay there then.
  give_back(bets_.wagers(), "power_lost");
  betting_ = Betting::none;
}

std::string_view DevicePlay::lockout() const {
  if (!surroundings_.locked_by.empty()) return surroundings_.locked_by;
  if (bets_.all_suspended()) return linkmeter::name(Refusal::link_suspended);
  return bets_.is_faulty(Seat(0)) ? "device_faulty" : "";
}

void DevicePlay::end_betting(std::string_view why) {
  if (betting_ != Betting::open) return;
  give_back(bets_.wagers(), why);
  betting_ = Betting::none;
}

bool DevicePlay::is_open() const {
  return betting_ == Betting::open && picture_.is_open() && state_is_whole_;
}

std::string_view DevicePlay::take(const device::Placed& placed) {
  return is_open() ? bets_.place(placed.wager) : "locked";
}

// What was removed before a lock was never there.
std::string_view DevicePlay::take(const device::Removed& removed) {
  if (betting_ != Betting::open) return "locked";
  return bets_.remove(removed.seat, removed.wager, removed.on_dealer) ? "" : "not_placed";
}

std::string_view DevicePlay::take(const device::Bets& bets) {
  return bets.open ? open_bets() : close_bets();
}

std::string_view DevicePlay::open_bets() {
  if (round_.phase != Phase::over || betting_ == Betting::counting) return "round_open";
  if (betting_ == Betting::open) return {};
  if (const std::string_view why = lockout(); !why.empty()) return why;
  betting_ = Betting::open;
  notes_.clear();
  return {};
}

std::string_view DevicePlay::close_bets() {
  if (round_.phase != Phase::over || betting_ == Betting::counting) return {};  // said again
  if (betting_ == Betting::none) return lockout().empty() ? "not_open" : lockout();
  if (!is_open()) {  // what lies there is not known, and later is too late
    end_betting("locked");
    return "locked";
  }
  if (bets_.wagers().empty()) {
    betting_ = Betting::none;
    return {};
  }
  if (!talk_.device().counts_chips) return lock(std::nullopt);
  betting_ = Betting::counting;
  return {};
}

std::string_view DevicePlay::take(const device::Count& count) {
  if (betting_ == Betting::counting) {
    return state_is_whole_ ? lock(count.chips) : "state_unknown";
  }
  if (round_.phase == Phase::over) return lockout().empty() ? "not_closed" : lockout();
  return round_.chips == count.chips ? "" : "counted";  // said again, or in other words
}

std::string_view DevicePlay::lock(std::optional<std::uint32_t> chips) {
  TableBets::Sorted sorted = bets_.sorted();
  for (const auto& [wager, why] : sorted.bad) give_back({wager}, why);
  if (!surroundings_.locked_by.empty()) {
    give_back(sorted.good, surroundings_.locked_by);
    betting_ = Betting::none;
    return surroundings_.locked_by;
  }
  if (sorted.good.empty()) {
    betting_ = Betting::none;
    return "nothing_to_lock";
  }
  LockRound lock{round_.next_id(), std::move(sorted.good), chips, Badge()};
  pending_ = Pending{std::move(lock), {}};
  return {};
}

std::string_view DevicePlay::take(const device::Faulty& fault) {
  bets_.set_fault(fault.sensor, fault.seat, fault.words);
  if (fault.seat == Seat(0)) end_betting("device_faulty");
  tell_("fault of the device: " + fault.sensor + ", seat " + std::to_string(fault.seat.value()) +
        ": " + fault.words);
  return {};
}

std::string_view DevicePlay::take(const device::Sound& sound) {
  return bets_.clear_fault(sound.sensor, sound.seat) ? "" : "no_fault";
}

std::string_view DevicePlay::take(const device::Event& event) {
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
  if (round_.number == 0 || round_of(*command) != round_.id()) return "round_unknown";
  if (round_.was_said(event.text)) return {};
  // A lock that was answered when nobody listened may have blocked its round.
  const Refusal no = round_.hindrance(*command, !unanswered_.has_lock());
  if (no != Refusal::none) return linkmeter::name(no);
  if (round_.phase == Phase::refused) {  // the controller has no such round
    round_.note_said(event.text, MessageNumber());
    round_.phase = Phase::over;
    place_is_stale_ = true;
    return {};
  }
  pending_ = Pending{std::move(*command), event.text};
  return {};
}

// ---- what the device is told -------------------------------------------------------------------

std::string DevicePlay::mode() const {
  const bool is_over = round_.phase == Phase::over;
  std::string why;
  if (!surroundings_.locked_by.empty()) {
    why = surroundings_.locked_by;
  } else if (bets_.all_suspended()) {
    why = "suspended";
  } else if (bets_.is_faulty(Seat(0))) {
    why = "fault";
  } else if (round_.phase == Phase::blocked) {
    why = "blocked";
  } else if (round_.phase == Phase::refused) {
    why = "refused";
  } else if (!is_over) {
    why = "round";
  } else if (betting_ == Betting::open) {
    return "open " + round_.next_id().text();
  } else {
    why = betting_ == Betting::counting ? "counting" : "idle";
  }
  std::string said = "lock " + why;
  if (!is_over) said += " " + round_.id().text();
  if (is_over && betting_ != Betting::none) said += " " + round_.next_id().text();
  return said;
}

std::multiset<std::string> DevicePlay::lights() const {
  std::multiset<std::string> lights = notes_;
  if (betting_ == Betting::none) lights.merge(round_.lights());
  return lights;
}

void DevicePlay::paint() {
  if (!talk_.is_begun()) return;
  const Timestamp now = surroundings_.now;
  if (picture_.paint(mode(), lights(), talk_) && picture_.is_open()) {
    bets_.clear();  // what lies there is told from now on
    state_is_whole_ = false;
    state_due_ = now;
  }
  if (state_is_whole_ || now < state_due_) return;
  talk_.ask_state();
  state_due_ = now.after(state_again_us);
}

void DevicePlay::flush() { port_.write(talk_.output(surroundings_.now), surroundings_.now); }

}  // namespace linkmeter
