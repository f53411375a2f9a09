#include "table-agent/round/round_machine.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/round_script.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

namespace {

using Phase = RoundRecord::Phase;

}  // namespace

RoundMachine::RoundMachine(const Setup& setup)
    : table_(setup.table),
      play_(setup.play),
      bets_(table_),
      round_(RoundRecord::at(setup.place, setup.new_word)),
      unanswered_(setup.unacknowledged, round_.id()) {
  // After a restart before the first lock, the round must have the same name.
  place_is_stale_ = setup.place.empty();
  // The answer was taken from this outbox by another kind of driver, so the outcome is not known.
  const bool was_pot =
      table_.pot && round_.phase == Phase::submitted && !unanswered_.has<PlayPot>();
  if (was_pot || (round_.phase == Phase::ending && !unanswered_.has_end())) {
    round_.phase = Phase::over;
    round_.light = RoundRecord::Light::off;
  }
}

// ---- the session's side ------------------------------------------------------------------------

void RoundMachine::update(const RoundDriver::Surroundings& surroundings) {
  surroundings_ = surroundings;
  bets_.set_suspended(surroundings_.suspended);
  if (const std::string_view why = lockout(); !why.empty()) end_betting(why);
  take_left_open();
}

std::optional<Step> RoundMachine::next() {
  if (pending_) {
    const RoundRecord after = pending_->after(round_, surroundings_.last_number.next());
    return Step{pending_->command, {play_, after.place()}};
  }
  if (!std::exchange(place_is_stale_, false)) return std::nullopt;
  return Step{Wait{0}, {play_, round_.place()}};
}

RoundRecord RoundMachine::Pending::after(const RoundRecord& round, MessageNumber number) const {
  if (const auto* locked = std::get_if<LockRound>(&command)) return round.next(*locked);
  if (std::holds_alternative<PlayPot>(command)) return round.next(mark, number);
  return round.after(command, mark, number);
}

void RoundMachine::on_submitted(MessageNumber number) {
  INVARIANT(pending_.has_value() && number == surroundings_.last_number.next());
  round_ = pending_->after(round_, number);
  surroundings_.last_number = number;
  place_is_stale_ = false;
  if (std::holds_alternative<LockRound>(pending_->command)) betting_ = Betting::none;
  if (std::holds_alternative<PlayPot>(pending_->command)) refused_.clear();
  unanswered_.add(number, std::move(pending_->command));
  pending_.reset();
}

std::string RoundMachine::on_not_submitted() {
  INVARIANT(pending_.has_value());
  const auto* locked = std::get_if<LockRound>(&pending_->command);
  const bool is_pot = std::holds_alternative<PlayPot>(pending_->command);
  if (locked == nullptr && !is_pot) return {};  // it is submitted as soon as there is room
  std::string why = surroundings_.locked_by.empty() ? "busy" : surroundings_.locked_by;
  if (locked != nullptr) give_back(locked->wagers, why);
  betting_ = Betting::none;
  pending_.reset();
  return why;
}

void RoundMachine::give_back(const std::vector<AskedWager>& wagers, std::string_view why) {
  for (const AskedWager& wager : wagers) given_back_.emplace_back(wager, why);
}

// ---- what the controller answers ---------------------------------------------------------------

std::optional<Position> RoundMachine::on_reply(const std::vector<Answered>& answered) {
  bool moves = false;
  for (const Answered& one : answered) moves = on_one_reply(one) || moves;
  if (!moves) return std::nullopt;
  place_is_stale_ = false;
  return Position{play_, round_.place()};
}

bool RoundMachine::on_one_reply(const Answered& answered) {
  const auto command = unanswered_.take(answered.number);
  if (!command || round_of(*command) != round_.id()) return false;
  const std::string event(event_name(*command));
  refused_.erase(event);
  if (answered.refusal != Refusal::none && !std::holds_alternative<LockRound>(*command)) {
    refused_.emplace(event, answered.refusal);
  }
  round_.on_reply(*command, answered);
  return true;
}

void RoundMachine::on_hands(const std::vector<RoundHands>& rounds) {
  reports_hands_ = true;
  if (round_.on_hands(rounds)) place_is_stale_ = true;
}

void RoundMachine::on_left_open(std::vector<OpenRound> rounds) {
  const bool is_still_open =
      std::any_of(rounds.begin(), rounds.end(),
                  [this](const OpenRound& one) { return one.hands.round == round_.id(); });
  // Another person or program has ended it.
  if (round_.is_left_open && !is_still_open && !pending_) {
    round_.is_left_open = false;
    round_.phase = Phase::over;
    round_.light = RoundRecord::Light::off;
    place_is_stale_ = true;
  }
  std::erase_if(rounds, [this](const OpenRound& one) {
    return one.hands.round == round_.id() || !can_go_on_with(one);
  });
  left_open_ = std::move(rounds);
  take_left_open();
}

bool RoundMachine::can_go_on_with(const OpenRound& round) const {
  return std::all_of(round.wagers.begin(), round.wagers.end(), [this](const AskedWager& wager) {
    const auto& offers = table_.offers;
    return wager.seat.value() >= 1 && wager.seat.value() <= table_.terms.seats &&
           wager.amount == wager.amount.whole_cents() &&
           std::any_of(offers.begin(), offers.end(),
                       [&wager](const Offer& one) { return one.wager == wager.wager; });
  });
}

void RoundMachine::take_left_open() {
  const bool is_free = round_.phase == Phase::over && betting_ == Betting::none && !pending_;
  if (left_open_.empty() || !is_free) return;
  round_ = round_.next(left_open_.front());
  left_open_.erase(left_open_.begin());
  given_back_.clear();
  refused_.clear();
  place_is_stale_ = true;
}

std::string_view RoundMachine::resume(const RoundId& round) {
  if (round_.number == 0 || round != round_.id() || round_.named.empty()) return "round_unknown";
  if (!std::exchange(round_.is_left_open, false)) return {};  // a repeat
  place_is_stale_ = true;
  return {};
}

// ---- the words of either side ------------------------------------------------------------------

std::string_view RoundMachine::open_bets() {
  if (round_.phase != Phase::over || betting_ == Betting::counting) return "round_open";
  if (betting_ == Betting::open) return {};
  if (const std::string_view why = lockout(); !why.empty()) return why;
  betting_ = Betting::open;
  bets_.clear();  // the sensors report what is placed from now on
  given_back_.clear();
  refused_.clear();
  closed_by_ = Badge();
  return {};
}

std::string_view RoundMachine::close_bets(Closing closing, const Badge& by) {
  if (round_.phase != Phase::over || betting_ == Betting::counting) return {};  // a repeat
  if (betting_ == Betting::none) return lockout().empty() ? "not_open" : lockout();
  if (!closing.bets_are_known) {
    end_betting("locked");
    return "locked";
  }
  if (bets_.wagers().empty()) {
    betting_ = Betting::none;
    return {};
  }
  if (!closing.is_counted) return lock(std::nullopt, by);
  betting_ = Betting::counting;
  closed_by_ = by;
  closed_with_ = bets_.wagers();
  return {};
}

std::string_view RoundMachine::count(std::uint32_t chips, bool bets_are_known, const Badge& by) {
  if (betting_ == Betting::counting) {
    return bets_are_known ? lock(chips, by.empty() ? closed_by_ : by) : "state_unknown";
  }
  if (round_.phase == Phase::over) return lockout().empty() ? "not_closed" : lockout();
  return round_.chips == chips ? "" : "counted";  // a repeat, or a different count
}

std::string_view RoundMachine::lock(std::optional<std::uint32_t> chips, const Badge& by) {
  SensorWagers::Sorted sorted = bets_.sorted();
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
  pending_ = Pending{LockRound{round_.next_id(), std::move(sorted.good), chips, by}, {}};
  return {};
}

std::string_view RoundMachine::place(const AskedWager& wager) {
  return betting_ == Betting::open ? bets_.place(wager) : "locked";
}

std::string_view RoundMachine::remove(Seat seat, const WagerId& wager, bool on_dealer) {
  if (betting_ != Betting::open) return "locked";
  return bets_.remove(seat, wager, on_dealer) ? "" : "not_placed";
}

std::string_view RoundMachine::submit(TableCommand command, std::string_view mark) {
  if (round_.number == 0 || round_of(command) != round_.id()) return "round_unknown";
  if (round_.was_submitted(mark)) return {};
  // If the lock was answered while no driver listened, the answer may have blocked the round.
  const Refusal no = round_.refusal_now(command, !unanswered_.has<LockRound>());
  if (no != Refusal::none) return name(no);
  if (round_.phase == Phase::refused) {  // the controller has no such round
    round_.note_submitted(mark, MessageNumber());
    round_.phase = Phase::over;
    place_is_stale_ = true;
    return {};
  }
  if (!fits_message(command)) return "message_too_long";
  pending_ = Pending{std::move(command), std::string(mark)};
  return {};
}

std::string_view RoundMachine::play_pot(PlayPot pot, std::string_view mark) {
  if (round_.was_submitted(mark)) return {};
  if (!table_.pot) return name(Refusal::wrong_game);
  if (round_.phase != Phase::over) return "round_open";
  if (pot.round != round_.next_id()) return "round_unknown";
  if (const std::string_view why = lockout(); !why.empty()) return why;
  if (!fits_message(pot)) return "message_too_long";
  pending_ = Pending{std::move(pot), std::string(mark)};
  return {};
}

// ---- what ends betting -------------------------------------------------------------------------

std::string_view RoundMachine::lockout() const {
  if (!surroundings_.locked_by.empty()) return surroundings_.locked_by;
  if (bets_.all_suspended()) return name(Refusal::link_suspended);
  return bets_.is_faulty(Seat(0)) ? "device_faulty" : "";
}

void RoundMachine::end_betting(std::string_view why) {
  if (betting_ != Betting::open) return;
  give_back(bets_.wagers(), why);
  betting_ = Betting::none;
}

void RoundMachine::end_counting(std::string_view why) {
  if (betting_ != Betting::counting) return;
  give_back(closed_with_, why);
  betting_ = Betting::none;
}

// ---- what is displayed --------------------------------------------------------------------------

std::string RoundMachine::mode() const {
  const bool is_over = round_.phase == Phase::over;
  std::string why;
  if (!surroundings_.locked_by.empty()) {
    why = surroundings_.locked_by;
  } else if (bets_.all_suspended()) {
    why = "suspended";
  } else if (bets_.is_faulty(Seat(0))) {
    why = "fault";
  } else if (!is_over && round_.is_left_open) {
    why = "left_open";
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
  std::string submitted = "lock " + why;
  if (!is_over) submitted += " " + round_.id().text();
  if (is_over && betting_ != Betting::none) submitted += " " + round_.next_id().text();
  return submitted;
}

std::multiset<std::string> RoundMachine::lights() const {
  std::multiset<std::string> lights;
  for (const auto& [wager, why] : given_back_) {
    lights.insert(light_text(wager, "refused " + why));
  }
  for (const auto& [event, refusal] : refused_) {
    lights.insert("refused " + event + " " + std::string(name(refusal)));
  }
  if (betting_ == Betting::none) lights.merge(round_.lights());
  return lights;
}

}  // namespace linkmeter
