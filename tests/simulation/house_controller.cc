// House: the controller's program: how it starts, what it does in which order, and how it ends.

#include <algorithm>

#include "controller/integrity/balance_check.h"
#include "controller/integrity/startup.h"
#include "controller/store/audit.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/host/fault.h"
#include "tests/simulation/house.h"
#include "tests/simulation/self_checked.h"

namespace linkmeter {

void House::plan_trouble() {
  if (faults_.controller_dies_before_commit && dice_.one_in(25)) {
    disk_.trouble_next(SimulatedDisk::Trouble::dies_before_commit);
  } else if (faults_.controller_dies_after_commit && dice_.one_in(25)) {
    disk_.trouble_next(SimulatedDisk::Trouble::dies_after_commit);
  }
  if (plant_ == Plant::rows_forgotten && dice_.one_in(20)) disk_.forget_rows_next();
}

Finding House::start_controller() {
  if (controller_ || now_us_ < starts_at_us_) return std::nullopt;
  ++report_.controller_starts;
  if (Finding no = judge_.restarted(disk_)) return no;
  started_us_ = now_us_;
  const State& known = judge_.replayed();
  recorded_.emplace(clocks(), clock_terms(disk_, known.clock(), known.last_check()));
  judge_.clock().set(now_us_, ahead_us_);
  judge_.clock().start(last_recorded(disk_), known.clock());
  try {
    if (needs_rebuild_) {
      if (Finding no = rebuild()) return no;
    }
    return start_checked();
  } catch (const Fault&) {
    stop_controller();
  }
  return std::nullopt;
}

// As `linkmeter rebuild` does it.
Finding House::rebuild() {
  AuditReport report = audit(disk_);
  if (report.bad) return "start: nothing can be rebuilt: " + text(report);
  needs_rebuild_ = false;
  if (report.is_clean()) return std::nullopt;
  State& state = *report.state;
  std::vector<std::string> entries;
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    const Decision decision = decide(
        state, FloorRules(),
        SelfSuspension{LinkIndex(at), "the state was rebuilt: " + report.wrong_state, true}, now());
    const auto* entry = std::get_if<Entry>(&decision);
    if (entry == nullptr) continue;
    state.apply(*entry);
    entries.push_back(encode(*entry));
  }
  disk_.commit(entries, rows_to_mend(disk_.rows(), rows_of(state)));
  ++report_.rebuilds;
  return judge_.look(disk_);
}

// The self-check, its entry, and the days that ended while the controller was down; then it serves.
Finding House::start_checked() {
  SelfCheckFound found = self_check(disk_, dice_.percent(60));
  if (!found.journal_failure.empty()) return "start: " + found.journal_failure;
  const Entry entry{disk_.head().entry.next(), now(), std::nullopt, found.fact, {}};
  plan_trouble();
  State state;
  if (!found.balances_failure.empty() && plant_ != Plant::torn_rows_believed) {
    disk_.commit({encode(entry)}, {Row{"check", std::nullopt}});
    needs_rebuild_ = true;
    starts_at_us_ = now_us_ + dice_.between(0, 300'000);
    return judge_.look(disk_);
  }
  if (!found.state) {  // planted: accepts whatever can be read
    state = judge_.replayed();
  } else {
    state = std::move(*found.state);
  }
  if (plant_ != Plant::served_without_self_check) {
    state.apply(entry);
    disk_.commit({encode(entry)}, rows_for(state, state.take_changes()));
  }
  if (Finding no = judge_.serves(disk_, state)) return no;
  controller_.emplace(disk_, planted_rules(), planted(std::move(state)));
  controller_->set_day_data_source(
      [this](const State&, PersonMessage& message) { give_edge(message); });
  days_.emplace(*controller_, disk_, Calendar(file_.timezone, file_.gaming_day_start));
  clock_guard_.emplace(*controller_, *recorded_, RecordedTime::step_default);
  signs_.record(judge_.model(), now_us_);
  signs_.begin(*controller_, file_.floor, signs_moment());
  return watch_days(now());
}

// Adds the edge's data to a person's request.
void House::give_edge(PersonMessage& message) const {
  if (asked_now_ == nullptr) return;
  for (const PersonRequest& asked : *asked_now_) {
    if (asked.badge != message.by || !asked.act || *asked.act != message.act) continue;
    message.finding = asked.finding;
    message.shown = asked.shown ? &*asked.shown : nullptr;
    return;
  }
}

// Days that are over end before any message is taken.
Finding House::watch_days(Timestamp at) {
  judge_.note_shown(signs_.shown());
  clock_guard_->serve(at);
  if (clock_guard_->take_confirmed()) {
    judge_.clock().take_confirmed();
    at = now();
    clock_guard_->serve(at);
  }
  auto change = recorded_->take_change();
  if (plant_ == Plant::set_clock_not_told) change.reset();
  if (plant_ != Plant::day_not_ended) days_->serve(signs_.shown(), at, change);
  if (disk_.head().entry == judge_.replayed().last_entry()) return judge_.idle();
  if (Finding no = judge_.turned(disk_, controller_->state())) return no;
  signs_.record(judge_.model(), now_us_);
  return std::nullopt;
}

// One link after the other: does memory agree with the disk?
Finding House::guard(Timestamp at) {
  if (!dice_.one_in(8)) return std::nullopt;
  const LinkIndex link(guarded_++ % static_cast<std::uint32_t>(file_.floor.links.size()));
  const auto why = mismatch(controller_->state(), disk_, link);
  if (!why) return std::nullopt;
  const Controller::Turn turn = controller_->recover(link, *why, at);
  ++report_.rebuilds;
  if (Finding no = judge_.turned(disk_, controller_->state())) return no;
  signs_.record(judge_.model(), now_us_);
  signs_.note(turn, signs_moment());
  return std::nullopt;
}

Finding House::serve() {
  if (held_) tell(*std::exchange(held_, std::nullopt));
  const Timestamp at = now();
  try {
    plan_trouble();
    if (Finding no = watch_days(at)) return no;
    disk_.trouble_next(SimulatedDisk::Trouble::none);
    if (Finding no = guard(now())) return no;
  } catch (const Fault&) {
    stop_controller();
    return std::nullopt;
  }
  if (inbox_.empty() && asked_.empty()) return std::nullopt;
  const std::vector<InboundMessage> received = std::exchange(inbox_, {});
  const std::vector<PersonRequest> asked = std::exchange(asked_, {});
  plan_trouble();
  return turn(received, asked);
}

Finding House::turn(const std::vector<InboundMessage>& taken,
                    const std::vector<PersonRequest>& asked) {
  ++report_.turns;
  std::vector<InboundMessage> received = taken;
  std::vector<OperatorRequest> requests;
  for (const PersonRequest& one : asked) requests.push_back(one.request());
  judge_.expect(received, asked);
  plant_received(received);
  asked_now_ = &asked;
  try {
    Controller::Turn turn = controller_->turn(received, now(), requests);
    plant_turn(turn);
    if (Finding no = judge_.turned(disk_, controller_->state(), turn)) return no;
    if (Finding no = plant_suspension(turn, now())) return no;
    signs_.record(judge_.model(), now_us_);
    for (const PersonRequest& one : asked) {
      if (faults_.answers_to_people_lost && people_.loses_answers()) {
        people_.unanswered({one}, now_us_);
      }
    }
    if (faults_.slow_disk && dice_.one_in(25)) {
      busy_until_us_ = now_us_ + dice_.between(10'000, 4'000'000);
      held_ = std::move(turn);
    } else {
      tell(turn);
    }
  } catch (const Fault&) {
    people_.unanswered(asked, now_us_);
    stop_controller();
  }
  asked_now_ = nullptr;
  return std::nullopt;
}

void House::tell(const Controller::Turn& turn) {
  for (const Reply& reply : turn.replies) {
    network_.send({Way::to_agent, reply.peer, reply.bytes}, now_us_);
  }
  for (const Reply& reply : turn.person_replies) {
    if (auto decoded = decode_control_reply(reply.bytes)) reply_ = std::move(*decoded);
  }
  signs_.note(turn, signs_moment());
}

}  // namespace linkmeter
