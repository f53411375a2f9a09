// Self-check: what a controller proves of itself before it serves anybody (§ 605a.8, L2). It
// operates only if all of it passes:
//
//   software       programs, chapters and floor file are what the signed manifest says
//   configuration  the floor file is complete, and means what is in force by the journal
//   journal        every entry is whole, chained and fits the one before it
//   balances       what all entries add up to is the state that stands beside them, within the laws
//
// The result becomes an entry, SelfChecked, also where it failed; only to a journal that cannot be
// trusted nothing is added. The quick check believes the journal up to the last check, if that one
// passed, and verifies the chain from there, and the state against the laws of money alone. So a
// start on a very long journal does not wait for all of it: what it believed is proved behind it
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
  std::string told;     // what was checked, if it passed: "9 files, sealed by init"
};

// The last two, proved from the journal's bytes.
struct JournalProof {
  Check journal, balances;
  std::optional<State> state;  // if both passed
  bool is_quick = false;       // from the last check that passed, not from entry 1
  // The rows are another release's: all of them are to be written anew, and nothing is wrong.
  bool makes_rows = false;
  std::string other_version = {};  // then: of which version they are, in words
  // What the entries say of the system's clock, and the last self-check that passed; also where the
  // balances are wrong.
  ClockStanding clock = {};
  EntryNumber last_check = {};
};
// What helps where balances are wrong and the journal is whole.
inline constexpr const char* rebuild_hint =
    " (the journal is whole: linkmeter rebuild makes the state anew)";

struct ProofTerms {
  // With the digest of the manifest that stands there, only from the last check, if it passed with
  // the same manifest: the seal key is in entry 1, and a manifest that nobody has held against an
  // entry 1 in its chain would vouch for itself. nullopt: from entry 1.
  std::optional<Digest> quick_manifest = {};
  // The last check may have been a quick one itself. Else what was believed once and never proved
  // could be believed for ever.
  bool believes_quick = false;
  // Of a quick check: at most so many of the last entries are chained.
  std::uint64_t chained_most = std::numeric_limits<std::uint64_t>::max();
};
// `progress` is told how many entries were checked, now and then, where all of them are.
JournalProof prove(const Journal& journal, const ProofTerms& terms = {},
                   const std::function<void(std::uint64_t entries_checked)>& progress = {});

Check software_check(const SoftwareReport& report);
Check configuration_check(const Configuration& in_force,
                          const std::variant<FloorFile, Violations>& read,
                          const std::filesystem::path& floor);

// "self-check software       ok      9 files, sealed by init\n", a line each.
std::string table(const std::vector<Check>& checks);
// What failed, in one sentence; "" if nothing did.
std::string failure_text(const std::vector<Check>& checks);
// The fact, with no more words of each failure than an entry may hold.
SelfChecked fact_of(const std::vector<Check>& checks, const Digest& manifest, const Head& head,
                    bool quick, const std::string& version);

// The last check, as the state knows it: the entry from before it, and the manifest that it passed
// with. nullopt: there is none, it failed, or it does not vouch for the entry before it.
struct LastPassed {
  Head head;
  Digest manifest{};
  bool is_quick = false;
};
std::optional<LastPassed> last_passed(const Journal& journal, const State& state);

}  // namespace linkmeter
