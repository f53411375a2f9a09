// Archive: the gaming days of the journal as segments in a separate folder, one file a day, for as
// long as the law requires.
//
//   FOLDER/2026-11-21.segment  the entries of a day (segment_file.h); the first one begins with
//                              entry 1, each where the one before it ended
//   FOLDER/archive.json        every file with its SHA-256 (file_manifest.h), and of each day its
//                              entries and "chain": SHA-256 of the chain of the day before and of
//                              this segment's file; signed with the seal key (signing_key.h), if
//                              there is one
//
// Laws: only closed days are archived, in order. An archived day is never written again, and
// nothing is added to an archive that is not whole or belongs to another journal. The public half
// of the seal key is in entry 1, so an archive can be verified from its own files.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/accounting/evidence/segment_file.h"
#include "controller/store/audit.h"
#include "meters/state/state.h"
#include "proto/host/signing_key.h"

namespace linkmeter {

inline constexpr const char* archive_list_name = "archive.json";

struct ArchivedDay {
  GamingDay day;
  EntryNumber first;
  Head last;  // its DayEnded
  Digest chain{};
  std::string signature;  // "": no key signed it
  friend bool operator==(const ArchivedDay&, const ArchivedDay&) = default;
};

struct ArchiveReport {
  std::vector<std::string> wrong;  // each names the file
  std::vector<ArchivedDay> days;
  std::set<std::string> seal_keys;  // public: that of entry 1, and those that took its place
  [[nodiscard]] std::size_t unsigned_days() const;
  [[nodiscard]] bool is_clean() const { return wrong.empty(); }
  // The last archived entry; 0: the archive is empty.
  [[nodiscard]] Head head() const { return days.empty() ? Head{} : days.back().last; }
};

// Archives the closed days that are not in the folder yet, and creates the folder if necessary.
// Returns their number; each was read back and verified. `key`: signs them. Throws Fault. REQUIRES:
// `state` is that of the journal.
std::size_t archive_days(const Journal& journal, const State& state,
                         const std::filesystem::path& folder, const SigningKey* key,
                         const Steps& steps = {});

// Verifies the folder from its own files: each file is there and unaltered, the days are one chain
// of entries without a gap from entry 1 on, and every signature is by a seal key that the entries
// name.
ArchiveReport verify_archive(const std::filesystem::path& folder, const Steps& steps = {});

// Replays all entries of an archive that is whole: chain, balances, laws.
AuditReport audit_archive(const std::filesystem::path& folder, const ArchiveReport& archive,
                          const Steps& steps = {});

// How the journal contradicts the archive, as a sentence; "": the journal continues it.
std::string contradiction(const ArchiveReport& archive, const Journal& journal);

}  // namespace linkmeter
