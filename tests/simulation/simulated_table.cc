#include "tests/simulation/simulated_table.h"

#include <algorithm>

#include "tests/support/keys.h"

namespace linkmeter {

namespace {

const std::string play = "simulation";

constexpr std::int64_t resend_us = 200'000;
constexpr std::int64_t lost_after_us = 1'000'000;
constexpr std::int64_t never_us = 1'000'000'000'000'000;

Timestamp moment(std::int64_t now_us) { return Timestamp::from_microseconds(now_us); }

}  // namespace

SimulatedTable::SimulatedTable(const Floor& floor, TableIndex place,
                               std::vector<TableCommand> script, Dice dice, Plant plant)
    : id_(floor.table(place).id),
      key_(key_of(id_.text())),
      place_(place),
      script_(std::move(script)),
      dice_(dice),
      plant_(plant) {
  for (const LinkIndex link : floor.links_of(place)) links_.push_back(floor.link(link));
  outbox_.append({}, {TableAgent::identity, id_.text()});
  if (plant_ == Plant::outbox_does_not_sync) outbox_.set_syncing(false);
  if (plant_ == Plant::table_miscounts) links_.clear();
}

// Also the fault that its key is no longer enrolled, or belongs to another table.
bool SimulatedTable::is_planned(const Fault& fault, const SimulationJudge& judge) {
  const std::string what = why_ = fault.what();
  if (what == "outbox: the disk failed") return true;
  const bool is_of_key = what.find("key_unknown") != std::string::npos ||
                         what.find("table_not_yours") != std::string::npos;
  return is_of_key && judge.key_changed(id_.text());
}

bool SimulatedTable::is_open(std::int64_t now_us) const {
  return agent_ && agent_->is_welcome() && agent_->lockout(moment(now_us)).is_open();
}

std::string SimulatedTable::first_word(std::int64_t now_us) {
  TableAgent agent(id_, outbox_, {resend_us, lost_after_us});
  return agent.to_send(moment(now_us)).front();
}

// Planted: a resend with other contents.
void SimulatedTable::send(std::string bytes, Network& network, std::int64_t now_us) {
  if (plant_ == Plant::other_words_resent || plant_ == Plant::message_never_delivered) {
    auto decoded = decode_from_table(bytes);
    auto* message = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
    if (message != nullptr && plant_ == Plant::message_never_delivered) {
      if (message->number.value() == 4) return;
    } else if (message != nullptr && dice_.one_in(20)) {
      message->sent_at = message->sent_at.after(1);
      bytes = encode(*message);
    }
  }
  network.send({Way::to_controller, id_.text(), std::move(bytes), key_}, now_us);
}

void SimulatedTable::rise(Network& network, std::int64_t now_us) {
  if (agent_ || now_us < rises_at_us_) return;
  network.reconnect(id_.text());
  const std::string stands = outbox_.place(play);
  said_ = stands.empty() ? 0 : std::stoull(stands);
  TableAgent::Intervals intervals{resend_us, lost_after_us};
  if (plant_ == Plant::agent_never_resends) intervals = {never_us, never_us};
  agent_.emplace(id_, outbox_, intervals);
  agent_->count_by(LocalCounters(links_));
}

void SimulatedTable::die(const Faults& faults, std::int64_t now_us) {
  agent_.reset();
  if (faults.power_cuts) outbox_.lose_unsynced();
  rises_at_us_ = now_us + dice_.between(0, 400'000);
}

void SimulatedTable::connect_again(Network& network) {
  network.reconnect(id_.text());
  if (agent_) agent_->start_over();
}

void SimulatedTable::plan_trouble(const Faults& faults) {
  if (faults.agent_dies_before_storing && dice_.percent(4)) {
    outbox_.fail_next(MemoryOutbox::Trouble::throws_before_storing);
  } else if (faults.agent_dies_after_storing && dice_.percent(4)) {
    outbox_.fail_next(MemoryOutbox::Trouble::throws_after_storing);
  }
}

void SimulatedTable::note_stored(SimulationJudge& judge) {
  for (const StoredMessage& message : outbox_.unacknowledged()) {
    if (message.number <= noted_) continue;
    judge.stored(place_, message.bytes);
    noted_ = message.number;
  }
  const std::string stands = outbox_.place(play);
  said_ = stands.empty() ? 0 : std::stoull(stands);
}

Finding SimulatedTable::say(const Faults& faults, SimulationJudge& judge, std::int64_t now_us) {
  if (said_ == script_.size() || !agent_->has_room() || !dice_.percent(15)) return std::nullopt;
  const std::size_t count = std::min<std::size_t>(1 + dice_.below(4), script_.size() - said_);
  using Place = std::vector<TableCommand>::difference_type;
  const auto from = script_.begin() + static_cast<Place>(said_);
  std::vector<TableCommand> commands;
  for (auto command = from; command != from + static_cast<Place>(count); ++command) {
    const bool may_submit = agent_->may_submit(*command, moment(now_us));
    const bool dares = plant_ == Plant::table_plays_on_alone;
    if (commands.size() == agent_->room() || !(may_submit || dares)) break;
    commands.push_back(*command);
  }
  if (commands.empty()) return std::nullopt;
  // L5, by the judge's own clock: no round begins when nothing has arrived for that long.
  for (const TableCommand& command : commands) {
    const bool begins =
        std::holds_alternative<LockRound>(command) || std::holds_alternative<PlayPot>(command);
    if (begins && now_us - heard_at_us_ >= lost_after_us && plant_ != Plant::agent_never_resends) {
      return "table: " + id_.text() + " begins a round though it has lost the controller";
    }
  }
  plan_trouble(faults);
  try {
    agent_->submit(commands, Position{play, std::to_string(said_ + commands.size())},
                   moment(now_us));
    note_stored(judge);
  } catch (const Fault& fault) {
    note_stored(judge);
    if (!is_planned(fault, judge)) return std::string("table: ") + fault.what();
    die(faults, now_us);
  }
  return std::nullopt;
}

Finding SimulatedTable::step(const Faults& faults, Network& network, SimulationJudge& judge,
                             std::int64_t now_us) {
  rise(network, now_us);
  if (!agent_) return std::nullopt;
  if (Finding no = say(faults, judge, now_us)) return no;
  if (!agent_) return std::nullopt;
  if (faults.lost_connections && dice_.percent(4)) {
    network.reconnect(id_.text());
    agent_->start_over();
  }
  std::vector<std::string> frames = agent_->to_send(moment(now_us));
  const bool dies = faults.agent_dies_sending && !frames.empty() && dice_.percent(6);
  if (dies) frames.resize(dice_.below(frames.size() + 1));
  for (std::string& bytes : frames) send(std::move(bytes), network, now_us);
  if (dies) die(faults, now_us);
  return std::nullopt;
}

Finding SimulatedTable::receive(const std::string& bytes, const Faults& faults, Network& network,
                                const SimulationJudge& judge, std::int64_t now_us) {
  rise(network, now_us);
  if (!agent_) return std::nullopt;  // no agent runs: the frame is lost
  heard_at_us_ = now_us;
  plan_trouble(faults);
  try {
    return judge.answered(place_, agent_->receive(bytes, moment(now_us)).answered);
  } catch (const Fault& fault) {
    if (!is_planned(fault, judge)) return std::string("table: ") + fault.what();
    die(faults, now_us);
  }
  return std::nullopt;
}

std::string SimulatedTable::text(std::int64_t now_us) const {
  const std::string stands =
      agent_ ? std::string(name(agent_->lockout(moment(now_us)).cause)) : why_;
  return id_.text() + " (" + stands + "): " + std::to_string(said_) + " of " +
         std::to_string(script_.size()) + " said, " +
         std::to_string(outbox_.unacknowledged().size()) + " unacknowledged";
}

}  // namespace linkmeter
