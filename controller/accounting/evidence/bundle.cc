#include "controller/accounting/evidence/bundle.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "controller/accounting/evidence/check_attestation.h"
#include "controller/accounting/evidence/claim_timeline.h"
#include "controller/slips/slip_store.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/store/staging_directory.h"
#include "controller/view/claim_cards.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr const char* bundle_readme =
    R"(This folder is evidence of a casino's progressive jackpots, taken from the journal of the
controller that keeps them. You can prove it with one program and nothing else: no network, no
casino, no other file.

  1. Get the program "linkmeter" from somebody whom you trust, not from who gave you this folder.
  2. Run:  linkmeter audit --bundle FOLDER
     It ends with "clean", or says which file is missing, extra or altered, or which entry is not
     right. One changed byte in any file is found. What nothing in here can show is noted: above all
     that steps may have followed the last entry.
  3. That shows that nothing was changed since the folder was made. To see that the folder itself
     is of the true journal, ask for the number and hash of one entry of it from somebody who does
     not depend on who gave you this: a table's agent ("linkmeter-table-agent --print-witness"),
     an archive that was given away earlier, or the regulator's copy. Then run
       linkmeter audit --bundle FOLDER --head NUMBER:HASH

What is in it:

  journal.segment        the journal's entries one after the other, exactly as they are stored. The
                         hash of each covers the hash before it, so none can be changed, taken out
                         or put in without changing every hash after it.
  day_before.segment     of a gaming day: the entry before those, which ended the day before it
  configuration.segment  the entry with which the configuration in force took effect
  configuration/         that configuration as texts: the house's floor file and the game chapters
  slips/                 the stored payout slips. Their SHA-256 stands in the journal.
  reports/               reports of gaming days. The SHA-256 of a signed one stands in the journal.
  heads.json             the hash before the first entry, that of the last, what vouches for hashes
                         in between, and the journal's last entry when this folder was made
  manifest.json          every file with its size and its SHA-256
)";

struct Range {
  EntryNumber first, last;
};

Range range_of_claim(const Journal& journal, const State& state, ClaimNumber number) {
  const Claim* claim = state.find_claim(number);
  if (claim == nullptr) throw Fault("there is no claim " + std::to_string(number.value()));
  ClaimTimeline timeline(number);
  const EntryNumber head = state.last_entry();
  journal.read(claim->entry, [&](const StoredEntry& stored) {
    if (stored.number > head) return false;
    timeline.add(decoded(stored), state.floor());
    return true;
  });
  EntryNumber last = head;
  for (const DayRecord& day : state.days()) {
    if (day.ended >= timeline.last_step()) {
      last = day.ended;
      break;
    }
  }
  return {beginning_of(journal, *claim), last};
}

Range range_of_day(const State& state, GamingDay wanted) {
  EntryNumber first(1);
  for (const DayRecord& day : state.days()) {
    if (day.day == wanted) return {first, std::max({day.ended, day.signed_with, day.closed_with})};
    first = day.ended.next();
  }
  throw Fault("the gaming day " + text(wanted) +
              " has not ended by this journal, or is from before it: there is no bundle of it");
}

void write_configuration(const Journal& journal, const Configuration& configuration,
                         const std::filesystem::path& draft) {
  write_segment(journal, configuration.since, configuration.since,
                draft / bundle_names::configuration);
  make_folder(draft / "configuration");
  write_atomically(draft / bundle_names::floor, configuration.floor_text, readable_by_owner);
  for (std::size_t at = 0; at < configuration.catalogue_texts.size(); ++at) {
    write_atomically(draft / chapter_file(at), configuration.catalogue_texts[at],
                     readable_by_owner);
  }
}

// Copies slips and reports, if they are on disk and match the journal. `timeline`: of the claim, if
// the bundle is of one; then only its slips are copied.
void copy_papers(const AttestationCheck& vouching, const std::optional<ClaimTimeline>& timeline,
                 const std::filesystem::path& data, const std::filesystem::path& draft,
                 std::vector<std::string>& missing) {
  const auto copy = [&](const std::filesystem::path& from, const std::string& file,
                        const std::optional<Digest>& digest) {
    std::error_code error;
    if (!std::filesystem::exists(from, error)) {
      if (digest) missing.push_back(file + ": it is not on the controller's disk");
      return;
    }
    make_folder((draft / file).parent_path());
    const FileDigest copied = copy_synced(from, draft / file);
    if (!digest || copied.digest == *digest) return;
    std::filesystem::remove(draft / file);
    missing.push_back(file + ": what is on the controller's disk is not what the journal says");
  };
  for (const AttestationCheck::StoredSlip& slip : vouching.slips()) {
    if (timeline && !timeline->has(slip.slip)) continue;
    copy(SlipStore(data).path(slip.slip), slip_file(slip.slip), slip.digest);
  }
  for (const GamingDay day : vouching.days()) {
    std::optional<Digest> closed;
    for (const AttestationCheck::SignedReport& report : vouching.reports()) {
      if (report.day == day) closed = report.report;
    }
    copy(data / "days" / (text(day) + ".json"), report_file(day), closed);
  }
}

// Reports slips whose copy was not stored yet.
void note_unstored(const ClaimTimeline& timeline, const AttestationCheck& vouching,
                   std::vector<std::string>& missing) {
  for (const SlipNumber slip : timeline.slips()) {
    const auto& stored = vouching.slips();
    const bool is_stored =
        std::any_of(stored.begin(), stored.end(),
                    [slip](const AttestationCheck::StoredSlip& one) { return one.slip == slip; });
    if (!is_stored) missing.push_back(slip_file(slip) + ": no entry says that it is on the disk");
  }
}

}  // namespace

std::string chapter_file(std::size_t chapter) {
  std::string number = std::to_string(chapter + 1);
  if (number.size() < 2) number.insert(0, "0");
  return "configuration/chapter-" + number + ".toml";
}

std::string slip_file(SlipNumber slip) { return "slips/" + number_text(slip) + ".pdf"; }

std::string report_file(GamingDay day) { return "reports/" + text(day) + ".json"; }

BundleResult make_bundle(const Journal& journal, const State& state,
                         const std::filesystem::path& data, const BundleRequest& request,
                         const std::filesystem::path& folder, Timestamp now, const Steps& steps) {
  const std::filesystem::path place = without_end_slash(folder);
  require_nothing_at(place,
                     folder.string() + " exists already; a bundle is only made where nothing is");
  const Range range = request.claim ? range_of_claim(journal, state, *request.claim)
                                    : range_of_day(state, request.day.value());
  StagingDirectory draft(place);
  BundleResult made;
  const std::uint64_t of = range.last.value() - range.first.value() + 1;
  made.segment = write_segment(journal, range.first, range.last,
                               draft.path() / bundle_names::journal, [&](std::uint64_t done) {
                                 if (steps) steps("write", done, of);
                               });
  if (request.day && range.first != EntryNumber(1)) {
    const EntryNumber before = made.segment.before.entry;
    write_segment(journal, before, before, draft.path() / bundle_names::day_before);
  }
  write_configuration(journal, configuration_at(journal, range.first), draft.path());
  AttestationCheck vouching;
  std::optional<ClaimTimeline> timeline;
  if (request.claim) timeline.emplace(*request.claim);
  const SegmentReading reading =
      read_segment(draft.path() / bundle_names::journal, [&](const StoredEntry& stored) {
        const Entry entry = decoded(stored);
        vouching.add(entry, stored.hash);
        if (timeline) timeline->add(entry, state.floor());
        return true;
      });
  if (!reading.wrong.empty()) throw Fault(folder.string() + ": as written: " + reading.wrong);
  copy_papers(vouching, timeline, data, draft.path(), made.missing);
  if (timeline) note_unstored(*timeline, vouching, made.missing);

  Json heads{{"before", head_json(made.segment.before)},
             {"last", head_json(made.segment.last)},
             {"vouching", vouching.json()},
             {"head", head_json(journal.head())},
             {"made_at", text(now)}};
  write_atomically(draft.path() / bundle_names::heads,
                   heads.dump(2, ' ', false, Json::error_handler_t::replace) + '\n',
                   readable_by_owner);
  write_atomically(draft.path() / bundle_names::readme, bundle_readme, readable_by_owner);
  Json about{{"claim", request.claim ? Json(request.claim->value()) : Json()},
             {"day", request.day ? Json(text(*request.day)) : Json()},
             {"house", state.floor().house},
             {"first", range.first.value()},
             {"last", range.last.value()},
             {"missing", made.missing}};
  const FileManifest list = finish_folder(draft, place, bundle_names::manifest, bundle_names::kind,
                                          std::move(about), steps);
  made.files = list.pieces.size();
  return made;
}

}  // namespace linkmeter
