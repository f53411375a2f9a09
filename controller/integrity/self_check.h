// Self-check: what a controller verifies of itself before it serves (§ 605a.8, L2). It operates
// only if all checks pass:
//
//   software       programs, chapters and floor file match the signed manifest
//   configuration  the floor file is complete, and matches the configuration in force
//   journal        every entry is whole, chained and valid after the one before it
//   balances       the sum of all entries is the stored state, within the laws
//
// The result is journaled as SelfChecked, also if it failed, unless the journal itself cannot be
// trusted. The quick check trusts the journal up to the last check, if that one passed; it verifies
// only the chain from there, and the state against the laws of money. So a start on a very long
// journal does not wait for a full check: what it trusted is verified in the background
// (background_audit.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/integrity/software.h"
#include "controller/store/config_history.h"
#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

struct Check {
  std::string name;
  std::string failure;  // "": it passed
  std::string summary;  // what was checked, if it passed: "9 files, sealed by init"
};

// The checks "journal" and "balances", proved from the journal's bytes.
struct JournalProof {
  Check journal, balances;
  std::optional<State> state;  // if both passed
  bool is_quick = false;       // from the last check that passed, not from entry 1
  // The rows are of another release: all must be rewritten. This is not an error.
  bool makes_rows = false;
  std::string other_version = {};  // if so, their version in words
  // What the entries record about the system clock, and the last self-check that passed. Also set
  // if the balances are wrong.
  ClockStanding clock = {};
  EntryNumber last_check = {};
};
// What to do if balances are wrong and the journal is whole.
inline constexpr const char* rebuild_hint =
    " (the journal is whole: linkmeter rebuild remakes the state)";

struct ProofSettings {
  // The digest of the present manifest: proves only from the last check, if it passed with the same
  // manifest. The seal key is in entry 1, so a manifest that was never compared with a chained
  // entry 1 would vouch for itself. nullopt: proves from entry 1.
  std::optional<Digest> quick_manifest = {};
  // Accept a last check that was itself quick. Otherwise something trusted once and never proved
  // could be trusted for ever.
  bool trusts_quick = false;
  // For a quick check: chain at most this many of the last entries.
  std::uint64_t chained_most = std::numeric_limits<std::uint64_t>::max();
};
// `progress` receives the number of checked entries from time to time, if all are checked.
JournalProof prove(const Journal& journal, const ProofSettings& terms = {},
                   const std::function<void(std::uint64_t entries_checked)>& progress = {});

Check software_check(const SoftwareReport& report);
Check configuration_check(const Configuration& in_force,
                          const std::variant<FloorFile, Violations>& read,
                          const std::filesystem::path& floor);

// "self-check software       ok      9 files, sealed by init\n", one line for each check.
std::string table(const std::vector<Check>& checks);
// The failures in one sentence; "" if there are none.
std::string failure_text(const std::vector<Check>& checks);
// The fact to journal. Cuts the text of each failure to what an entry may hold.
SelfChecked fact_of(const std::vector<Check>& checks, const Digest& manifest, const Head& head,
                    bool quick, const std::string& version);

// The last check, as the state records it: the entry before it, and the manifest that it passed
// with. nullopt: there is none, it failed, or it does not cover the entry before it.
struct LastPassed {
  Head head;
  Digest manifest{};
  bool is_quick = false;
};
std::optional<LastPassed> last_passed(const Journal& journal, const State& state);

}  // namespace linkmeter
