#include "meters/facts/settled.h"

#include <variant>

namespace linkmeter {

namespace {

const std::vector<JackpotHit> no_hits;
const std::vector<Award> no_awards;

struct Telling {
  const Entry& entry;
  Settled& outcome;

  template <class Other>
  void operator()(const Other&) const {}
  void operator()(const HandsShown& shown) const {
    at_table(shown.round);
    won(shown.hits, shown.awards);
  }
  void operator()(const PotPlayed& pot) const {
    at_table(pot.round);
    won(pot.hits, pot.awards);
  }
  void operator()(const RoundVoided& voided) const {
    at_table(voided.round);
    outcome.reversed = &voided.reversed;
    rejected(voided.rejected, RejectReason::round_irregular, voided.reason, voided.by);
  }
  void operator()(const HandVoided& voided) const {
    at_table(voided.round);
    outcome.reversed = &voided.reversed;
    rejected(voided.rejected, RejectReason::round_irregular, voided.reason, voided.by);
  }
  void operator()(const HandCorrected& corrected) const {
    put_right(corrected);
    outcome.reversed = &corrected.reversed;
  }
  void operator()(const DealerCorrected& corrected) const {
    put_right(corrected);
    outcome.reversed = &corrected.reversed;
  }
  void operator()(const PotCorrected& corrected) const { put_right(corrected); }
  void operator()(const ClaimValidated& validated) const { outcome.envy_paid = &validated.envy; }
  void operator()(const ClaimRejected& rejection) const {
    outcome.envy_paid = &rejection.envy;
    outcome.reversed = &rejection.reversed;
    outcome.rejected = {rejection.claim};
    outcome.undone = rejection.hits.undone;
    outcome.deferred = rejection.hits.deferred;
    // An old entry undoes the claim's own hit, without a list.
    if (rejection.restored && outcome.undone.empty()) outcome.undone = {rejection.claim};
    outcome.why = rejection.reason;
    outcome.note = &rejection.note;
    outcome.by = rejection.by;
  }

  void at_table(const RoundId& round) const {
    if (entry.origin) outcome.table = entry.origin->table;
    outcome.round = &round;
  }
  void won(const std::vector<JackpotHit>& hits, const std::vector<Award>& awards) const {
    outcome.hits = &hits;
    outcome.awards = &awards;
  }
  void rejected(const RejectedClaims& claims, RejectReason why, const std::string& note,
                const Badge& by) const {
    outcome.by = by;
    if (claims.claims.empty()) return;
    outcome.rejected = claims.claims;
    outcome.undone = claims.hits.undone;
    outcome.deferred = claims.hits.deferred;
    outcome.why = why;
    outcome.note = &note;
  }
  template <class Correction>
  void put_right(const Correction& corrected) const {
    outcome.table = corrected.table;
    outcome.round = &corrected.round;
    won(corrected.hits, corrected.awards);
    rejected(corrected.rejected, RejectReason::hand_misread, corrected.note, corrected.by);
  }
};

}  // namespace

Settled settled(const Entry& entry) {
  Settled outcome{{}, nullptr, &no_hits, &no_awards, &no_awards, &no_awards, {}, {}, {}, {}};
  std::visit(Telling{entry, outcome}, entry.fact);
  return outcome;
}

}  // namespace linkmeter
