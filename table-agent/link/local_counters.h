// Own counts: what a table has counted for itself on each of its links: rounds, wagers and handle,
// net of voids. The controller counts too; at the end of a gaming day the two are held against each
// other (CountersReported of meters/facts/day_facts.h).
//
// Laws: counted is what the controller has answered, by what the table said and by the answer
// alone: a refused message and a lock whose chips were counted otherwise bring nothing. Each
// message counts once, also one that is said again to a restored journal. Kept in the outbox, in
// the commit that puts the answered messages away.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class LocalCounters {
 public:
  // Under this name the outbox keeps text().
  static constexpr const char* play = "own-counts";

  // The links that the table takes part in.
  explicit LocalCounters(std::vector<LinkConfig> links);

  // Goes on from what was kept; "" begins after `number`. Throws Fault if the text is not one.
  void go_on(std::string_view text, MessageNumber number);
  // What became of a message that was answered: it was refused by an entry; the lock's chips
  // differ; the fund of the pot collects no more.
  enum class Became : std::uint8_t { accepted, refused, blocked, without_contribution };
  void note(MessageNumber number, const TableCommand& command, Became became);
  // Lines of words.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] ReportedCounts told() const;

 private:
  struct Count {
    std::uint64_t rounds = 0, wagers = 0;
    Amount handle;
  };
  struct Counted {
    std::size_t link = 0;  // of links_
    Amount amount;
    Seat seat;  // 0: counted before seats were kept
  };

  void count(const RoundId& round, const std::vector<AskedWager>& wagers);
  void take_back(const RoundId& round);
  void take_back(const RoundId& round, Seat seat);
  void count_pot(const PlayPot& pot, bool contributes);
  [[nodiscard]] std::size_t place_of(std::string_view link) const;

  std::vector<LinkConfig> links_;
  std::vector<Count> counts_;  // of each of them
  MessageNumber from_{1}, up_to_;
  std::map<RoundId, std::vector<Counted>> open_;  // rounds that may still be voided
};

}  // namespace linkmeter
