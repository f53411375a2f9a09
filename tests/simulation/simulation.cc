#include "tests/simulation/simulation.h"

#include <memory>
#include <vector>

#include "controller/accounting/day_watch.h"
#include "controller/controller.h"
#include "meters/codec/journal_codec.h"
#include "tests/property/floors.h"
#include "tests/property/generator.h"
#include "tests/simulation/simulated_disk.h"
#include "tests/simulation/simulated_table.h"
#include "tests/support/keys.h"

namespace linkmeter {

namespace {

using Finding = SimulationJudge::Finding;

constexpr std::uint64_t steps_of_trouble = 400;
constexpr std::uint64_t steps_to_recover = 4'000;
constexpr std::int64_t hour_us = 3'600'000'000;

class House {
 public:
  House(std::uint64_t seed, Plant plant, SimulationReport& report)
      : dice_(seed),
        plant_(plant),
        report_(report),
        faults_(Faults::some(dice_)),
        file_(test_floor(dice_.below(test_floor_count))),
        judge_(file_),
        network_(dice_.fork(), faults_) {
    for (std::uint32_t place = 0; place < file_.floor.tables.size(); ++place) {
      TableTraffic traffic(file_.floor, TablePlace(place), dice_.fork(), 15);
      std::vector<TableCommand> script;
      const std::size_t length = 10 + dice_.below(60);
      while (script.size() < length) script.push_back(traffic.next());
      tables_.push_back(std::make_unique<SimulatedTable>(file_.floor, TablePlace(place),
                                                         std::move(script), dice_.fork(), plant_));
    }
    const Entry first = open_floor(opened(file_), now());
    State state;
    state.apply(first);
    disk_.commit({encode(first)}, rows_for(state, state.take_changes()));
    if (plant_ == Plant::disk_does_not_sync) disk_.set_syncing(false);
  }

  Finding run() {
    for (std::uint64_t step = 0; step < steps_of_trouble; ++step) {
      if (Finding no = go_on()) return no;
    }
    faults_ = Faults::none();
    network_.heal();
    for (std::uint64_t step = 0; step < steps_to_recover; ++step) {
      if (Finding no = go_on()) return no;
      if (all_done()) return judge_.finish(disk_);
    }
    std::string said = "all is well again, but not everything is delivered:";
    for (const auto& table : tables_) said += " " + table->text() + ";";
    return said;
  }

 private:
  [[nodiscard]] Timestamp now() const { return Timestamp::from_microseconds(now_us_); }

  [[nodiscard]] bool all_done() const {
    for (const auto& table : tables_) {
      if (!table->is_done()) return false;
    }
    return true;
  }

  Finding go_on() {
    now_us_ += dice_.between(1'000, 30'000);
    if (faults_.hours_pass && dice_.one_in(60)) {
      now_us_ += hour_us * dice_.between(1, 60);
    }
    for (const auto& table : tables_) {
      if (Finding no = table->step(faults_, network_, judge_, now_us_)) return no;
    }
    if (Finding no = start_controller()) return no;
    std::vector<Received> received;
    while (const std::optional<Frame> frame = network_.arrive(now_us_)) {
      ++report_.frames;
      if (frame->way == Way::to_controller) {
        received.push_back({frame->table, key_of(frame->table), frame->bytes});
      } else if (Finding no = deliver(*frame)) {
        return no;
      }
    }
    if (!controller_) return std::nullopt;  // nobody listens: the frames are lost
    if (faults_.controller_stops && dice_.one_in(40)) {
      stop_controller();
      return std::nullopt;
    }
    return turn(received);
  }

  Finding deliver(const Frame& frame) {
    const auto place = file_.floor.find_table(TableId(frame.table));
    SimulatedTable& table = *tables_[place.value().value()];
    return table.receive(frame.bytes, faults_, network_, judge_, now_us_);
  }

  void stop_controller() {
    days_.reset();
    controller_.reset();
    disk_.lose_unsynced();
    starts_at_us_ = now_us_ + dice_.between(0, 500'000);
  }

  Finding start_controller() {
    if (controller_ || now_us_ < starts_at_us_) return std::nullopt;
    ++report_.controller_starts;
    StateRead read = read_state(disk_.head().entry, disk_.rows());
    if (!read.state) return "the rows cannot be read: " + read.why;
    if (Finding no = judge_.restarted(disk_, *read.state)) return no;
    if (plant_ == Plant::controller_forgets_answers) read.state = forgetful(*read.state);
    controller_.emplace(disk_, file_.rules, std::move(*read.state));
    days_.emplace(*controller_, disk_, Calendar(file_.timezone, file_.gaming_day_start));
    return std::nullopt;
  }

  // The planted mistake: rounds and money are there, but not which messages were answered.
  static State forgetful(const State& state) {
    std::vector<LinkBook> links;
    std::vector<Desk> desks;
    for (std::uint32_t link = 0; link < state.floor().links.size(); ++link) {
      links.push_back(state.link(LinkPlace(link)));
    }
    for (std::uint32_t table = 0; table < state.floor().tables.size(); ++table) {
      const Desk& desk = state.desk(TablePlace(table));
      desks.push_back(
          Desk::restored(MessageNumber(0), {}, desk.rounds(), desk.ended(), desk.ended_count()));
    }
    return State::restored(state.last_entry(), state.floor(), links, desks, state.claims());
  }

  void plan_trouble() {
    if (faults_.controller_dies_before_commit && dice_.one_in(15)) {
      disk_.trouble_next(SimulatedDisk::Trouble::dies_before_commit);
    } else if (faults_.controller_dies_after_commit && dice_.one_in(15)) {
      disk_.trouble_next(SimulatedDisk::Trouble::dies_after_commit);
    }
    if (plant_ == Plant::rows_forgotten && dice_.one_in(20)) disk_.forget_rows_next();
  }

  // The planted mistake: a message that came before gets a new number.
  void take_for_new(Received& received) const {
    const auto decoded = decode_from_table(received.bytes);
    const auto* message = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
    if (message == nullptr) return;
    const auto table = file_.floor.find_table(message->table);
    const MessageNumber last = controller_->state().desk(table.value()).last_number();
    if (message->number > last) return;
    TableMessage again = *message;
    again.number = last.next();
    received.bytes = encode(again);
  }

  // As the program does it: days that are over end before anything else is taken.
  Finding turn(std::vector<Received>& received) {
    plan_trouble();
    try {
      days_->serve({}, now());
      if (disk_.head().entry != judge_.replayed().last_entry()) {
        if (Finding no = judge_.turned(disk_, controller_->state(), {})) return no;
      }
    } catch (const Fault&) {
      stop_controller();
      return std::nullopt;
    }
    disk_.trouble_next(SimulatedDisk::Trouble::none);
    if (received.empty()) return std::nullopt;
    if (plant_ == Plant::repeats_taken_for_new) take_for_new(received.front());
    plan_trouble();
    ++report_.turns;
    try {
      const Controller::Turn turn = controller_->turn(received, now());
      if (Finding no = judge_.turned(disk_, controller_->state(), turn.replies)) return no;
      for (const Reply& reply : turn.replies) {
        network_.send({Way::to_agent, reply.peer, reply.bytes}, now_us_);
      }
    } catch (const Fault&) {
      stop_controller();
    }
    report_.entries = disk_.head().entry.value();
    report_.days = judge_.replayed().days().size();
    report_.tellings = judge_.tellings();
    return std::nullopt;
  }

  Dice dice_;
  Plant plant_;
  SimulationReport& report_;
  Faults faults_;
  FloorFile file_;
  SimulationJudge judge_;
  Network network_;
  SimulatedDisk disk_;
  std::vector<std::unique_ptr<SimulatedTable>> tables_;
  std::optional<Controller> controller_;
  std::optional<DayWatch> days_;
  std::int64_t now_us_ = 1'700'000'000'000'000;
  std::int64_t starts_at_us_ = 0;
};

}  // namespace

SimulationReport simulate(std::uint64_t seed, Plant plant) {
  SimulationReport report;
  House house(seed, plant, report);
  report.divergence = house.run();
  return report;
}

}  // namespace linkmeter
