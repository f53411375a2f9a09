// Deal play: deals real rounds of the table's game for ever, or as many as asked for.
//
// Laws: round k of a seed at a table is always the same round: its cards and wagers depend on seed,
// table and k alone, so a round that was cut short is finished after the restart exactly as it
// began. The position is "K J": step J of round K is the next to say. Rounds are named "dSEED-K"
// ("d7-000123").
//
// A Magic Card or Lucky position is no part of the round that the seed deals: it is drawn anew,
// once, when the round's first show is about to be said, and goes into that message. What the
// outbox holds keeps its draw through every restart; what was not yet in the outbox nobody has
// seen, and it is drawn again.
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
    std::optional<std::uint64_t> rounds;  // new rounds of this run; none: for ever
    std::uint32_t pace_ms = 0;            // between rounds
  };

  // "deal/7": each seed has a place of its own in the outbox.
  static std::string name(std::uint64_t seed);

  // `place` is what the outbox holds for name(seed). A round it left unfinished is finished first
  // and does not count as new. Throws Fault if the place cannot be read.
  DealDriver(TableOffers table, const Plan& plan, std::string_view place, BonusDraw drawing);

  [[nodiscard]] std::optional<Step> next() override;

  // Round k of this table, from its lock to its close, without a draw.
  [[nodiscard]] std::vector<TableCommand> deal(std::uint64_t round) const;

 private:
  [[nodiscard]] Position position() const;
  // Is the step that is said next the first show of its round?
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
