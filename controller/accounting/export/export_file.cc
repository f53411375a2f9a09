#include "controller/accounting/export/export_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "controller/store/journal_reader.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/json.h"
#include "meters/values/hex.h"
#include "proto/codec/json_depth.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/sha256.h"

namespace linkmeter {

namespace {

constexpr mode_t readable_by_house = 0640;

std::filesystem::path beside(const std::filesystem::path& file, const char* ending) {
  return file.string() + ending;
}

// Opens what an interrupted export left; nothing open: there is none. In a folder that others share
// it may be theirs, or a file that they see under another name: what is written to it is theirs
// too.
FileDescriptor opened_own(const std::filesystem::path& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return file;
  struct stat status {};
  const bool is_link = !file.is_open() && errno == ELOOP;
  if (!is_link && (!file.is_open() || ::fstat(file.get(), &status) != 0)) {
    throw Fault(path.string() + ": cannot be opened: " + std::strerror(errno) +
                "; --force begins anew");
  }
  if (is_link || !S_ISREG(status.st_mode) || status.st_nlink != 1) {
    throw Fault(path.string() +
                " is a link or no file, and is not written through; --force begins anew");
  }
  if (status.st_uid != ::geteuid()) {
    throw Fault(path.string() +
                " is another user's, and is not gone on with; --force begins anew, or name "
                "another file");
  }
  return file;
}

// The bytes from there, at most so many; fewer at the end.
std::string read_at(const FileDescriptor& file, std::uint64_t offset, std::size_t bytes_max) {
  std::string bytes(bytes_max, '\0');
  std::size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t count = ::pread(file.get(), bytes.data() + read, bytes.size() - read,
                                  static_cast<off_t>(offset + read));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Fault(std::string("cannot read a part: ") + std::strerror(errno));
    if (count == 0) break;
    read += static_cast<std::size_t>(count);
  }
  bytes.resize(read);
  return bytes;
}

// Bytes to a file, gathered; full disks are named.
class PartFile {
 public:
  // A new one.
  explicit PartFile(std::filesystem::path where)
      : path_(std::move(where)), file_(new_file(path_, readable_by_house)) {}
  // One that is gone on with, after so many bytes of it.
  PartFile(std::filesystem::path where, FileDescriptor part, std::uint64_t kept_bytes)
      : path_(std::move(where)), file_(std::move(part)) {
    if (::ftruncate(file_.get(), static_cast<off_t>(kept_bytes)) != 0 ||
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
  FileDescriptor file_;
  std::string waiting_;
};

Json asked_json(const ExportRequest& asked, ExportRange range) {
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
Json part_json(const Journal& journal, const ExportRequest& asked, ExportRange range) {
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

// A part that is gone on with: the file that was looked at is the one that is written to.
struct GoneOn {
  FileDescriptor file;
  Kept kept;
};

// Whole entries only, each held against what the journal says: a file that others could write to
// since, or that a power cut left, is not vouched for unread. Of a ledger nothing is kept: its few
// lines come at the end.
Kept kept_of(const std::filesystem::path& part, const FileDescriptor& file, const Journal& journal,
             ExportRange range, ExportText& text) {
  Kept kept{text.head().size(), {}, {}};
  for (EntryNumber next = range.first; next <= range.last;) {
    const EntryNumber last = std::min(range.last, EntryNumber(next.value() + 999));
    bool is_whole = true;
    read_between(journal, next, last, [&](const Entry& entry, const Digest& hash) {
      if (!is_whole) return;
      ExportTotals totals = kept.totals;
      const std::string wanted = text.of(entry, hash, totals);
      const std::string has = read_at(file, kept.bytes, wanted.size());
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

// Sets the range to that of the part that is gone on with. nullopt: there is nothing to go on with.
std::optional<GoneOn> go_on(const Journal& journal, const ExportRequest& asked,
                            const std::filesystem::path& file, ExportText& lines,
                            ExportRange& range) {
  constexpr std::size_t note_bytes_max = std::size_t{64} << 10U;
  const std::filesystem::path part = beside(file, ".part");
  FileDescriptor there = opened_own(part, O_RDWR);
  const FileDescriptor note = opened_own(beside(file, ".part.json"), O_RDONLY);
  if (!note.is_open() && !there.is_open()) return std::nullopt;
  const Json told =
      note.is_open() ? Json::parse(read_at(note, 0, note_bytes_max), nullptr, false) : Json();
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
  const std::string head = lines.head();
  if (!there.is_open() || read_at(there, 0, head.size()) != head) return std::nullopt;
  Kept kept{head.size(), {}, {}};
  if (asked.format != "ledger") kept = kept_of(part, there, journal, range, lines);
  return GoneOn{std::move(there), std::move(kept)};
}

void write_totals(const std::filesystem::path& file, const ExportRequest& asked, ExportRange range,
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
  write_atomically(beside(file, ".totals.json"), json.dump(2) + "\n", readable_by_house);
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

ExportResult export_to_file(const Journal& journal, const State& state, const ExportRequest& asked,
                            const std::filesystem::path& file, bool is_anew,
                            const std::function<void(std::uint64_t)>& progress) {
  ExportRange range = export_range(asked, state);
  const std::filesystem::path part = beside(file, ".part");
  if (!is_anew && std::filesystem::exists(file)) {
    throw Fault(file.string() + " is there already; --force writes it anew");
  }
  ExportText text(asked, state, first_day_text(journal, state));
  std::optional<GoneOn> goes_on;
  if (!is_anew) goes_on = go_on(journal, asked, file, text, range);
  if (!goes_on) {
    write_atomically(beside(file, ".part.json"), part_json(journal, asked, range).dump(2) + "\n",
                     readable_by_house);
  }
  const Kept kept = goes_on ? goes_on->kept : Kept();
  PartFile out = goes_on ? PartFile(part, std::move(goes_on->file), kept.bytes) : PartFile(part);
  if (!goes_on) out.add(text.head());
  ExportTotals totals = kept.totals;
  const EntryNumber after = kept.after;
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

// The half of export_file.h that reads.

namespace {

// "-12.34567890" as units; nullopt: it is no such text, or longer than any sum.
std::optional<Int128> parse_dollars(const std::string& text) {
  constexpr std::size_t length_max = 36;  // of what a sum can hold, and more
  if (text.size() > length_max) return std::nullopt;
  Int128 units = 0;
  const bool is_negative = !text.empty() && text.front() == '-';
  for (const char byte : text) {
    if (byte >= '0' && byte <= '9') units = units * 10 + (byte - '0');
  }
  if (is_negative) units = -units;
  return dollars_text(units) == text ? std::optional<Int128>(units) : std::nullopt;
}

// "1.00000000" as an amount; nullopt: it is none, or more than there can be.
std::optional<Amount> parse_balance(const std::string& text) {
  const std::optional<Int128> units = parse_dollars(text);
  if (!units || *units > INT64_MAX || *units < -INT64_MAX) return std::nullopt;
  return Amount::from_units(static_cast<std::int64_t>(*units));
}

std::string format_of(const std::string& name) {
  for (const char* known : {"entries", "postings", "ledger"}) {
    if (name == std::string("linkmeter-") + known) return known;
  }
  throw Fault("\"" + name + "\" is no format of linkmeter export");
}

}  // namespace

ExportedFile::ExportedFile(const std::filesystem::path& path, std::string format)
    : in_(path, std::ios::binary), csv_(in_), format_(std::move(format)) {
  if (!in_) throw Fault(path.string() + ": cannot be read");
  if (format_ == "entries") return;
  const auto head = csv_.next();
  line_number_ = 1;
  offset_ = csv_.offset();
  const std::string wanted =
      format_ == "postings" ? "linkmeter-postings 1" : std::string(ledger_name);
  if (!head || head->front() != wanted) why_ = "it does not begin with \"" + wanted + "\"";
}

std::optional<ExportedLine> ExportedFile::next() {
  if (!why_.empty()) return std::nullopt;
  auto line = format_ == "entries" ? next_entry() : next_record();
  if (line) ++line_number_;
  return line;
}

std::optional<ExportedLine> ExportedFile::next_entry() {
  ExportedLine said;
  if (!std::getline(in_, said.line)) return std::nullopt;
  if (in_.eof()) {
    why_ = "the last line has no end";
    return std::nullopt;
  }
  const Json json = is_nested_too_deep(said.line) ? Json() : Json::parse(said.line, nullptr, false);
  why_ = "it is no entry";
  if (!json.is_object() || !json.contains("entry") || !json["entry"].is_number_unsigned() ||
      !json.contains("postings") || !json["postings"].is_array()) {
    return std::nullopt;
  }
  said.entry = EntryNumber(json["entry"].get<std::uint64_t>());
  for (const Json& posting : json["postings"]) {
    if (!posting.is_object() || !posting.value("account", Json()).is_string() ||
        !posting.value("amount", Json()).is_string()) {
      return std::nullopt;
    }
    const auto amount = parse_balance(posting["amount"].get<std::string>());
    if (!amount) return std::nullopt;
    said.postings.emplace_back(posting["account"].get<std::string>(), *amount);
  }
  why_.clear();
  offset_ += said.line.size() + 1;
  return said;
}

std::optional<ExportedLine> ExportedFile::next_record() {
  auto fields = csv_.next();
  if (!fields) {
    if (!csv_.ended_well()) why_ = "it is no whole record";
    return std::nullopt;
  }
  ExportedLine said;
  if (format_ == "postings") {
    PostingRowRead read = parse_posting_row(*fields);
    why_ = read.why;
    if (!why_.empty()) return std::nullopt;
    said.entry = read.row.entry;
    said.postings.emplace_back(read.row.account, read.row.amount);
    said.row = std::move(read.row);
  }
  said.fields = std::move(*fields);
  offset_ = csv_.offset();
  return said;
}

ExportedTotals read_export_totals(const std::filesystem::path& file) {
  const std::string path = file.string() + ".totals.json";
  const auto text = read_file(path);
  if (!text) {
    if (!std::ifstream(file)) throw Fault(file.string() + ": cannot be read");
    throw Fault(file.string() + ": its totals, " + path + ", cannot be read");
  }
  try {
    const Json json = Json::parse(*text);
    ExportedTotals told;
    if (json.at("version") != 1) throw Fault("it is of another version");
    told.asked.format = format_of(json.at("format").get<std::string>());
    if (!json.at("link").is_null()) told.asked.link = json.at("link").get<std::string>();
    if (!json.at("day").is_null()) {
      told.asked.day = parse_gaming_day(json.at("day").get<std::string>());
      if (!told.asked.day) throw Fault("\"day\" is no date");
    }
    told.range = {EntryNumber(json.at("from").get<std::uint64_t>()),
                  EntryNumber(json.at("to").get<std::uint64_t>())};
    told.totals.rows = json.at("rows").get<std::uint64_t>();
    told.totals.first = EntryNumber(json.at("first_entry").get<std::uint64_t>());
    told.totals.last = EntryNumber(json.at("last_entry").get<std::uint64_t>());
    for (const auto& [account, sum] : json.at("sum_by_account").items()) {
      const auto units = parse_dollars(sum.get<std::string>());
      if (!units) throw Fault("the sum of " + account + " is no amount");
      told.totals.by_account[account] = *units;
    }
    told.bytes = json.at("bytes").get<std::uint64_t>();
    told.sha256 = json.at("sha256").get<std::string>();
    return told;
  } catch (const std::exception& no) {
    throw Fault(path + ": " + no.what());
  }
}

}  // namespace linkmeter
