#include "tests/simulation/house.h"

#include <algorithm>

#include "proto/codec/journal_codec.h"
#include "tests/property/floors.h"
#include "tests/property/generator.h"
#include "tests/support/keys.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t steps_of_trouble = 250;
constexpr std::int64_t hour_us = 3'600'000'000;

// Only the chapters of its own games: every report of a day reads them again.
FloorFile without_other_games(FloorFile file) {
  std::erase_if(file.catalogue_texts, [&file](const std::string& text) {
    return std::none_of(
        file.floor.tables.begin(), file.floor.tables.end(), [&text](const auto& one) {
          return text.find("\nid = \"" + one.game.text() + "\"") != std::string::npos ||
                 text.find("\ngame = \"" + one.game.text() + "\"") != std::string::npos;
        });
  });
  return file;
}

// Reading a floor takes longer than a run, so each floor is read once.
const FloorFile& known_floor(std::size_t which) {
  static std::vector<std::optional<FloorFile>> floors(test_floor_count);
  if (!floors[which]) floors[which] = without_other_games(test_floor(which));
  return *floors[which];
}

}  // namespace

House::House(std::uint64_t seed, Plant plant, SimulationReport& report)
    : dice_(seed),
      plant_(plant),
      report_(report),
      faults_(Faults::some(dice_)),
      file_(known_floor(dice_.below(test_floor_count))),
      judge_(file_),
      network_(dice_.fork(), faults_),
      people_(dice_.fork()),
      signs_(file_.floor, dice_.fork(), plant) {
  for (std::uint32_t place = 0; place < file_.floor.tables.size(); ++place) {
    TableTraffic traffic(file_.floor, TableIndex(place), dice_.fork(), 15);
    std::vector<TableCommand> script;
    const std::size_t length = 8 + dice_.below(32);
    while (script.size() < length) script.push_back(traffic.next());
    tables_.push_back(std::make_unique<SimulatedTable>(file_.floor, TableIndex(place),
                                                       std::move(script), dice_.fork(), plant_));
  }
  plant_disk();
  recorded_.emplace(clocks(), RecordedTime::Terms{});
  judge_.clock().set(now_us_, 0);
  const Entry first = open_floor(opened(file_), now());
  State state;
  state.apply(first);
  disk_.commit({encode(first)}, rows_for(state, state.take_changes()));
}

RecordedTime::Moment House::clocks() const {
  return {Timestamp::from_microseconds(now_us_ + ahead_us_),
          std::chrono::microseconds(uptime_us())};
}

Timestamp House::now() {
  judge_.clock().set(now_us_, ahead_us_);
  if (plant_ == Plant::time_goes_back && dice_.one_in(30)) {
    return recorded_->at(clocks()).after(-5'000'000);
  }
  return recorded_->at(clocks());
}

bool House::all_done() const {
  for (const auto& table : tables_) {
    if (!table->is_done() || !table->is_open(now_us_)) return false;
  }
  return controller_.has_value();
}

std::string House::undone_text() const {
  std::string said = "end: all is well again, but not everything is delivered and open:";
  for (const auto& table : tables_) {
    if (!table->is_done() || !table->is_open(now_us_)) said += " " + table->text(now_us_) + ";";
  }
  return said;
}

Finding House::run() {
  for (std::uint64_t step = 0; step < steps_of_trouble; ++step) {
    ++report_.steps;
    if (Finding no = go_on()) return no;
  }
  return recover();
}

void House::finish_report() {
  report_.entries = disk_.head().entry.value();
  report_.days = judge_.replayed().days().size();
  report_.reconciliations = judge_.reconciliations();
  report_.amounts_shown = signs_.amounts_shown();
  report_.acts = judge_.acts();
}

// The same request of the same person in one turn: the edge could not tell them apart here.
bool House::is_asked(const PersonRequest& asked) const {
  return std::any_of(asked_.begin(), asked_.end(), [&asked](const PersonRequest& one) {
    return one.badge == asked.badge && one.act == asked.act;
  });
}

Finding House::deliver(const Frame& frame) {
  const auto place = file_.floor.find_table(TableId(frame.table));
  SimulatedTable& table = *tables_[place.value().value()];
  return table.receive(frame.bytes, faults_, network_, judge_, now_us_);
}

void House::stop_controller() {
  days_.reset();
  signs_.end();
  controller_.reset();
  held_.reset();
  inbox_.clear();
  people_.unanswered(asked_, now_us_);
  asked_.clear();
  busy_until_us_ = 0;
  disk_.lose_unsynced();
  plant_stopped();
  starts_at_us_ = now_us_ + dice_.between(0, 500'000);
}

// The faults of the house in this step, in addition to those of its parts.
void House::befall() {
  if (faults_.hours_pass && dice_.one_in(75)) now_us_ += hour_us * dice_.between(1, 40);
  if (faults_.clock_set && dice_.one_in(50)) {
    ahead_us_ += dice_.one_in(2) ? dice_.between(-5'000'000, 5'000'000)
                                 : hour_us / 10 * dice_.between(-30, 30);
  }
  if (faults_.partitions && dice_.one_in(40)) {
    network_.part(dice_.pick(file_.floor.tables).id.text(), now_us_);
  }
  if (faults_.failing_disk && dice_.one_in(60)) {
    fails_until_us_ = now_us_ + dice_.between(0, 2'000'000);
  }
  disk_.set_failing(now_us_ < fails_until_us_);
  if (faults_.torn_rows && dice_.one_in(150) && disk_.damage_row(dice_)) judge_.note_damage();
  if (faults_.all_at_once && dice_.one_in(120)) {
    stop_controller();
    for (const auto& table : tables_) table->die(faults_, now_us_);
  }
}

// A person carries the key that is enrolled for a table to its agent.
void House::carry_keys() {
  for (const auto& table : tables_) {
    const std::string* key = judge_.key_of_table(table->id());
    if (key == nullptr || *key == table->key() || !(is_healed_ || dice_.one_in(30))) continue;
    table->take_key(*key);
    network_.reconnect(table->id());
  }
}

Finding House::go_on() {
  now_us_ += is_healed_ ? dice_.between(20'000, 80'000) : dice_.between(1'000, 30'000);
  befall();
  carry_keys();
  for (const auto& table : tables_) {
    if (Finding no = table->step(faults_, network_, judge_, now_us_)) return no;
  }
  people_.step(faults_, judge_.model(), judge_.last_recorded(), now_us_);
  if (Finding no = start_controller()) return no;
  while (const std::optional<Frame> frame = network_.arrive(now_us_)) {
    ++report_.frames;
    if (frame->way == Way::to_controller) {
      inbox_.push_back({frame->table, frame->key, frame->bytes});
    } else if (Finding no = deliver(*frame)) {
      return no;
    }
  }
  for (PersonRequest& asked : people_.arrive(now_us_)) {
    if (!is_asked(asked)) asked_.push_back(std::move(asked));
  }
  if (controller_ && faults_.controller_stops && dice_.one_in(40)) stop_controller();
  if (!controller_) {  // no controller listens
    inbox_.clear();
    people_.unanswered(asked_, now_us_);
    asked_.clear();
  } else if (now_us_ >= busy_until_us_) {
    if (Finding no = serve()) return no;
  }
  if (controller_ && now_us_ >= busy_until_us_) signs_.serve(signs_moment());
  const std::int64_t highest_us = judge_.clock().highest_us();
  if (is_healed_ && highest_us < signs_ahead_us_) signs_.start_again();
  signs_ahead_us_ = is_healed_ ? highest_us : std::max(signs_ahead_us_, highest_us);
  signs_.arrive(faults_, now_us_, now_us_ + signs_ahead_us_);
  return signs_.look(now_us_);
}

}  // namespace linkmeter
