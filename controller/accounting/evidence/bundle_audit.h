// Bundle audit: verifies a bundle from its own files. Every listed file exists unaltered, and there
// are no others. The entries are one chain, and each keeps the laws by itself. They are all entries
// of the claim or the day (BundleBounds). Texts, slips and reports are those that the entries name.
// The audit also lists the steps of the claim. It needs no journal and no network.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/accounting/evidence/segment_file.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

struct BundleReport {
  std::vector<std::string> wrong;  // each names the file, or the entry
  Segment segment;
  std::optional<EntryNumber> bad_entry;
  Json asked = {{"claim", nullptr}, {"day", nullptr}};  // as the manifest has them
  std::vector<std::string> timeline;                    // of the claim, a line each
  std::vector<std::string> missing;  // was not available when the bundle was made
  std::vector<std::string> notes;    // the bundle alone does not prove this
  [[nodiscard]] bool is_clean() const { return wrong.empty(); }
};

// `known`: also compares with this entry, known from another source.
BundleReport audit_bundle(const std::filesystem::path& folder,
                          const std::optional<Head>& known = {}, const Steps& steps = {});

// Bundle bounds: whether a run of entries is complete for its bundle. A chain alone cannot show
// that: if entries are cut off at its beginning or end, the rest is a chain again.
//
// Laws. The run of a gaming day begins with entry 1 or after the entry that ended the day before,
// and ends with an entry that ends, signs or closes the day; no other day ends in it first. The run
// of a claim begins with the lock of its round, or with its pot as it was played, whatever was
// corrected since. It ends with the end of a gaming day, or with the journal's head at that time. A
// note says that the bundle cannot show later steps.

class BundleBounds {
 public:
  // One of the two.
  BundleBounds(std::optional<ClaimNumber> claim, std::optional<GamingDay> day)
      : claim_(claim), day_(day) {}

  // The next entry of the run; `floor` shows which links pay pots.
  void add(const Entry& entry, const Floor& floor);

  struct Finding {
    std::vector<std::string> wrong;
    std::vector<std::string> notes;  // parts that may be missing without a fault
  };
  // `ends_day_before`: whether the entry before the run ends a gaming day. `made_at`: the journal's
  // head when the bundle was made.
  [[nodiscard]] Finding hold(const Segment& run, bool ends_day_before, const Head& made_at) const;

 private:
  struct Round {
    TableIndex table;
    RoundId round;
    friend bool operator==(const Round&, const Round&) = default;
  };
  void add_for_day(const Entry& entry);
  void add_for_claim(const Entry& entry, const Floor& floor);
  void note_raised(const std::vector<Award>& awards, const Round& round, const Floor& floor);
  void hold_day(const Segment& run, bool ends_day_before, Finding& found) const;
  void hold_claim(const Segment& run, const Head& made_at, Finding& found) const;

  std::optional<ClaimNumber> claim_;
  std::optional<GamingDay> day_;
  std::optional<EntryNumber> first_;
  std::optional<GamingDay> first_ended_;
  EntryNumber last_ended_;   // the last entry that ends any day
  EntryNumber last_of_day_;  // the last one that ends, signs or closes the day
  bool is_closed_ = false;
  std::optional<Round> locked_first_;  // by the first entry
  std::optional<Round> played_first_;  // the pot that the first entry is
  std::optional<Round> raised_;
  bool is_of_pot_ = false;  // what raised the claim
  bool is_settled_ = false;
};

}  // namespace linkmeter
