// Bundle audit: proves a bundle from its own files: each is there and unaltered, and none besides;
// the entries are a whole chain, and each by itself lawful; they are all of the claim or the day
// (bundle_bounds.h); texts, slips and reports are those that the entries name; and the claim's
// story as they tell it. It asks no journal and no network.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/accounting/evidence/segment_file.h"

namespace linkmeter {

struct BundleReport {
  std::vector<std::string> wrong;  // each names the file, or the entry
  Segment segment;
  std::optional<EntryNumber> bad_entry;
  Json asked = {{"claim", nullptr}, {"day", nullptr}};  // as the manifest has them
  std::vector<std::string> story;                       // of the claim, a line each
  std::vector<std::string> missing;                     // what was not there when it was made
  std::vector<std::string> notes;                       // what is not proved by the bundle alone
  [[nodiscard]] bool is_clean() const { return wrong.empty(); }
};

// Held also against an entry that is known from elsewhere, if one is given.
BundleReport audit_bundle(const std::filesystem::path& folder,
                          const std::optional<Head>& known = {}, const Steps& steps = {});

}  // namespace linkmeter
