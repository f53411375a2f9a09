// Table claims: what a table's panel is told of its claims with every answer to a heartbeat: those
// that are open, those that were settled a little while ago, and those that Envy of an open round
// waits for.
//
// Laws: what is told is the state's, and decides nothing. An answer costs what is told in it and
// the open rounds, and not the claims that the house ever had; it is bounded. Of too many, those
// that Envy waits for are told first, then the latest.
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
  // How long a claim is told of that is paid or rejected.
  static constexpr std::chrono::minutes told_after_settling{10};

  // Takes the claims that were raised since the last call.
  void note(const State& state, Timestamp now);
  // In the order in which they were raised; at most told_claims_max. REQUIRES: note() of this
  // state.
  [[nodiscard]] std::vector<ClaimNotice> told(const State& state, TableIndex table, Timestamp now);

 private:
  std::size_t seen_ = 0;  // of the state's claims
  std::map<TableIndex, std::vector<ClaimNumber>> tables_;
};

}  // namespace linkmeter
