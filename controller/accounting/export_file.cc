#include "controller/accounting/export_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controller/accounting/day_ends.h"
#include "controller/accounting/entries_between.h"
#include "controller/json.h"
#include "meters/edge/descriptor.h"
#include "meters/edge/fault.h"
#include "meters/edge/sha256.h"
#include "meters/edge/whole_file.h"
#include "meters/hexadecimal.h"

namespace linkmeter {
namespace {

constexpr mode_t readable_by_house = 0640;

std::filesystem::path beside(const std::filesystem::path& file, const char* ending) {
  return file.string() + ending;
}

// Bytes to a file, gathered; full disks are named.
class PartFile {
 public:
  // `kept_bytes`: of the part that is gone on with; nothing: a new one.
  PartFile(std::filesystem::path where, const std::optional<std::uint64_t>& kept_bytes)
      : path_(std::move(where)) {
    if (!kept_bytes) {
      file_ = new_file(path_, readable_by_house);
      return;
    }
    file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file_.is_open() || ::ftruncate(file_.get(), static_cast<off_t>(*kept_bytes)) != 0 ||
        ::lseek(file_.get(), 0, SEEK_END) < 0) {
      fail();
    }
  }
  void add(const std::string& text) {
    waiting_ += text;
    if (waiting_.size() >= std::size_t{1} << 20U) flush();
  }
  void finish() {
    flush();
    if (::fsync(file_.get()) != 0) fail();
  }

 private:
  void flush() {
    std::size_t written = 0;
    while (written < waiting_.size()) {
      const ssize_t count =
          ::write(file_.get(), waiting_.data() + written, waiting_.size() - written);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      written += static_cast<std::size_t>(count);
    }
    waiting_.clear();
  }
  [[noreturn]] void fail() const {
    throw Fault(path_.string() + ": cannot be written: " + std::strerror(errno) +
                "; the same command goes on with what is there");
  }

  std::filesystem::path path_;
  Descriptor file_;
  std::string waiting_;
};

Json asked_json(const ExportAsked& asked, ExportRange range) {
  return Json{{"format", "linkmeter-" + asked.format},
              {"version", 1},
              {"from", range.first.value()},
              {"to", range.last.value()},
              {"day", asked.day ? Json(text(*asked.day)) : Json()},
              {"link", text_or_null(asked.link)}};
}

Digest stored_hash(const Journal& journal, EntryNumber entry) {
  Digest hash{};
  journal.read(entry, [&](const StoredEntry& stored) {
    if (stored.number == entry) hash = stored.hash;
    return false;
  });
  return hash;
}

// What FILE.part is a part of.
Json part_json(const Journal& journal, const ExportAsked& asked, ExportRange range) {
  Json part = asked_json(asked, range);
  part["asked_from"] = asked.from;
  part["asked_to"] = asked.to;
  part["last_hash"] = hex(stored_hash(journal, range.last));
  return part;
}

struct Kept {
  std::uint64_t bytes = 0;
  EntryNumber after;  // every row of it, and of those before it, is there
  ExportTotals totals;
};

// Whole entries only, each held against what the journal says: a file that others could write to
// since, or that a power cut left, is not vouched for unread. Of a ledger nothing is kept: its few
// lines come at the end.
Kept kept_of(const std::filesystem::path& part, const Journal& journal, ExportRange range,
             ExportText& text) {
  Kept kept{text.head().size(), {}, {}};
  std::ifstream in(part, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(kept.bytes));
  const std::uint64_t there = std::filesystem::file_size(part);
  for (EntryNumber next = range.first; kept.bytes < there && next <= range.last;) {
    const EntryNumber last = std::min(range.last, EntryNumber(next.value() + 999));
    bool is_whole = true;
    read_between(journal, next, last, [&](const Entry& entry, const Digest& hash) {
      if (!is_whole) return;
      ExportTotals totals = kept.totals;
      const std::string wanted = text.of(entry, hash, totals);
      std::string has(wanted.size(), '\0');
      in.read(has.data(), static_cast<std::streamsize>(has.size()));
      has.resize(static_cast<std::size_t>(in.gcount()));
      if (!wanted.starts_with(has)) {
        throw Fault(part.string() + " does not say what the journal does of entry " +
                    std::to_string(entry.number.value()) + "; --force begins anew");
      }
      is_whole = has.size() == wanted.size();
      if (is_whole) kept = {kept.bytes + wanted.size(), entry.number, std::move(totals)};
    });
    if (!is_whole) break;
    next = last.next();
  }
  return kept;
}

bool begins_with(const std::filesystem::path& file, const std::string& head) {
  std::ifstream in(file, std::ios::binary);
  std::string beginning(head.size(), '\0');
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return in.gcount() == static_cast<std::streamsize>(head.size()) && beginning == head;
}

// Another file, which others see under another name: what is written to it is theirs.
void refuse_link(const std::filesystem::path& part) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(part, ignored);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_regular_file(status) ||
      std::filesystem::hard_link_count(part, ignored) != 1) {
    throw Fault(part.string() +
                " is a link or no file, and is not written through; --force begins anew");
  }
}

// Sets the range to that of the part that is gone on with. nullopt: there is nothing to go on with.
std::optional<Kept> go_on(const Journal& journal, const ExportAsked& asked,
                          const std::filesystem::path& file, ExportText& lines,
                          ExportRange& range) {
  const std::filesystem::path part = beside(file, ".part");
  const std::optional<std::string> text = read_whole(beside(file, ".part.json"));
  if (!text && !std::filesystem::exists(part)) return std::nullopt;
  const Json told = text ? Json::parse(*text, nullptr, false) : Json();
  ExportRange begun = range;
  if (told.is_object() && told.value("to", Json()).is_number_unsigned()) {
    const EntryNumber last(told["to"].get<std::uint64_t>());
    if (last <= journal.head().entry) begun.last = last;
  }
  // What is no JSON equals nothing; but nor does it differ.
  if (!(told == part_json(journal, asked, begun))) {
    throw Fault(part.string() +
                " is a part of another export; --force begins anew, or name another file");
  }
  range = begun;
  if (!std::filesystem::exists(part) || !begins_with(part, lines.head())) return std::nullopt;
  if (asked.format == "ledger") return Kept{lines.head().size(), {}, {}};
  return kept_of(part, journal, range, lines);
}

void write_totals(const std::filesystem::path& file, const ExportAsked& asked, ExportRange range,
                  const ExportTotals& totals) {
  Json json = asked_json(asked, range);
  json["rows"] = totals.rows;
  json["first_entry"] = totals.first.value();
  json["last_entry"] = totals.last.value();
  json["sum_by_account"] = Json::object();
  for (const auto& [account, units] : totals.by_account) {
    json["sum_by_account"][account] = dollars_text(units);
  }
  json["bytes"] = std::filesystem::file_size(beside(file, ".part"));
  json["sha256"] = file_sha256(beside(file, ".part"));
  write_whole(beside(file, ".totals.json"), json.dump(2) + "\n", readable_by_house);
}

}  // namespace

std::string file_sha256(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Sha256& hash = Sha256::begun();
  std::string piece(std::size_t{1} << 16U, '\0');
  do {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add(piece.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (!in.eof()) throw Fault(file.string() + ": cannot be read");
  return hex(hash.finish());
}

ExportResult export_to_file(const Journal& journal, const State& state, const ExportAsked& asked,
                            const std::filesystem::path& file, bool is_anew,
                            const std::function<void(std::uint64_t)>& progress) {
  ExportRange range = export_range(asked, state);
  const std::filesystem::path part = beside(file, ".part");
  if (!is_anew && std::filesystem::exists(file)) {
    throw Fault(file.string() + " is there already; --force writes it anew");
  }
  ExportText text(asked, state, first_day_text(journal, state));
  std::optional<Kept> kept;
  if (is_anew) std::filesystem::remove(part);
  if (!is_anew) refuse_link(part);
  if (!is_anew) kept = go_on(journal, asked, file, text, range);
  if (!kept) {
    write_whole(beside(file, ".part.json"), part_json(journal, asked, range).dump(2) + "\n",
                readable_by_house);
  }
  PartFile out(part, kept ? std::optional(kept->bytes) : std::nullopt);
  if (!kept) out.add(text.head());
  ExportTotals totals = kept ? kept->totals : ExportTotals();
  const EntryNumber after = kept ? kept->after : EntryNumber();
  const EntryNumber first = std::max(range.first, after.next());
  read_between(journal, first, range.last, [&](const Entry& entry, const Digest& hash) {
    out.add(text.of(entry, hash, totals));
    if (progress) progress(entry.number.value());
  });
  out.add(text.end(totals));
  out.finish();
  write_totals(file, asked, range, totals);
  std::filesystem::rename(part, file);
  std::filesystem::remove(beside(file, ".part.json"));
  sync_directory(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."));
  return {totals, after};
}

}  // namespace linkmeter
