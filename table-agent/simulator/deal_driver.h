// DealDriver: deals real rounds of the table's game, without end or as many as requested.
//
// Laws: round k of a seed at a table is always the same round: its cards and wagers depend only on
// seed, table and k. So a round that was interrupted continues after a restart exactly as it began.
// The position is "K J": step J of round K is submitted next. Rounds are named "dSEED-K"
// ("d7-000123").
//
// A Magic Card or Lucky position does not depend on the seed: it is drawn once, just before the
// round's first show is submitted, and is part of that message. A draw in the outbox is kept
// through every restart. A draw that was not yet in the outbox was seen by nobody, and is drawn
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/round/bonus_draw.h"
#include "table-agent/round/round_driver.h"
#include "table-agent/round/table_offers.h"

namespace linkmeter {

class DealDriver final : public RoundDriver {
 public:
  struct Plan {
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> rounds;  // new rounds of this run; nullopt: no limit
    std::uint32_t pace_ms = 0;            // between rounds
  };

  // "deal/7": each seed has its own entry in the outbox.
  static std::string name(std::uint64_t seed);

  // `place` is the position that the outbox holds for name(seed). An unfinished round is finished
  // first and does not count as new. Throws Fault if the position cannot be read.
  DealDriver(TableOffers table, const Plan& plan, std::string_view place, BonusDraw drawing);

  [[nodiscard]] std::optional<Step> next() override;

  // Round k of this table, from its lock to its close, without a draw.
  [[nodiscard]] std::vector<TableCommand> deal(std::uint64_t round) const;

 private:
  [[nodiscard]] Position position() const;
  // Whether the next step is the first show of its round.
  [[nodiscard]] bool is_at_first_show() const;

  TableOffers table_;
  Plan plan_;
  BonusDraw drawing_;
  std::uint64_t round_ = 1;
  std::size_t step_ = 0;
  std::uint64_t begun_count_ = 0;
  bool is_paced_ = true;                // no wait before the first round of a run
  std::vector<TableCommand> commands_;  // of round_, if step_ > 0
};

}  // namespace linkmeter
