// Naive settlement: who is paid what, in which order, written from the rules (M4 to M7, M13) with
// every seat, link and line looked at one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "meters/command.h"
#include "tests/property/naive_link.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

// Takes the awards off the books and writes them into the verdict.
struct NaiveSettlement {
  const std::vector<NaiveTerms>& terms;
  std::vector<NaiveBook>& books;
  std::uint32_t table;
  std::size_t claims_before;
  Verdict& verdict;

  void settle(const NaiveRound& round, const ShowHands& show);
  void settle(std::uint32_t link, const PlayPot& pot);

 private:
  [[nodiscard]] std::vector<NaiveWager> bettors(const NaiveRound& round, std::uint32_t link) const;
  void settle_dealer(std::uint32_t link, const NaiveRound& round, const std::vector<Card>& dealer);
  void settle_seat(std::uint32_t link, const NaiveRound& round, const ShownHand& hand);
  void give_envy(std::uint32_t link, const NaiveRound& round, int holder, const std::string& line);
  Exact call(std::uint32_t link, const std::string& level, std::int64_t percent);
  void award(std::uint32_t link, int seat, const NaiveLine& line, Exact amount);
};

}  // namespace linkmeter
