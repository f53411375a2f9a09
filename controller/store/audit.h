// Audit: verifies a journal from its bytes alone. Checks that every entry is in its place in the
// hash chain, decodes, balances, is valid in the state before it and keeps the laws of money; and
// that all entries together give the stored state. It recomputes everything that it can compute.
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

// What signatures of journal heads prove (house_key.h). Without a key from outside the journal to
// compare with, they prove only that the journal was signed by the holder of these keys.
struct SignaturesProof {
  struct Period {
    EntryNumber since;       // the entry that put the key in force
    Digest key{};            // SHA-256 of the public key
    bool is_proved = false;  // it is in entry 1, or signed by the key before
    std::uint64_t count = 0;
  };
  std::vector<Period> keys;
  std::uint64_t count = 0;
  EntryNumber up_to;  // entries up to this one are proved; 0: none
};

struct AuditReport {
  std::uint64_t entries_checked = 0;  // valid entries, from entry 1 on
  Head head;                          // as the journal states it
  std::optional<BadEntry> bad;        // the first invalid entry
  // All entries are valid, but the stored state differs from theirs; else "".
  std::string wrong_state;
  // The stored state is of another release, so it was not compared. This is not an error. Else "".
  std::string other_version;
  std::optional<State> state;  // the state that the entries give, if all are valid
  SignaturesProof signatures;  // of the valid entries
  [[nodiscard]] bool is_clean() const { return !bad && wrong_state.empty(); }
};

// The result as one sentence.
std::string text(const AuditReport& report);

// Calls `progress` from time to time with the number of valid entries. Throws Fault only if the
// store cannot be read at all.
AuditReport audit(const Journal& journal,
                  const std::function<void(std::uint64_t entries_checked)>& progress = {});

// Compares with `stored` instead of the journal's stored state.
AuditReport audit_against(const Journal& journal, const State& stored,
                          const std::function<void(std::uint64_t entries_checked)>& progress = {});

// Checks the entries alone, from entry 1 to the head, without the stored state.
AuditReport audit_entries(const Journal& journal,
                          const std::function<void(std::uint64_t entries_checked)>& progress = {});

// Why the entry cannot follow this state and the head before it: laws of money, validity, texts.
// Its place in the chain, its signature and the balances after it are not checked. nullopt: it can.
std::optional<std::string> entry_violation(const State& state, const Head& before,
                                           const Entry& entry);

// The last entry that a state names, regardless of the head: the latest of the entries of
// tables, people, the clock and the controller itself.
EntryNumber last_entry_in(const State& state);

}  // namespace linkmeter
