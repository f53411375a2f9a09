// House: everything of one simulated run, and its time: the controller with its disk, clock and
// days, the tables, the people, the signs and the network between them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_rollover_service.h"
#include "controller/integrity/clock_guard.h"
#include "controller/time/recorded_time.h"
#include "controller/turn/controller.h"
#include "tests/property/dice.h"
#include "tests/simulation/faults.h"
#include "tests/simulation/network.h"
#include "tests/simulation/plant.h"
#include "tests/simulation/simulated_disk.h"
#include "tests/simulation/simulated_people.h"
#include "tests/simulation/simulated_signs.h"
#include "tests/simulation/simulated_table.h"
#include "tests/simulation/simulation.h"
#include "tests/simulation/simulation_judge.h"

namespace linkmeter {

class House {
 public:
  House(std::uint64_t seed, Plant plant, SimulationReport& report);

  // Faults for a while, then recovery, then accounting closes the days.
  Finding run();
  // Adds the counts of the run to the report, also after a finding.
  void finish_report();

 private:
  // In house.cc: one step of everything.
  Finding go_on();
  Finding deliver(const Frame& frame);
  [[nodiscard]] bool is_asked(const PersonRequest& asked) const;
  void befall();
  void carry_keys();
  void stop_controller();
  [[nodiscard]] bool all_done() const;
  [[nodiscard]] std::string undone_text() const;
  // The time of the controller's clock.
  [[nodiscard]] Timestamp now();
  [[nodiscard]] RecordedTime::Moment clocks() const;
  [[nodiscard]] Moment signs_moment() { return {now(), std::chrono::microseconds(uptime_us())}; }
  [[nodiscard]] std::int64_t uptime_us() const { return now_us_ - started_us_; }

  // In house_controller.cc: the controller's program, in the program's order.
  Finding start_controller();
  Finding start_checked();
  Finding rebuild();
  Finding serve();
  Finding turn(const std::vector<InboundMessage>& received,
               const std::vector<PersonRequest>& asked);
  Finding watch_days(Timestamp at);
  Finding guard(Timestamp at);
  void give_edge(PersonMessage& message) const;
  void tell(const Controller::Turn& turn);
  void plan_trouble();

  // In house_plants.cc: planted mistakes between the parts.
  void plant_disk();
  void plant_received(std::vector<InboundMessage>& received);
  void plant_turn(Controller::Turn& turn);
  Finding plant_suspension(const Controller::Turn& turn, Timestamp at);
  void plant_stopped();
  [[nodiscard]] State planted(State state) const;
  [[nodiscard]] FloorRules planted_rules() const;

  // In house_old_copy.cc.
  Finding put_back_old_copy();

  // In house_closing.cc: the people repair everything and close the days.
  Finding recover();
  Finding put_right();
  Finding put_clock_right();
  Finding end_last_day();
  Finding close_days();
  Finding close_day(const DayRecord& record);
  Finding be_served(const Badge& by);
  Finding explain_all(const Badge& by, GamingDay day, const DayFinding& read, bool& explained);
  Finding act(const Badge& by, const OperatorCommand& act, const DayFinding* finding = nullptr);
  Finding dual(const DualControlCommand& act);
  Finding wait(std::uint64_t steps);
  [[nodiscard]] std::vector<Badge> able(Role role) const;

  Dice dice_;
  Plant plant_;
  SimulationReport& report_;
  Faults faults_;
  FloorFile file_;
  SimulationJudge judge_;
  Network network_;
  SimulatedPeople people_;
  SimulatedSigns signs_;
  SimulatedDisk disk_;
  std::vector<std::unique_ptr<SimulatedTable>> tables_;
  std::optional<Controller> controller_;
  std::optional<DayRolloverService> days_;
  std::optional<RecordedTime> recorded_;
  std::optional<ClockGuard> clock_guard_;
  std::vector<InboundMessage> inbox_;
  std::vector<PersonRequest> asked_;                       // waiting for a turn
  std::optional<Controller::Turn> held_;                   // of a slow disk
  const std::vector<PersonRequest>* asked_now_ = nullptr;  // in the turn
  ControlReply reply_;                                     // the last reply to a person
  std::int64_t now_us_ = 1'700'000'000'000'000;
  std::int64_t ahead_us_ = 0;  // of the system's clock, relative to the steady one
  // Of the signs' clocks: never behind the time in the controller's updates.
  std::int64_t signs_ahead_us_ = 0;
  std::int64_t started_us_ = 0;    // when this controller started
  std::int64_t starts_at_us_ = 0;  // when the next one starts
  std::int64_t busy_until_us_ = 0;
  std::int64_t fails_until_us_ = 0;
  bool needs_rebuild_ = false;
  bool is_healed_ = false;
  std::uint32_t guarded_ = 0;
  std::uint64_t pins_ = 0;
};

}  // namespace linkmeter
