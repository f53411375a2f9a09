// SimulatedSigns: one sign for each link, with the real board that publishes and the real texts of
// a sign; between them a network that loses and delays.
//
// The judge's part: an amount in a text is the amount of that link's meter after the entry that the
// sign names, to the cent; the link was not suspended then; and it was the latest amount no longer
// ago than the sign's maximum age.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/signs/sign_text.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "controller/web/sign_publisher.h"
#include "tests/property/dice.h"
#include "tests/property/naive_model.h"
#include "tests/simulation/faults.h"
#include "tests/simulation/finding.h"
#include "tests/simulation/plant.h"

namespace linkmeter {

class SimulatedSigns {
 public:
  SimulatedSigns(const Floor& floor, Dice dice, Plant plant);

  // A controller begins to publish, or has ended. It must outlive the boards.
  void begin(const Controller& controller, const Floor& floor, Moment now);
  void end();
  // Publishes the changes of a turn, after it.
  void note(const Controller::Turn& turn, Moment now);
  void serve(Moment now);
  // Published updates arrive at the signs. `wall_us`: the signs' own clock.
  void arrive(const Faults& faults, std::int64_t steady_us, std::int64_t wall_us);
  // People who set the signs' clock back restart the signs: updates in transit are lost.
  void start_again();
  // Records the meters after the last entry.
  void record(const NaiveModel& model, std::int64_t steady_us);
  // Checks what every sign shows now.
  [[nodiscard]] Finding look(std::int64_t steady_us);
  // Whether no sign says that it is not available.
  [[nodiscard]] bool all_fresh(std::int64_t steady_us) const;
  // How many checks found an amount on a sign.
  [[nodiscard]] std::uint64_t amounts_shown() const { return amounts_shown_; }
  // The last update of each sign.
  [[nodiscard]] const ShownAmounts& shown() const { return shown_; }

 private:
  // The meters of one link after an entry.
  struct Stood {
    std::uint64_t entry = 0;
    std::int64_t since_us = 0;
    std::vector<std::int64_t> cents;
    bool is_suspended = false;
    bool is_over = false;
    bool waits = false;
    friend bool operator==(const Stood&, const Stood&) = default;
  };

  void published(const std::string& topic, const std::string& data);
  void receive(std::size_t link, std::string data, std::int64_t steady_us, std::int64_t wall_us);
  [[nodiscard]] Finding look(std::size_t link, std::int64_t steady_us);

  Dice dice_;
  Plant plant_;
  std::vector<std::string> links_;
  const State* state_ = nullptr;  // of the controller that publishes
  std::unique_ptr<TablePresence> presence_;
  std::unique_ptr<SignPublisher> publisher_;
  std::vector<std::pair<std::size_t, std::string>> fresh_;  // published in this step: link, JSON
  std::map<std::pair<std::int64_t, std::uint64_t>, std::pair<std::size_t, std::string>> way_;
  std::uint64_t count_ = 0;
  std::vector<SignText> signs_;             // by link
  std::vector<std::deque<Stood>> history_;  // by link
  std::set<std::uint64_t> heads_;           // entries that were the last of a commit
  ShownAmounts shown_;
  std::uint64_t amounts_shown_ = 0;
};

}  // namespace linkmeter
