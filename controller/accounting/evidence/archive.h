// Archive: the journal's gaming days as segments in a folder apart, one file a day, for as long as
// the law asks that they are kept.
//
//   FOLDER/2026-11-21.segment  the entries of a day (segment_file.h); the first one begins with
//                              entry 1, each where the one before it ended
//   FOLDER/archive.json        every file with its SHA-256 (file_manifest.h), and of each day its
//                              entries and "chain": SHA-256 of the chain of the day before and of
//                              this segment's file; signed with the seal key (signing_key.h), if
//                              there is one
//
// Laws: only days that are closed are archived, in order; an archived day is never written again,
// nor is anything added to an archive that is not whole or is of another journal. The seal key's
// public half is in entry 1, so that an archive proves itself from its own files.
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
  // The last entry of it; 0: it is empty.
  [[nodiscard]] Head head() const { return days.empty() ? Head{} : days.back().last; }
};

// Archives the closed days that are not in the folder yet; makes the folder if need be. Gives their
// number, each proved after it was written. `key`: signs them. Throws Fault. REQUIRES: `state` is
// what the journal holds.
std::size_t archive_days(const Journal& journal, const State& state,
                         const std::filesystem::path& folder, const SigningKey* key,
                         const Steps& steps = {});

// Proves the folder from its own files: each there and unaltered, the days one chain of entries
// without a gap from entry 1 on, every signature that of the seal key of entry 1.
ArchiveReport verify_archive(const std::filesystem::path& folder, const Steps& steps = {});

// Replays all entries of an archive that was found whole: chain, balances, laws.
AuditReport audit_archive(const std::filesystem::path& folder, const ArchiveReport& archive,
                          const Steps& steps = {});

// What of the archive a journal does not bear out, as a sentence; "": it goes on from it.
std::string contradiction(const ArchiveReport& archive, const Journal& journal);

}  // namespace linkmeter
