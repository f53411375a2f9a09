#include "meters/facts/settled.h"

#include <variant>

namespace linkmeter {

namespace {

const std::vector<JackpotHit> no_calls;
const std::vector<Award> no_awards;

struct Telling {
  const Entry& entry;
  Settled& said;

  template <class Other>
  void operator()(const Other&) const {}
  void operator()(const HandsShown& shown) const {
    at_table(shown.round);
    won(shown.calls, shown.awards);
  }
  void operator()(const PotPlayed& pot) const {
    at_table(pot.round);
    won(pot.calls, pot.awards);
  }
  void operator()(const RoundVoided& voided) const {
    at_table(voided.round);
    said.reversed = &voided.reversed;
    rejected(voided.rejected, RejectReason::round_irregular, voided.reason, voided.by);
  }
  void operator()(const HandVoided& voided) const {
    at_table(voided.round);
    said.reversed = &voided.reversed;
    rejected(voided.rejected, RejectReason::round_irregular, voided.reason, voided.by);
  }
  void operator()(const HandCorrected& corrected) const {
    put_right(corrected);
    said.reversed = &corrected.reversed;
  }
  void operator()(const DealerCorrected& corrected) const {
    put_right(corrected);
    said.reversed = &corrected.reversed;
  }
  void operator()(const PotCorrected& corrected) const { put_right(corrected); }
  void operator()(const ClaimValidated& validated) const { said.envy_paid = &validated.envy; }
  void operator()(const ClaimRejected& rejection) const {
    said.envy_paid = &rejection.envy;
    said.reversed = &rejection.reversed;
    said.rejected = {rejection.claim};
    said.undone = rejection.calls.undone;
    said.deferred = rejection.calls.deferred;
    // An old entry undoes the claim's own hit, without a list.
    if (rejection.restored && said.undone.empty()) said.undone = {rejection.claim};
    said.why = rejection.reason;
    said.note = &rejection.note;
    said.by = rejection.by;
  }

  void at_table(const RoundId& round) const {
    if (entry.origin) said.table = entry.origin->table;
    said.round = &round;
  }
  void won(const std::vector<JackpotHit>& calls, const std::vector<Award>& awards) const {
    said.calls = &calls;
    said.awards = &awards;
  }
  void rejected(const RejectedClaims& claims, RejectReason why, const std::string& note,
                const Badge& by) const {
    said.by = by;
    if (claims.claims.empty()) return;
    said.rejected = claims.claims;
    said.undone = claims.calls.undone;
    said.deferred = claims.calls.deferred;
    said.why = why;
    said.note = &note;
  }
  template <class Correction>
  void put_right(const Correction& corrected) const {
    said.table = corrected.table;
    said.round = &corrected.round;
    won(corrected.calls, corrected.awards);
    rejected(corrected.rejected, RejectReason::hand_misread, corrected.note, corrected.by);
  }
};

}  // namespace

Settled settled(const Entry& entry) {
  Settled said{{}, nullptr, &no_calls, &no_awards, &no_awards, &no_awards, {}, {}, {}, {}};
  std::visit(Telling{entry, said}, entry.fact);
  return said;
}

}  // namespace linkmeter
