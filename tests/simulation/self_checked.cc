#include "tests/simulation/self_checked.h"

#include <utility>

#include "controller/integrity/self_check.h"

namespace linkmeter {

SelfCheckFound self_check(const Journal& journal, bool is_quick) {
  // Without a manifest: as if it never changed.
  JournalProof proof = prove(journal, {is_quick ? std::optional(Digest{}) : std::nullopt});
  SelfCheckFound found;
  found.journal_failure = proof.journal.failure;
  found.balances_failure = proof.balances.failure;
  found.state = std::move(proof.state);
  found.fact = fact_of({proof.journal, proof.balances}, Digest{}, journal.head(), proof.is_quick,
                       "simulated");
  return found;
}

}  // namespace linkmeter
