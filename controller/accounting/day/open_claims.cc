#include "controller/accounting/day/open_claims.h"

#include <algorithm>
#include <string>
#include <utility>

#include "controller/store/journal_reader.h"
#include "meters/facts/settled.h"
#include "proto/codec/state_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

Claim claim_in_row(ClaimNumber number, std::string value) {
  const auto claim = read_claim_row(Row{claim_row_key(number), std::move(value)});
  if (claim && claim->number == number) return *claim;
  throw Fault("the state row of claim " + std::to_string(number.value()) + " is damaged");
}

// Recorded times never go back, and the last entry of a day is the first one at or after the day's
// end. So whatever has an earlier time than that entry came before it, and everything else after.
bool was_before(Timestamp moment, Timestamp recorded_at) {
  return moment != Timestamp() && moment < recorded_at;
}

}  // namespace

void OpenClaims::add(const Claim& claim, EntryNumber last, Timestamp recorded_at) {
  if (claim.entry <= last && was_before(claim.validated_at, recorded_at)) {
    verified_.insert(claim.entry);
  }
  if (claim.entry > last || was_before(std::max(claim.paid_at, claim.rejected_at), recorded_at)) {
    return;
  }
  OpenClaim open{claim.number, claim.entry, claim.link,   claim.table,
                 claim.line,   claim.level, claim.amount, claim.raised_at};
  if (was_before(claim.validated_at, recorded_at)) open.state = ClaimState::validated;
  open_.emplace(claim.number, std::move(open));
}

// False: the journal has no state rows, or those of another release.
bool OpenClaims::read_rows(const Journal& journal, EntryNumber last, Timestamp recorded_at) {
  auto floor = journal.row("floor");
  if (!floor || !read_configuration_row(Row{"floor", std::move(*floor)})) return false;
  for (ClaimNumber number(1);; number = number.next()) {
    auto value = journal.row(claim_row_key(number));
    if (!value) return true;
    const Claim claim = claim_in_row(number, std::move(*value));
    if (claim.entry > last) return true;
    add(claim, last, recorded_at);
  }
}

OpenClaims OpenClaims::after(const Journal& journal, EntryNumber last, Timestamp recorded_at) {
  OpenClaims claims;
  if (last == EntryNumber()) return claims;
  if (!claims.read_rows(journal, last, recorded_at)) {
    read_between(journal, EntryNumber(1), last, [&](const Entry& entry, const Digest&) {
      claims.note(entry);
      claims.settle(entry);
    });
  }
  claims.verified_ = claims.verified();
  return claims;
}

void OpenClaims::raise(const Entry& entry, TableIndex table, const std::vector<Award>& awards) {
  for (const Award& award : awards) {
    if (!award.claim) continue;
    open_.insert_or_assign(*award.claim,
                           OpenClaim{*award.claim, entry.number, award.link, table, award.line,
                                     award.level, award.amount, entry.recorded_at});
  }
}

void OpenClaims::note(const Entry& entry) {
  const Settled outcome = settled(entry);
  if (outcome.table) raise(entry, *outcome.table, *outcome.awards);
  if (const auto* validated = std::get_if<ClaimValidated>(&entry.fact)) {
    const auto found = open_.find(validated->claim);
    if (found == open_.end()) return;
    found->second.state = ClaimState::validated;
    verified_.insert(found->second.entry);
  }
}

void OpenClaims::settle(const Entry& entry) {
  if (const auto* paid = std::get_if<ClaimPaid>(&entry.fact)) {
    open_.erase(paid->claim);
  }
  for (const ClaimNumber rejected : settled(entry).rejected) open_.erase(rejected);
}

const OpenClaim& OpenClaims::find(ClaimNumber number) const {
  const auto found = open_.find(number);
  if (found != open_.end()) return found->second;
  throw Fault("the journal settles claim " + std::to_string(number.value()) +
              ", which is not open");
}

std::set<EntryNumber> OpenClaims::verified() const {
  std::set<EntryNumber> found;
  for (const auto& [number, claim] : open_) {
    if (verified_.contains(claim.entry)) found.insert(claim.entry);
  }
  return found;
}

std::vector<OpenClaim> OpenClaims::list() const {
  std::vector<OpenClaim> all;
  all.reserve(open_.size());
  for (const auto& [number, claim] : open_) all.push_back(claim);
  return all;
}

}  // namespace linkmeter
