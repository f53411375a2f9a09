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
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

struct BundleReport {
  std::vector<std::string> wrong;  // each names the file, or the entry
  Segment segment;
  std::optional<EntryNumber> bad_entry;
  Json asked = {{"claim", nullptr}, {"day", nullptr}};  // as the manifest has them
  std::vector<std::string> timeline;                    // of the claim, a line each
  std::vector<std::string> missing;                     // what was not there when it was made
  std::vector<std::string> notes;                       // what is not proved by the bundle alone
  [[nodiscard]] bool is_clean() const { return wrong.empty(); }
};

// Held also against an entry that is known from elsewhere, if one is given.
BundleReport audit_bundle(const std::filesystem::path& folder,
                          const std::optional<Head>& known = {}, const Steps& steps = {});

// Bundle bounds: whether a run of entries is all of what its bundle says it is of. A chain alone
// cannot say that: whoever cuts one anew, in front or behind, has a chain again.
//
// Laws. A gaming day's run is from entry 1, or from behind the entry that ended the day before, to
// one that ends, signs or closes the day; none in it ends another day first. A claim's begins with
// the lock of its round, or with its pot as it was played, whatever was put right since, and ends
// with the end of a gaming day or with the head that the journal had then. What may follow that is
// said, since nothing here can show it.

class BundleBounds {
 public:
  // One of the two.
  BundleBounds(std::optional<ClaimNumber> claim, std::optional<GamingDay> day)
      : claim_(claim), day_(day) {}

  // The next entry of the run; `floor` knows which links pay pots.
  void add(const Entry& entry, const Floor& floor);

  struct Finding {
    std::vector<std::string> wrong;
    std::vector<std::string> notes;  // what may be missing with nobody to blame
  };
  // `ends_day_before`: is the entry before the run one that ends a gaming day? `made_at`: the
  // journal's head when the bundle was made.
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
