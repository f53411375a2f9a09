// Bundle: the evidence of one claim, or of one gaming day, in a folder that can be given away and
// verified with `linkmeter audit --bundle` alone.
//
//   journal.segment         the entries. Of a claim: from its round's lock to the end of the gaming
//                           day of its last step, or to the head. Of a day: all, with its closing
//   day_before.segment      of a day except the first: the entry that ended the day before. So it
//                           is seen that the bundle begins with the day's first entry
//   configuration.segment   the entry with which the configuration in force took effect
//   configuration/          floor.toml and chapter-01.toml, ...: its texts
//   slips/000012.pdf        stored copies of slips: those of the claim, or those stored in the day
//   reports/2026-11-21.json reports of the days that ended in it, if they are stored
//   heads.json              connects the bundle with the journal: the hash before it, its last
//                           hash, what attests hashes in it, and the head when it was made
//   README.txt              how the receiver verifies it
//   manifest.json           every other file, and the request (file_manifest.h); written last
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/accounting/evidence/segment_file.h"
#include "meters/state/state.h"

namespace linkmeter {

namespace bundle_names {
inline constexpr const char* manifest = "manifest.json";
inline constexpr const char* kind = "linkmeter-bundle 1";
inline constexpr const char* journal = "journal.segment";
inline constexpr const char* day_before = "day_before.segment";
inline constexpr const char* configuration = "configuration.segment";
inline constexpr const char* floor = "configuration/floor.toml";
inline constexpr const char* heads = "heads.json";
inline constexpr const char* readme = "README.txt";
}  // namespace bundle_names

// One of the two.
struct BundleRequest {
  std::optional<ClaimNumber> claim;
  std::optional<GamingDay> day;
};

struct BundleResult {
  Segment segment;
  std::size_t files = 0;
  std::vector<std::string> missing;  // sentences about parts that are not on the disk
};

// Throws Fault if there is no such claim, the day has not ended, `folder` exists, or the journal is
// not whole there. REQUIRES: `state` is that of the journal.
BundleResult make_bundle(const Journal& journal, const State& state,
                         const std::filesystem::path& data, const BundleRequest& request,
                         const std::filesystem::path& folder, Timestamp now,
                         const Steps& steps = {});

// "configuration/chapter-01.toml", for the first chapter.
std::string chapter_file(std::size_t chapter);
std::string slip_file(SlipNumber slip);
std::string report_file(GamingDay day);

}  // namespace linkmeter
