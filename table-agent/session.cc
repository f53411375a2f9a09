#include "table-agent/session.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "proto/host/uptime.h"

namespace linkmeter {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Messages in one commit: a part of the window, so that the next batch is stored while the
// controller answers this one.
constexpr std::size_t batch_messages_max = 64;
constexpr std::int64_t drain_us = 2'000'000;
// A node may welcome the table and be passed over several times a second.
constexpr std::int64_t pass_over_logged_every_us = 3'600'000'000;

// Measures intervals only.
Timestamp interval_time() { return Timestamp::from_microseconds(uptime().count()); }

Timestamp wall_time() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return Timestamp::from_microseconds(std::chrono::duration_cast<microseconds>(since).count());
}

// "controller b"
std::string words_of(const NodeAddress& controller) {
  return "controller " + (controller.name.empty() ? controller.endpoint : controller.name);
}

}  // namespace

std::uint64_t Session::run() {
  tried_since_ = interval_time();
  while (true) {
    const Timestamp now = interval_time();
    if (setup_.alive) setup_.alive();
    note_lockout(now);
    update(now);
    if (!was_stopped()) run_driver(now);
    if (setup_.uplink.update(now, setup_.agent.is_welcome())) setup_.agent.start_over();
    setup_.agent.note_link(setup_.uplink.link());
    send_pending(now);
    report_connection(now);
    show_panel(now);
    if (is_over(now)) break;
    wait_a_while(interval_time());
    on_reply();
  }
  if (const std::size_t kept = setup_.agent.unacknowledged_count(); kept > 0) {
    setup_.log(std::to_string(kept) + (kept == 1 ? " message is" : " messages are") +
               " kept for the next run");
  }
  if (const auto word = setup_.agent.leave()) setup_.uplink.send_last(*word);
  return refused_count_;
}

void Session::run_driver(Timestamp now) {
  while (!driver_is_over_) {
    if (!upcoming_) upcoming_ = setup_.driver.next();
    if (!upcoming_) {
      driver_is_over_ = setup_.driver.is_over();
      return;
    }
    const auto* wait = std::get_if<Wait>(&upcoming_->event);
    if (wait == nullptr && setup_.driver.is_live()) {
      if (!submit_now(now)) return;
      continue;
    }
    if (wait == nullptr) {
      submit_batch(now);
      return;
    }
    if (!wait_is_over(*wait, now)) return;
    if (stored_ != upcoming_->position) {
      setup_.agent.submit(std::vector<TableCommand>{}, upcoming_->position, wall_time());
      stored_ = upcoming_->position;
    }
    upcoming_.reset();
  }
}

// A step of a live driver: submitted now, or refused.
bool Session::submit_now(Timestamp now) {
  const Step step = *std::exchange(upcoming_, std::nullopt);
  const auto& command = std::get<TableCommand>(step.event);
  if (!setup_.agent.may_submit(command, now)) {
    setup_.driver.on_not_submitted();
    return false;
  }
  setup_.agent.submit(command, step.position, wall_time());
  stored_ = step.position;
  setup_.driver.on_submitted(setup_.agent.last_number());
  return true;
}

void Session::show_panel(Timestamp now) {
  if (setup_.panel == nullptr || setup_.table == nullptr) return;
  const RoundMachine* machine = setup_.driver.machine();
  PanelState state{*setup_.table, machine != nullptr ? machine->round() : observer_.round()};
  state.machine = machine;
  if (machine != nullptr) state.betting = machine->betting();
  state.sensors = setup_.driver.sensors();
  const Lockout lockout = lockout_.value_or(Lockout());
  state.locked_by = locked_by();
  state.frozen = lockout.frozen;
  state.controller = controller_words();
  state.suspended = lockout.suspended;
  state.stopped = setup_.agent.stopped();
  state.unacknowledged = setup_.agent.unacknowledged_count();
  state.calls_floor = setup_.panel->calls_floor();
  state.claims = setup_.agent.claims();
  state.known_claims = setup_.agent.known_claims();
  setup_.panel->show(state, now);
}

std::string Session::controller_words() const {
  if (!setup_.uplink.has_others()) return "";
  std::string words = words_of(setup_.uplink.controller());
  if (setup_.agent.is_welcome()) return words;
  if (!passed_over_words_.empty()) return passed_over_words_;
  if (setup_.uplink.is_standby()) return words + " answers, but does not serve tables now";
  if (setup_.uplink.has_answered()) return words + " answers";
  return setup_.uplink.has_replaced_credentials()
             ? "looking for a controller; the one in this table's key file is revoked"
             : "looking for a controller";
}

std::string Session::locked_by() const {
  if (was_stopped()) return "stopping";
  const Lockout::Cause cause = lockout_.value_or(Lockout()).cause;
  return cause == Lockout::Cause::none ? "" : std::string(name(cause));
}

void Session::update(Timestamp now) {
  const Lockout lockout = lockout_.value_or(Lockout());
  if (setup_.panel != nullptr) {
    setup_.panel->update(now, lockout.is_linked(), setup_.driver.machine() == nullptr);
    setup_.agent.call_floor(setup_.panel->calls_floor());
  }
  RoundDriver::Surroundings surroundings{now, locked_by(), {}, setup_.agent.last_number()};
  for (const SuspendedLink& one : lockout.suspended) surroundings.suspended.insert(one.link);
  setup_.driver.update(surroundings);
}

bool Session::wait_is_over(const Wait& wait, Timestamp now) {
  if (!wait_until_) wait_until_ = now.after(microseconds(milliseconds(wait.milliseconds)).count());
  if (now < *wait_until_) return false;
  wait_until_.reset();
  return true;
}

bool Session::can_submit_more(Timestamp now) const {
  const auto* command = upcoming_ ? std::get_if<TableCommand>(&upcoming_->event) : nullptr;
  return !was_stopped() && command != nullptr && setup_.agent.may_submit(*command, now);
}

// Submits the next commands, as many as one commit may hold.
void Session::submit_batch(Timestamp now) {
  std::vector<TableCommand> commands;
  std::vector<std::string> places;
  Position position;
  const std::size_t count_max = std::min(batch_messages_max, setup_.agent.room());
  while (can_submit_more(now) && commands.size() < count_max) {
    commands.push_back(std::move(std::get<TableCommand>(upcoming_->event)));
    position = std::move(upcoming_->position);
    places.push_back(std::move(upcoming_->where));
    upcoming_ = setup_.driver.next();
  }
  if (!upcoming_) driver_is_over_ = setup_.driver.is_over();
  if (commands.empty()) return;
  MessageNumber number = setup_.agent.last_number();
  setup_.agent.submit(commands, position, wall_time());
  stored_ = std::move(position);
  for (std::size_t count = 0; count < commands.size(); ++count) {
    number = number.next();
    if (setup_.panel != nullptr) observer_.on_submitted(number, commands[count]);
    std::string& where = places[count];
    if (!where.empty()) script_places_.emplace(number, std::move(where));
  }
}

void Session::send_pending(Timestamp now) {
  if (setup_.panel != nullptr) {
    setup_.agent.note_people(setup_.panel->signed_in_people());
    // A lost sign-in is not repeated: the panel reports it to its user.
    for (const std::string& frame : setup_.panel->to_send()) (void)setup_.uplink.send(frame);
  }
  for (const std::string& frame : setup_.agent.to_send(now)) {
    // The agent counts the frame as sent. When the uplink can send again, the agent starts over.
    if (!setup_.uplink.send(frame)) is_blocked_ = true;
    if (is_blocked_) return;
  }
}

void Session::on_reply() {
  while (const std::optional<std::string> frame = setup_.uplink.receive()) {
    try {
      on_frame(*frame, interval_time());
    } catch (const NodeFault& fault) {
      if (!setup_.uplink.has_others()) throw;
      pass_over(fault);
    }
  }
}

void Session::on_frame(const std::string& frame, Timestamp now) {
  const TableAgent::OnReply on_reply = [this](const std::vector<Answered>& answered) {
    auto position = setup_.driver.on_reply(answered);
    if (position) stored_ = position;
    if (setup_.panel != nullptr) {
      for (const Answered& one : answered) observer_.on_reply(one);
    }
    return position;
  };
  const TableAgent::Received received = setup_.agent.receive(frame, now, on_reply);
  for (const Answered& answered : received.answered) {
    report_answer(answered);
    script_places_.erase(answered.number);
  }
  if (setup_.panel != nullptr) {
    if (received.signed_in) setup_.panel->on_reply(*received.signed_in);
    setup_.panel->end(received.ended);
  }
  if (received.nodes_changed) setup_.uplink.know(setup_.agent.nodes());
  if (received.writer) setup_.uplink.on_refused(*received.writer, now);
  if (received.waits) setup_.uplink.on_waiting(now);
  if (received.resent) report_resent(*received.resent);
  if (received.left_open) on_left_open(*received.left_open);
  if (!received.hands) return;
  if (RoundMachine* machine = setup_.driver.machine()) machine->on_hands(*received.hands);
  if (setup_.panel != nullptr) observer_.on_hands(*received.hands);
}

void Session::pass_over(const NodeFault& fault) {
  const NodeAddress& controller = setup_.uplink.controller();
  passed_over_words_ = words_of(controller) + " " + fault.words() + "; looking for another one";
  const Timestamp now = interval_time();
  std::erase_if(passed_over_logged_, [now](const auto& logged) {
    return has_passed(logged.second, pass_over_logged_every_us, now);
  });
  if (passed_over_logged_.try_emplace({controller.endpoint, fault.words()}, now).second) {
    setup_.log("passes over " + words_of(controller) + " and asks the others: " + fault.what());
  }
  setup_.uplink.pass_over();
  setup_.agent.start_over();
}

void Session::report_resent(const Resent& resent) {
  if (RoundMachine* machine = setup_.driver.machine()) machine->forget_entries();
  observer_.forget_entries();
  setup_.log("the controller was restored from a backup that ends with entry " +
             std::to_string(resent.after.value()) +
             ", and that is accepted: " + std::to_string(resent.count) +
             (resent.count == 1 ? " message is" : " messages are") + " sent again");
}

void Session::on_left_open(const std::vector<OpenRound>& rounds) {
  if (RoundMachine* machine = setup_.driver.machine()) machine->on_left_open(rounds);
  for (const OpenRound& round : rounds) {
    if (!left_open_logged_.insert(round.hands.round).second) continue;
    setup_.log("round " + round.hands.round.text() + " of this table is open, with " +
               std::to_string(round.wagers.size()) +
               (round.wagers.size() == 1 ? " wager" : " wagers") +
               (round.chips_expected ? " and a wrong count" : "") +
               "; it is from another outbox: close the round or void it");
  }
}

void Session::report_answer(const Answered& answered) {
  const auto found = script_places_.find(answered.number);
  const std::string where = found == script_places_.end() ? "" : found->second + ": ";
  if (answered.chips_expected) {
    setup_.log(where + answered.submitted + ": " + std::to_string(answered.chips) +
               (answered.chips == 1 ? " chip" : " chips") + " counted, " +
               std::to_string(*answered.chips_expected) +
               " expected; the round is blocked until resolve or void");
  }
  if (answered.refusal == Refusal::none) return;
  ++refused_count_;
  setup_.log(where + "message " + std::to_string(answered.number.value()) + " (" +
             answered.submitted + ") refused: " + std::string(name(answered.refusal)) + " (" +
             std::string(sentence(answered.refusal)) + ")");
}

void Session::report_connection(Timestamp now) {
  if (setup_.agent.is_welcome()) {
    const NodeAddress& controller = setup_.uplink.controller();
    if (connected_to_ != controller.endpoint) report_connected(controller);
    connected_to_ = controller.endpoint;
    first_line_ = FirstLine::connected;
    passed_over_words_.clear();
    return;
  }
  if (setup_.uplink.has_replaced_credentials() && !std::exchange(replaced_logged_, true)) {
    setup_.log(
        "the house's controllers no longer have the key in this table's credentials; looks "
        "for those that its outbox knows");
  }
  const bool has_credentials = setup_.uplink.has_credentials();
  if (has_credentials && !std::exchange(had_credentials_, true)) tried_since_ = now;
  const FirstLine line = has_credentials ? FirstLine::no_controller : FirstLine::no_credentials;
  if (first_line_ >= line ||
      !has_passed(tried_since_, setup_.agent.intervals().lost_after_us, now) ||
      setup_.agent.lockout(now).cause != Lockout::Cause::no_controller) {
    return;
  }
  first_line_ = line;
  setup_.log((has_credentials ? "no controller at " + setup_.endpoint +
                                    " that knows this table's key (was it revoked?), still trying"
                              : "without credentials there is no connection") +
             "; the progressive is locked");
}

void Session::note_lockout(Timestamp now) {
  Lockout lockout = setup_.agent.lockout(now);
  if (lockout_ == lockout) return;
  lockout_ = std::move(lockout);
  // The callback first: log lines can wait.
  if (setup_.lockout_changed) setup_.lockout_changed(*lockout_);
  for (const std::string& line : lockout_lines_.note(*lockout_, now)) {
    setup_.log(line);
  }
}

void Session::report_connected(const NodeAddress& controller) {
  setup_.log("connected to " + controller.endpoint +
             (controller.name.empty() ? "" : ", node " + controller.name));
  const auto number = setup_.agent.took_over_after();
  if (!number || takeover_logged_) return;
  takeover_logged_ = true;
  setup_.log("this outbox is new: it takes over the table after message " +
             std::to_string(number->value()) +
             ", which another outbox sent; messages that the other outbox still has are lost");
}

bool Session::is_over(Timestamp now) const {
  if (was_stopped()) return setup_.agent.all_acknowledged() || now >= *stop_at_;
  return driver_is_over_ && setup_.agent.all_acknowledged();
}

milliseconds Session::wait_time(Timestamp now) const {
  if (can_submit_more(now)) return milliseconds(0);
  Timestamp next = setup_.agent.wakes_at();
  const auto consider = [&next](std::optional<Timestamp> wakes) {
    if (wakes) next = std::min(next, *wakes);
  };
  consider(stop_at_);
  consider(setup_.uplink.wakes_at(now));
  if (!was_stopped()) consider(wait_until_);
  consider(setup_.driver.wakes_at());
  if (setup_.panel != nullptr) consider(setup_.panel->wakes_at());
  // Rounded up: waking too early would only cost one more turn of the loop.
  const microseconds wait(next.microseconds() - now.microseconds());
  return std::max(std::chrono::ceil<milliseconds>(wait), milliseconds(0));
}

void Session::wait_a_while(Timestamp now) {
  const auto until =
      is_blocked_ ? Uplink::Until::receivable_or_sendable : Uplink::Until::receivable;
  const int panel = setup_.panel != nullptr ? setup_.panel->descriptor() : -1;
  const Uplink::Ready ready = setup_.uplink.wait(
      until, {setup_.stop_descriptor, setup_.driver.descriptor(), panel}, wait_time(now));
  if (ready.to_send) {
    is_blocked_ = false;
    setup_.agent.start_over();
  }
  if (ready.to_stop) stop();
}

void Session::stop() {
  std::array<char, 256> signals{};  // they are read, or the next wait would end at once
  [[maybe_unused]] const auto length =
      ::read(setup_.stop_descriptor, signals.data(), signals.size());
  // A second stop ends without draining.
  stop_at_ = interval_time().after(was_stopped() ? 0 : drain_us);
}

}  // namespace linkmeter
