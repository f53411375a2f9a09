// Settled: what an entry says about awards, for every kind of fact: jackpot hits, awards won, paid
// and reversed, and rejected claims.
//
// Everything that counts awards or follows a claim uses it, so that a new kind of fact is counted
// everywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/values/identity.h"

namespace linkmeter {

// Lists that the fact does not have are empty. The pointers are valid as long as the entry.
struct Settled {
  std::optional<TableIndex> table;  // nullopt for an entry about a claim alone
  const RoundId* round = nullptr;   // round or pot; nullptr for an entry about a claim alone
  const std::vector<JackpotHit>* hits;
  const std::vector<Award>* awards;  // won with this entry; an award with a claim raises that claim
  const std::vector<Award>* envy_paid;  // owed before, paid with this entry
  const std::vector<Award>* reversed;   // paid before, to be collected
  std::vector<ClaimNumber> rejected;
  std::vector<ClaimNumber> undone;    // hits, by the lowest number of their claims
  std::vector<ClaimNumber> deferred;  // rejected hits that stay while a later one stands
  std::optional<RejectReason> why;    // if claims are rejected
  const std::string* note = nullptr;  // of a rejection
  Badge by = {};
};

Settled settled(const Entry& entry);

}  // namespace linkmeter
