#include "controller/accounting/evidence/archive.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

constexpr const char* archive_kind = "linkmeter-archive 1";

std::string archive_file(GamingDay day) { return text(day) + ".segment"; }

std::string archived_bytes(const Digest& digest) { return {digest.begin(), digest.end()}; }

Digest chained(const Digest& before, const Digest& file) {
  return sha256(archived_bytes(before) + archived_bytes(file));
}

// What the seal key signs: a day in its place in the archive.
std::string archive_seal_text(const ArchivedDay& day) {
  return "linkmeter archive 1\nday " + text(day.day) + "\nfirst " +
         std::to_string(day.first.value()) + "\nlast " + std::to_string(day.last.entry.value()) +
         " " + hex(day.last.hash) + "\nchain " + hex(day.chain) + "\n";
}

Json archived_json(const ArchivedDay& day) {
  return {{"day", text(day.day)},
          {"first", day.first.value()},
          {"last", day.last.entry.value()},
          {"hash", hex(day.last.hash)},
          {"chain", hex(day.chain)},
          {"signature", day.signature.empty() ? Json() : Json(hexadecimal(day.signature))}};
}

std::optional<ArchivedDay> archived_day(const Json& json) {
  const auto name = text_in(json, "day"), signature = text_in(json, "signature");
  const auto first = number_in(json, "first"), last = number_in(json, "last");
  const auto hash = digest_in(json, "hash"), chain = digest_in(json, "chain");
  if (!name || !first || !last || !hash || !chain || !json.contains("signature")) {
    return std::nullopt;
  }
  if (!signature && !json["signature"].is_null()) return std::nullopt;
  const auto day = parse_gaming_day(*name);
  const auto bytes = parse_hex(signature.value_or(""));
  if (!day || !bytes) return std::nullopt;
  return ArchivedDay{*day, EntryNumber(*first), {EntryNumber(*last), *hash}, *chain, *bytes};
}

// Checks each day's file against the list and the file before it.
class ArchiveCheck {
 public:
  ArchiveCheck(const std::filesystem::path& folder, const FileManifest& list, ArchiveReport& report)
      : folder_(folder), list_(list), report_(report) {}

  void add(const ArchivedDay& day) {
    const std::string file = archive_file(day.day);
    const auto wrong = [&](const std::string& why) { report_.wrong.push_back(file + ": " + why); };
    const ManifestEntry* piece = list_.find(file);
    if (piece == nullptr) return wrong("missing");
    std::optional<Entry> last;
    const SegmentReading reading = read_segment(folder_ / file, [&](const StoredEntry& stored) {
      auto entry = decode_entry(stored.bytes);
      if (entry) note_seal_key(*entry);
      if (stored.number == day.last.entry) last = std::move(entry);
      return true;
    });
    if (!reading.wrong.empty()) return wrong(reading.wrong);
    if (reading.segment.before != before_) {
      wrong("it does not begin where the one before it ended, after entry " +
            std::to_string(before_.entry.value()));
    }
    if (reading.segment.before.entry.next() != day.first || reading.segment.last != day.last) {
      wrong("its entries are not those that " + std::string(archive_list_name) + " names");
    }
    const auto* ended = last ? std::get_if<DayEnded>(&last->fact) : nullptr;
    if (ended == nullptr || ended->day != day.day) {
      wrong("its last entry is not the end of the gaming day " + text(day.day));
    }
    chain_ = chained(chain_, piece->content.digest);
    if (day.chain != chain_) wrong("its place in the chain of segments is another");
    const bool is_sealed =
        day.signature.empty() ||
        std::any_of(report_.seal_keys.begin(), report_.seal_keys.end(),
                    [&day](const std::string& key) {
                      return is_signed(archive_seal_text(day), day.signature, key);
                    });
    if (!is_sealed) wrong("its signature is not that of a seal key that the journal names");
    before_ = reading.segment.last;
    report_.days.push_back(day);
  }

  [[nodiscard]] const Digest& chain() const { return chain_; }

 private:
  void note_seal_key(const Entry& entry) {
    const auto* opened = std::get_if<FloorOpened>(&entry.fact);
    if (opened != nullptr) report_.seal_keys.insert(opened->seal_key);
    const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
    const auto* replace = confirmed == nullptr ? nullptr : std::get_if<ReplaceKey>(&confirmed->act);
    if (replace != nullptr && replace->kind == KeyKind::seal)
      report_.seal_keys.insert(replace->key);
  }

  const std::filesystem::path& folder_;
  const FileManifest& list_;
  ArchiveReport& report_;
  Head before_;
  Digest chain_{};
};

// The archive as a journal, for the replay.
class ArchivedJournal final : public ReadOnlyJournal {
 public:
  ArchivedJournal(const std::filesystem::path& folder, const ArchiveReport& archive)
      : folder_(folder), archive_(archive) {}
  [[nodiscard]] Head head() const override { return archive_.head(); }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    bool goes_on = true;
    for (const ArchivedDay& day : archive_.days) {
      if (!goes_on) return;
      if (day.last.entry < from) continue;
      read_segment(folder_ / archive_file(day.day), [&](const StoredEntry& stored) {
        if (stored.number >= from) goes_on = visit(stored);
        return goes_on;
      });
    }
  }

 private:
  const std::filesystem::path& folder_;
  const ArchiveReport& archive_;
};

bool has_list(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::exists(folder / archive_list_name, error);
}

void make_archive_folder(const std::filesystem::path& folder) {
  make_folder(folder);
  if (has_list(folder)) return;
  // The file of a first day, written before the list, may be there.
  for (const std::string& file : files_below(folder, archive_list_name)) {
    if (!file.ends_with(".segment") && !file.ends_with(".new")) {
      throw Fault(folder.string() + ": not an archive, and not empty: " + file);
    }
  }
}

void write_list(const std::filesystem::path& folder, const std::vector<ArchivedDay>& days,
                std::vector<ManifestEntry> pieces) {
  const FileManifest list{
      archive_kind, {{"days", json_list(days, archived_json)}}, std::move(pieces)};
  write_atomically(folder / archive_list_name, text(list), readable_by_owner);
}

// The archive in the folder, if days may be added to it. Unlisted files are days that were not
// finished.
ArchiveReport whole_archive(const std::filesystem::path& folder, const Journal& journal,
                            const Steps& steps) {
  if (!has_list(folder)) return {};
  ArchiveReport report = verify_archive(folder, steps);
  std::erase_if(report.wrong, [](const std::string& one) {
    return one.find(".segment: extra:") != std::string::npos ||
           one.find(".segment.new: extra:") != std::string::npos;
  });
  std::string wrong = some_of(report.wrong);
  if (wrong.empty()) wrong = contradiction(report, journal);
  if (!wrong.empty()) throw Fault(folder.string() + ": nothing was added: " + wrong);
  return report;
}

}  // namespace

std::size_t ArchiveReport::unsigned_days() const {
  return static_cast<std::size_t>(std::count_if(
      days.begin(), days.end(), [](const ArchivedDay& day) { return day.signature.empty(); }));
}

std::size_t archive_days(const Journal& journal, const State& state,
                         const std::filesystem::path& folder, const SigningKey* key,
                         const Steps& steps) {
  make_archive_folder(folder);
  ArchiveReport archive = whole_archive(folder, journal, steps);
  std::vector<ManifestEntry> pieces;
  if (has_list(folder))
    pieces = read_file_manifest(folder / archive_list_name, archive_kind).pieces;
  std::size_t added = 0;
  for (const DayRecord& record : state.days()) {
    if (!record.is_closed()) break;  // nothing after it either: an archive has no gaps
    if (record.ended <= archive.head().entry) continue;
    const std::filesystem::path path = folder / archive_file(record.day);
    const EntryNumber first = archive.head().entry.next();
    const std::uint64_t of = record.ended.value() - first.value() + 1;
    const Segment written =
        write_segment(journal, first, record.ended, path, [&](std::uint64_t done) {
          if (steps) steps("archive " + text(record.day), done, of);
        });
    // Reads it back from the disk.
    const SegmentReading reading = read_segment(path);
    if (!reading.wrong.empty() || reading.segment != written) {
      throw Fault(path.string() + ": not as it was written: " + reading.wrong);
    }
    const ManifestEntry piece{archive_file(record.day), file_digest(path)};
    const Digest before = archive.days.empty() ? Digest{} : archive.days.back().chain;
    ArchivedDay day{record.day, first, written.last, chained(before, piece.content.digest), {}};
    // Only the entries of the archive prove which key it is.
    const bool is_named = day.last.entry >= state.keys().since(KeyKind::seal);
    if (key != nullptr && is_named) day.signature = key->sign(archive_seal_text(day));
    archive.days.push_back(std::move(day));
    pieces.push_back(piece);
    write_list(folder, archive.days, pieces);
    ++added;
  }
  return added;
}

ArchiveReport verify_archive(const std::filesystem::path& folder, const Steps& steps) {
  ArchiveReport report;
  FileManifest list;
  try {
    list = read_file_manifest(folder / archive_list_name, archive_kind);
  } catch (const Fault& fault) {
    report.wrong.emplace_back(fault.what());
    return report;
  }
  report.wrong = differences(folder, archive_list_name, list, steps);
  const auto days = list.about.find("days");
  if (days == list.about.end() || !days->is_array() || days->size() != list.pieces.size()) {
    report.wrong.push_back(std::string(archive_list_name) + ": it does not list every segment");
    return report;
  }
  ArchiveCheck check(folder, list, report);
  for (const Json& json : *days) {
    const auto day = archived_day(json);
    if (!day) {
      report.wrong.push_back(std::string(archive_list_name) + ": a day in it cannot be read");
      return report;
    }
    check.add(*day);
  }
  return report;
}

AuditReport audit_archive(const std::filesystem::path& folder, const ArchiveReport& archive,
                          const Steps& steps) {
  const std::uint64_t of = archive.head().entry.value();
  return audit_entries(ArchivedJournal(folder, archive), [&](std::uint64_t done) {
    if (steps) steps("audit", done, of);
  });
}

std::string contradiction(const ArchiveReport& archive, const Journal& journal) {
  for (const ArchivedDay& day : archive.days) {
    const std::string what =
        archive_file(day.day) + " ends with entry " + std::to_string(day.last.entry.value());
    if (day.last.entry > journal.head().entry) {
      return what + ", but the journal ends with entry " +
             std::to_string(journal.head().entry.value());
    }
    const Head found = head_at(journal, day.last.entry);
    if (found.hash != day.last.hash) {
      return what + " and hash " + hex(day.last.hash) + ", which has hash " + hex(found.hash) +
             " in the journal: this is another history";
    }
  }
  return "";
}

}  // namespace linkmeter
