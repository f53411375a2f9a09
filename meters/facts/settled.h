// Settled: what an entry says of awards, whatever kind of fact it holds: what was called off
// meters, what was won, paid and taken back, and which claims were rejected with it.
//
// Everything that counts awards or follows a claim reads it here, so that a new kind of fact is
// counted everywhere at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/values/identity.h"

namespace linkmeter {

// Lists that the fact does not have are empty; they live as long as the entry.
struct Settled {
  std::optional<TableIndex> table;  // where it was; of a claim's step: nothing
  const RoundId* round = nullptr;   // round or pot; of a claim's step: null
  const std::vector<JackpotHit>* calls;
  const std::vector<Award>* awards;     // won with this entry: those with a claim raise it
  const std::vector<Award>* envy_paid;  // owed before, and paid with this entry
  const std::vector<Award>* reversed;   // paid before, and to be taken back
  std::vector<ClaimNumber> rejected;
  std::vector<ClaimNumber> undone;    // calls, by the lowest number of their claims
  std::vector<ClaimNumber> deferred;  // rejected calls that stay while a later one stands; likewise
  std::optional<RejectReason> why;    // where claims are rejected
  const std::string* note = nullptr;  // of a rejection
  Badge by = {};
};

Settled settled(const Entry& entry);

}  // namespace linkmeter
