#include "controller/accounting/evidence/bundle_audit.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "controller/accounting/evidence/bundle.h"
#include "controller/accounting/evidence/check_attestation.h"
#include "controller/accounting/evidence/claim_timeline.h"
#include "controller/store/config_history.h"
#include "meters/facts/settled.h"
#include "meters/rules/laws.h"
#include "meters/values/hex.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/json_nesting.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

// Checks an entry without the entries before it.
std::optional<std::string> alone_wrong(const std::optional<Entry>& entry, const StoredEntry& stored,
                                       const Head& before) {
  if (!entry) return why_unreadable(stored.bytes);
  if (entry->number != stored.number) {
    return "its bytes have the number of entry " + std::to_string(entry->number.value());
  }
  if (auto broken = law_violation(*entry)) return broken;
  if (has_other_texts(*entry)) return "its texts are not those of its summary";
  const auto* checked = std::get_if<SelfChecked>(&entry->fact);
  if (checked != nullptr && (checked->verified != before.entry || checked->head != before.hash)) {
    return "it records a self-check of a journal with another hash";
  }
  return std::nullopt;
}

class BundleAudit {
 public:
  BundleAudit(const std::filesystem::path& folder, const std::optional<Head>& known)
      : folder_(folder), known_(known) {}

  BundleReport run(const Steps& steps) {
    try {
      list_ = read_file_manifest(folder_ / bundle_names::manifest, bundle_names::kind);
    } catch (const Fault& fault) {
      wrong(fault.what());
      return std::move(report_);
    }
    report_.wrong = differences(folder_, bundle_names::manifest, list_, steps);
    for (const char* file : {bundle_names::journal, bundle_names::configuration,
                             bundle_names::floor, bundle_names::heads, bundle_names::readme}) {
      if (list_.find(file) == nullptr) wrong(std::string(file) + ": missing");
    }
    read_about();
    const bool has_entries = is_there(bundle_names::journal);
    const std::optional<Configuration> configuration = read_configuration();
    if (has_entries) read_entries(configuration ? configuration->floor : Floor{}, steps);
    if (has_entries && report_.wrong.empty()) hold_papers();
    return std::move(report_);
  }

 private:
  void wrong(std::string sentence) { report_.wrong.push_back(std::move(sentence)); }
  [[nodiscard]] bool is_there(const char* file) const {
    std::error_code error;
    return std::filesystem::is_regular_file(folder_ / file, error);
  }

  void read_about() {
    const Json& about = list_.about;
    report_.asked = {{"claim", about.value("claim", Json())}, {"day", about.value("day", Json())}};
    std::optional<ClaimNumber> claim;
    if (const auto number = number_in(about, "claim")) claim = ClaimNumber(*number);
    if (claim) timeline_.emplace(*claim);
    const auto day = text_in(about, "day");
    bounds_.emplace(claim, day ? parse_gaming_day(*day) : std::nullopt);
    const auto missing = about.find("missing");
    if (missing == about.end() || !missing->is_array()) return;
    for (const Json& one : *missing) {
      if (one.is_string()) report_.missing.push_back(one.get<std::string>());
    }
  }

  // Of a file that holds one entry; `at`: its own number and hash.
  std::optional<Entry> read_one(const std::string& file, Head& at) {
    std::optional<Entry> entry;
    std::optional<std::string> alone;
    const SegmentReading reading = read_segment(folder_ / file, [&](const StoredEntry& stored) {
      entry = decode_entry(stored.bytes);
      alone = alone_wrong(entry, stored, {});
      return true;
    });
    at = reading.segment.last;
    if (!reading.wrong.empty()) wrong(file + ": " + reading.wrong);
    if (reading.segment.entries != 1 || !entry || alone) {
      wrong(file + ": not one lawful entry" + (alone ? ": " + *alone : std::string()));
      return std::nullopt;
    }
    return entry;
  }

  // The one entry, and its texts.
  std::optional<Configuration> read_configuration() {
    if (!is_there(bundle_names::configuration)) return std::nullopt;
    const std::string file = bundle_names::configuration;
    const std::optional<Entry> entry = read_one(file, configured_);
    if (!entry) return std::nullopt;
    std::optional<Configuration> found = configuration_of(*entry);
    if (!found) {
      wrong(file + ": its entry makes no configuration");
      return std::nullopt;
    }
    hold_text(bundle_names::floor, found->floor_text);
    for (std::size_t at = 0; at < found->catalogue_texts.size(); ++at) {
      hold_text(chapter_file(at), found->catalogue_texts[at]);
    }
    return found;
  }

  void hold_text(const std::string& file, const std::string& journaled) {
    const auto text = read_file(folder_ / file, Links::refuse);
    if (text && *text != journaled) {
      wrong(file + ": altered: it is not the text that entry " +
            std::to_string(configured_.entry.value()) + " of the journal holds");
    } else if (!text && list_.find(file) == nullptr) {
      wrong(file + ": missing");
    }
  }

  void read_entries(const Floor& floor, const Steps& steps) {
    const std::string file = bundle_names::journal;
    std::optional<Head> before;
    std::string unlawful;
    const std::uint64_t of = number_in(list_.about, "last").value_or(0);
    const SegmentReading reading = read_segment(folder_ / file, [&](const StoredEntry& stored) {
      const std::optional<Entry> entry = decode_entry(stored.bytes);
      // The chain has just held it against the hash before it, but the first one's is the file's.
      const Head previous =
          before ? *before : Head{EntryNumber(stored.number.value() - 1), first_before()};
      if (auto alone = alone_wrong(entry, stored, previous); alone && unlawful.empty()) {
        unlawful = text(BadEntry{stored.number, *alone});
        report_.bad_entry = stored.number;
      }
      if (entry) {
        vouching_.add(*entry, stored.hash);
        bounds_->add(*entry, floor);
        if (timeline_) timeline_->add(*entry, floor);
      }
      before = Head{stored.number, stored.hash};
      note_held(*before);
      if (steps) steps("audit", stored.number.value(), std::max(of, stored.number.value()));
      return true;
    });
    report_.segment = reading.segment;
    if (reading.bad) report_.bad_entry = reading.bad->number;
    if (!reading.wrong.empty()) wrong(file + ": " + reading.wrong);
    if (!unlawful.empty()) wrong(file + ": the first bad entry is " + unlawful);
    note_held(reading.segment.before);
    hold_known();
    if (timeline_) report_.timeline = timeline_->lines();
    if (timeline_ && timeline_->raised() == EntryNumber() && reading.wrong.empty()) {
      wrong(file + ": it does not hold the entry that raised the claim");
    }
  }

  // Of the segment's header, read apart: the visitor sees entries alone.
  [[nodiscard]] Digest first_before() const {
    return read_segment(folder_ / bundle_names::journal, [](const StoredEntry&) { return false; })
        .segment.before.hash;
  }

  void note_held(const Head& head) {
    if (known_ && head.entry == known_->entry) known_found_ = head;
    if (head.entry == configured_.entry) configured_found_ = head;
  }

  void hold_known() {
    const Segment& segment = report_.segment;
    if (known_ && !known_found_) {
      wrong("entry " + std::to_string(known_->entry.value()) +
            " is not in this bundle, which has " + std::to_string(segment.before.entry.value()) +
            " to " + std::to_string(segment.last.entry.value()) + ": it cannot be held against it");
    } else if (known_ && known_found_->hash != known_->hash) {
      wrong(std::string(bundle_names::journal) + ": entry " +
            std::to_string(known_->entry.value()) + " has hash " + hex(known_found_->hash) +
            ", not the one that was given: this is another history");
    }
    if (configured_found_ && configured_found_->hash != configured_.hash) {
      wrong(std::string(bundle_names::configuration) + ": its entry " +
            std::to_string(configured_.entry.value()) + " is another one in " +
            bundle_names::journal);
    } else if (!configured_found_ && configured_.entry != EntryNumber()) {
      report_.notes.push_back(
          "that entry " + std::to_string(configured_.entry.value()) + " with hash " +
          hex(configured_.hash) +
          " is the configuration's is shown by the journal alone: it is before the entries here");
    }
    if (!known_) {
      report_.notes.emplace_back(
          "that this is the house's journal is shown by --head with an entry known from elsewhere");
    }
  }

  // What stands beside the entries is what they say.
  void hold_papers() {
    const Json& about = list_.about;
    if (about.value("first", Json()) != report_.segment.before.entry.next().value() ||
        about.value("last", Json()) != report_.segment.last.entry.value()) {
      wrong(std::string(bundle_names::manifest) + ": it names other entries than " +
            bundle_names::journal + " holds");
    }
    const std::string heads = read_file(folder_ / bundle_names::heads, Links::refuse).value_or("");
    const Json json = is_nested_too_deep(heads) ? Json() : Json::parse(heads, nullptr, false);
    if (!json.is_object() || json.value("before", Json()) != head_json(report_.segment.before) ||
        json.value("last", Json()) != head_json(report_.segment.last) ||
        json.value("vouching", Json()) != vouching_.json()) {
      wrong(std::string(bundle_names::heads) + ": altered: it is not what the entries say");
    }
    hold_bounds(json.is_object() ? json.value("head", Json()) : Json());
    for (const AttestationCheck::StoredSlip& slip : vouching_.slips()) {
      if (!timeline_ || timeline_->has(slip.slip)) hold_paper(slip_file(slip.slip), slip.digest);
    }
    for (const AttestationCheck::SignedReport& report : vouching_.reports()) {
      const auto& days = vouching_.days();
      if (std::find(days.begin(), days.end(), report.day) == days.end()) continue;
      // Signed again after something was recorded of the day: the last signature counts.
      if (is_last(report)) hold_paper(report_file(report.day), report.report);
    }
    for (const ManifestEntry& piece : list_.pieces) {
      const bool is_slip = piece.file.starts_with("slips/");
      if (is_slip && !held_.contains(piece.file)) {
        wrong(piece.file + ": extra: no entry here names it");
      } else if (piece.file.starts_with("reports/") && !held_.contains(piece.file)) {
        report_.notes.push_back(piece.file + " is not signed by any entry here");
      }
    }
  }

  // `result`: the journal's head when the bundle was made, as heads.json has it.
  void hold_bounds(const Json& result) {
    const Segment& run = report_.segment;
    // All that matters of the head: whether it is the run's own last.
    const Head made_at = result == head_json(run.last) ? run.last : Head{};
    const BundleBounds::Finding found = bounds_->hold(run, ends_day_before(), made_at);
    for (const std::string& one : found.wrong) {
      wrong(std::string(bundle_names::journal) + ": not what " + bundle_names::manifest +
            " says: " + one);
    }
    report_.notes.insert(report_.notes.end(), found.notes.begin(), found.notes.end());
  }

  // The entry before the others: held against the hash that theirs begin with.
  [[nodiscard]] bool ends_day_before() {
    if (!is_there(bundle_names::day_before)) return false;
    Head at;
    const std::optional<Entry> entry = read_one(bundle_names::day_before, at);
    if (!entry) return false;
    if (at != report_.segment.before) {
      wrong(std::string(bundle_names::day_before) + ": its entry is not the one before those of " +
            bundle_names::journal);
    }
    return at == report_.segment.before && std::holds_alternative<DayEnded>(entry->fact);
  }

  [[nodiscard]] bool is_last(const AttestationCheck::SignedReport& report) const {
    const AttestationCheck::SignedReport* last = nullptr;
    for (const AttestationCheck::SignedReport& one : vouching_.reports()) {
      if (one.day == report.day) last = &one;
    }
    return last == &report;
  }

  void hold_paper(const std::string& file, const Digest& digest) {
    held_.insert(file);
    const ManifestEntry* piece = list_.find(file);
    if (piece == nullptr) {
      const bool was_missing =
          std::any_of(report_.missing.begin(), report_.missing.end(),
                      [&file](const std::string& one) { return one.starts_with(file + ":"); });
      if (!was_missing) wrong(file + ": missing");
    } else if (piece->content.digest != digest) {
      wrong(file + ": altered: its SHA-256 is not the one that the journal names");
    } else if (timeline_ && file.starts_with("slips/")) {
      report_.timeline.push_back(file + " is that slip, to the last byte");
    }
  }

  const std::filesystem::path& folder_;
  const std::optional<Head>& known_;
  BundleReport report_;
  FileManifest list_;
  std::optional<ClaimTimeline> timeline_;
  std::optional<BundleBounds> bounds_;
  AttestationCheck vouching_;
  Head configured_;
  std::optional<Head> known_found_, configured_found_;
  std::set<std::string> held_;
};

}  // namespace

BundleReport audit_bundle(const std::filesystem::path& folder, const std::optional<Head>& known,
                          const Steps& steps) {
  return BundleAudit(folder, known).run(steps);
}

void BundleBounds::add(const Entry& entry, const Floor& floor) {
  if (!first_) first_ = entry.number;
  if (const auto* ended = std::get_if<DayEnded>(&entry.fact)) {
    if (!first_ended_) first_ended_ = ended->day;
    last_ended_ = entry.number;
  }
  if (day_) add_for_day(entry);
  if (claim_) add_for_claim(entry, floor);
}

void BundleBounds::add_for_day(const Entry& entry) {
  const auto* ended = std::get_if<DayEnded>(&entry.fact);
  const auto* is_signed = std::get_if<DaySigned>(&entry.fact);
  const auto* closed = std::get_if<DayClosed>(&entry.fact);
  if ((ended != nullptr && ended->day == *day_) ||
      (is_signed != nullptr && is_signed->day == *day_)) {
    last_of_day_ = entry.number;
  } else if (closed != nullptr && closed->day == *day_) {
    last_of_day_ = entry.number;
    is_closed_ = true;
  }
}

void BundleBounds::add_for_claim(const Entry& entry, const Floor& floor) {
  const std::optional<TableIndex> table =
      entry.origin ? std::optional(entry.origin->table) : std::nullopt;
  if (table && entry.number == first_) {
    if (const auto* pot = std::get_if<PotPlayed>(&entry.fact)) {
      played_first_ = Round{*table, pot->round};
    } else if (const auto* locked = std::get_if<RoundLocked>(&entry.fact)) {
      locked_first_ = Round{*table, locked->round};
    } else if (const auto* differed = std::get_if<CountMismatched>(&entry.fact)) {
      locked_first_ = Round{*table, differed->round};
    }
  }
  const Settled outcome = settled(entry);
  if (outcome.table) note_raised(*outcome.awards, {*outcome.table, *outcome.round}, floor);
  if (const auto* paid = std::get_if<ClaimPaid>(&entry.fact)) {
    is_settled_ = is_settled_ || paid->claim == *claim_;
  }
  is_settled_ = is_settled_ || std::find(outcome.rejected.begin(), outcome.rejected.end(),
                                         *claim_) != outcome.rejected.end();
}

void BundleBounds::note_raised(const std::vector<Award>& awards, const Round& round,
                               const Floor& floor) {
  const auto award = std::find_if(awards.begin(), awards.end(),
                                  [this](const Award& one) { return one.claim == *claim_; });
  if (award == awards.end()) return;
  raised_ = round;
  const std::size_t link = award->link.value();
  is_of_pot_ = link < floor.links.size() && floor.links[link].pot.has_value();
}

BundleBounds::Finding BundleBounds::hold(const Segment& run, bool ends_day_before,
                                         const Head& made_at) const {
  Finding found;
  if (claim_.has_value() == day_.has_value()) {
    found.wrong.emplace_back("it does not name the claim or gaming day that it is of");
  } else if (day_) {
    hold_day(run, ends_day_before, found);
  } else {
    hold_claim(run, made_at, found);
  }
  return found;
}

void BundleBounds::hold_day(const Segment& run, bool ends_day_before, Finding& found) const {
  const std::string day = "the gaming day " + text(*day_);
  if (!first_ended_) {
    found.wrong.push_back(day + " does not end in it");
  } else if (*first_ended_ != *day_) {
    found.wrong.push_back("the first gaming day that ends in it is " + text(*first_ended_) +
                          ", not " + text(*day_));
  }
  if (run.before.entry != EntryNumber() && !ends_day_before) {
    found.wrong.push_back("it does not begin where " + day + " does: the entry before it, " +
                          std::to_string(run.before.entry.value()) +
                          ", is not shown to end the day before");
  }
  if (last_of_day_ != run.last.entry) {
    found.wrong.push_back("its last entry, " + std::to_string(run.last.entry.value()) +
                          ", neither ends nor signs nor closes " + day);
  }
  if (!is_closed_) {
    found.notes.push_back("by these entries " + day +
                          " is not closed; later steps of it are not shown");
  }
}

void BundleBounds::hold_claim(const Segment& run, const Head& made_at, Finding& found) const {
  const bool begins_there = raised_ && (is_of_pot_ ? played_first_ : locked_first_) == raised_;
  if (!begins_there) {
    found.wrong.push_back("its first entry, " + std::to_string(run.before.entry.next().value()) +
                          (is_of_pot_ ? ", is not the claim's pot as it was played"
                                      : ", is not the lock of the claim's round"));
  }
  const bool ends_with_day = last_ended_ == run.last.entry;
  if (!ends_with_day && run.last != made_at) {
    found.wrong.push_back("it ends before the gaming day does, with entry " +
                          std::to_string(run.last.entry.value()) +
                          ", and that is not the journal's last when the bundle was made");
  } else if (!ends_with_day) {
    found.notes.emplace_back(
        "it ends before the gaming day does, with what it names as the journal's last entry when "
        "it "
        "was made; later steps are not shown");
  } else if (!is_settled_) {
    found.notes.emplace_back(
        "by these entries the claim is neither paid nor rejected; later steps are not shown");
  }
}

}  // namespace linkmeter
