// Local counters: the table's own counts on each of its links: rounds, wagers and handle, net of
// voids. The controller counts too; at the end of a gaming day both are compared (CountersReported
// of meters/facts/day_facts.h).
//
// Laws: an acknowledged message counts, by its content and its answer alone. A refused message
// counts nothing, and neither does a lock with a wrong chip count. Each message counts once, even
// if it is sent again after a restoration. The outbox stores the counts in the commit that removes
// the acknowledged messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/word_reader.h"

namespace linkmeter {

class LocalCounters {
 public:
  // The outbox stores text() under this name.
  static constexpr const char* play = "own-counts";

  // The links that the table takes part in.
  explicit LocalCounters(std::vector<LinkConfig> links);

  // Continues from a stored text(); "" begins after `number`. Throws Fault if the text is damaged.
  void continue_from(std::string_view text, MessageNumber number);
  // The effect of an acknowledged message: an entry refused it; the lock's chip count was wrong;
  // the fund of the pot collects no more.
  enum class Became : std::uint8_t { accepted, refused, blocked, without_contribution };
  void note(MessageNumber number, const TableCommand& command, Became became);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] ReportedCounts report() const;

 private:
  struct Count {
    std::uint64_t rounds = 0, wagers = 0;
    Amount handle;
  };
  struct Counted {
    std::size_t link = 0;  // of links_
    Amount amount;
    Seat seat;
  };

  void count(const RoundId& round, const std::vector<AskedWager>& wagers);
  void take_back(const RoundId& round);
  void take_back(const RoundId& round, Seat seat);
  void count_pot(const PlayPot& pot, bool contributes);
  void read_line(WordReader& in);
  [[nodiscard]] std::size_t place_of(std::string_view link) const;

  std::vector<LinkConfig> links_;
  std::vector<Count> counts_;  // of each of them
  MessageNumber from_{1}, up_to_;
  std::map<RoundId, std::vector<Counted>> open_;  // rounds that may still be voided
};

}  // namespace linkmeter
