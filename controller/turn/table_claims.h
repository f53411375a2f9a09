// TableClaims: the claims in each heartbeat reply to a table's panel: open ones, recently settled
// ones, and those that Envy of an open round waits for.
//
// Laws: it reports the state and decides nothing. The cost of a reply depends on its contents and
// the open rounds, not on the number of all claims. The list is bounded; claims that Envy waits for
// come first, then the latest.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <vector>

#include "meters/state/state.h"
#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class TableClaims {
 public:
  // How long a claim is reported after it is paid or rejected.
  static constexpr std::chrono::minutes reported_after_settling{10};

  // Adds the claims raised since the last call.
  void note(const State& state, Timestamp now);
  // In the order in which they were raised; at most reported_claims_max. REQUIRES: note() was
  // called with this state.
  [[nodiscard]] std::vector<ClaimNotice> reported(const State& state, TableIndex table,
                                                  Timestamp now);

 private:
  std::size_t seen_ = 0;  // number of the state's claims that were processed
  std::map<TableIndex, std::vector<ClaimNumber>> tables_;
};

}  // namespace linkmeter
