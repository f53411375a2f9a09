// Audit: proves a journal from its bytes alone. Every entry is where it belongs in the chain,
// decodes, balances, fits the state before it and leaves the laws of money whole; and what all
// entries add up to is the state that stands beside them. It believes nothing it can compute.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/store/journal.h"
#include "meters/state/state.h"

namespace linkmeter {

// What signatures of heads prove (house_key.h). Without a key outside the journal to hold them
// against, they prove no more than that the journal is by whoever had these keys.
struct SignaturesProof {
  struct Period {
    EntryNumber since;       // the entry that put the key in force
    Digest key{};            // SHA-256 of the public key
    bool is_proved = false;  // entry 1, or signed by the key before
    std::uint64_t count = 0;
  };
  std::vector<Period> keys;
  std::uint64_t count = 0;
  EntryNumber up_to;  // entries up to this one are proved; 0: none
};

struct AuditReport {
  std::uint64_t entries_checked = 0;  // found good, from entry 1 on
  Head head;                          // as the journal says it
  std::optional<BadEntry> bad;        // the first entry that is not right
  std::string wrong_state;  // entries all right, but the state is not what they give; else ""
  // The state beside them is another release's, so it was not compared: nothing is wrong. Else "".
  std::string other_version;
  std::optional<State> state;  // what the entries give, if they are all right
  SignaturesProof signatures;  // of the entries that were found good
  [[nodiscard]] bool is_clean() const { return !bad && wrong_state.empty(); }
};

// What is wrong in one sentence, or that nothing is.
std::string text(const AuditReport& report);

// Calls `progress` now and then with the number of entries found good. Throws Fault only if the
// store cannot be read at all.
AuditReport audit(const Journal& journal,
                  const std::function<void(std::uint64_t entries_checked)>& progress = {});

// Against this state instead of the one that stands beside them.
AuditReport audit_against(const Journal& journal, const State& stored,
                          const std::function<void(std::uint64_t entries_checked)>& progress = {});

// Without the state beside them: the entries alone, from entry 1 to the head.
AuditReport audit_entries(const Journal& journal,
                          const std::function<void(std::uint64_t entries_checked)>& progress = {});

// The last entry that a state names, whatever the journal's head says: of what tables said, and of
// what people, the clock and the controller itself did.
EntryNumber last_entry_seen(const State& state);

}  // namespace linkmeter
