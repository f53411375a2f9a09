// Generator: the traffic of a floor from a seed: rounds and pots of all games, correct, and with
// every mistake that a table, its agent or a stranger can make.
//
// After a mistake its knowledge of the rounds may be wrong; that adds randomness.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "tests/property/day_traffic.h"
#include "tests/property/deck.h"
#include "tests/property/dice.h"
#include "tests/property/naive_model.h"
#include "tests/property/people_traffic.h"
#include "tests/property/timed_input.h"

namespace linkmeter {

// The commands of one table, without numbers.
class TableTraffic {
 public:
  // `floor` must outlive this object. `mistakes`: how many of a hundred commands are spoiled.
  TableTraffic(const Floor& floor, TableIndex table, Dice dice, unsigned mistakes);

  TableCommand next();
  // Seats whose hands were cleared may be shown again.
  void take_back(const NaiveTable& table);

 private:
  struct Played {
    std::string id;
    std::vector<AskedWager> wagers;
    bool blocked = false;
    std::vector<int> shown;
    bool dealer_shown = false;
    Deck deck;
    std::optional<Draw> draw = {};
    std::vector<int> again = {};  // seats that were shown and then cleared
  };

  [[nodiscard]] std::string new_id();
  [[nodiscard]] Badge someone();
  [[nodiscard]] Badge resolver();
  Badge voider();
  [[nodiscard]] std::vector<AskedWager> resolved(const Played& round);
  [[nodiscard]] bool waits_for_dealer(const Played& round) const;
  [[nodiscard]] std::vector<AskedWager> wagers();
  [[nodiscard]] Amount amount_on(const LinkConfig& link);
  [[nodiscard]] LockRound lock();
  [[nodiscard]] TableCommand go_on(std::size_t round);
  [[nodiscard]] ShowHands show(Played& round);
  void show_seats(Played& round, ShowHands& show, bool all);
  void show_dealer(Played& round, ShowHands& show);
  [[nodiscard]] std::vector<Card> hand(Played& round);
  [[nodiscard]] Draw draw(const ShowHands& show);
  [[nodiscard]] PlayPot pot();
  void end(std::size_t round);

  const Floor& floor_;
  TableIndex table_;
  const TableConfig& terms_;
  Dice dice_;
  unsigned mistakes_;
  std::vector<const LinkConfig*> links_;
  std::vector<Played> open_;
  std::deque<std::string> ended_;
  std::uint64_t rounds_ = 0;
  std::size_t open_wanted_ = 3;
};

// Makes one mistake in a command, or a change that keeps it valid.
void spoil(TableCommand& command, Dice& dice, std::uint8_t seats, const std::string& used_round);

// The input of a whole floor: numbered messages, repeats, gaps, strangers, its people, and the ends
// of its days; with a clock that jumps, also backwards.
class FloorTraffic {
 public:
  // `floor` must outlive this object.
  FloorTraffic(const Floor& floor, std::uint64_t seed);

  // `model`: the present state.
  TimedInput next(const NaiveModel& model);

 private:
  [[nodiscard]] TableMessage new_message(std::uint32_t table);
  [[nodiscard]] TableMessage table_message();
  // The end of a round that prevents a change of a suspended link's parameters: after a mistake no
  // table would ever end it.
  [[nodiscard]] std::optional<TableMessage> end_of_round(const NaiveModel& model);
  void go_on();

  const Floor& floor_;
  Dice dice_;
  std::vector<TableTraffic> tables_;
  PeopleTraffic people_;
  DayTraffic days_;
  std::vector<std::vector<TableMessage>> said_;  // by table; number N is at N - 1
  std::int64_t sent_us_ = 1'700'000'000'000'000;
  std::int64_t now_us_ = 1'700'000'000'000'000;
};

}  // namespace linkmeter
