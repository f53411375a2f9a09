// Finds the awards, hits and a posting of an entry, for tests that plant mistakes in them.
#pragma once

#include <variant>
#include <vector>

#include "meters/facts/entry.h"

namespace linkmeter {

// nullptr: an entry of its kind has none.
inline std::vector<Award>* awards_in(Entry& entry) {
  if (auto* shown = std::get_if<HandsShown>(&entry.fact)) return &shown->awards;
  if (auto* pot = std::get_if<PotPlayed>(&entry.fact)) return &pot->awards;
  return nullptr;
}
inline std::vector<JackpotHit>* calls_in(Entry& entry) {
  if (auto* shown = std::get_if<HandsShown>(&entry.fact)) return &shown->hits;
  if (auto* pot = std::get_if<PotPlayed>(&entry.fact)) return &pot->hits;
  return nullptr;
}
// The first posting of the account with this sign; nullptr: there is none.
inline Posting* posting_of(Entry& entry, Account account, bool positive) {
  for (Posting& posting : entry.postings) {
    if (posting.account == account && (posting.amount > Amount()) == positive) return &posting;
  }
  return nullptr;
}
// A hit is counted as a partial hit. False: the entry has none.
inline bool hit_counted_as_partial(Entry& entry) {
  std::vector<JackpotHit>* hits = calls_in(entry);
  if (hits == nullptr || hits->empty() || !hits->front().whole) return false;
  hits->front().whole = false;
  return true;
}

}  // namespace linkmeter
