#include "controller/accounting/export/export_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "controller/store/journal_reader.h"
#include "controller/store/staging_directory.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/json.h"
#include "meters/values/hex.h"
#include "proto/codec/json_nesting.h"
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

// Nothing is at the path, or a file of this user that has no other name.
bool is_free_or_ours(const std::filesystem::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT;
  return S_ISREG(status.st_mode) && status.st_nlink == 1 && status.st_uid == ::geteuid();
}

// An export under construction: FILE.part. It is deleted unless it was moved to FILE. While it is
// written it is locked, so that two exports to one FILE do not mix.
class StagingFile {
 public:
  // A file of ours that stands there is what an interrupted export left. Anything else may be
  // another's, and is removed only if `replaces` says so. Nothing is written through a link.
  StagingFile(std::filesystem::path path, bool replaces) : path_(std::move(path)) {
    if (!replaces && !is_free_or_ours(path_)) {
      throw Fault(path_.string() +
                  " is a link, another user's file or no file; --force replaces it");
    }
    const FileDescriptor before(
        ::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (before.is_open()) lock(before);
    file_ = new_file(path_, readable_by_house);
    lock(file_);
  }
  StagingFile(const StagingFile&) = delete;
  StagingFile& operator=(const StagingFile&) = delete;
  ~StagingFile() {
    std::error_code ignored;
    if (file_.is_open() && is_still_at(file_, path_)) std::filesystem::remove(path_, ignored);
  }

  void add(const std::string& text) {
    waiting_ += text;
    if (waiting_.size() >= std::size_t{1} << 20U) flush();
  }
  void sync() {
    flush();
    if (::fsync(file_.get()) != 0) fail();
    if (!is_still_at(file_, path_))
      throw Fault(path_.string() + ": another program has replaced it");
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void move_to(const std::filesystem::path& file) {
    std::filesystem::rename(path_, file);
    file_ = FileDescriptor();
  }

 private:
  void lock(const FileDescriptor& file) const {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return;
    throw Fault(path_.string() + ": another export is writing it");
  }
  void flush() {
    if (!file_.write_all(waiting_)) fail();
    waiting_.clear();
  }
  [[noreturn]] void fail() const {
    throw Fault(path_.string() + ": cannot be written: " + std::strerror(errno));
  }

  std::filesystem::path path_;
  FileDescriptor file_;
  std::string waiting_;
};

Json asked_json(const ExportRequest& request, ExportRange range) {
  return Json{{"format", "linkmeter-" + request.format},
              {"version", 1},
              {"from", range.first.value()},
              {"to", range.last.value()},
              {"day", request.day ? Json(text(*request.day)) : Json()},
              {"link", text_or_null(request.link)}};
}

void write_totals(const std::filesystem::path& file, const std::filesystem::path& written,
                  const ExportRequest& request, ExportRange range, const ExportTotals& totals) {
  Json json = asked_json(request, range);
  json["rows"] = totals.rows;
  json["first_entry"] = totals.first.value();
  json["last_entry"] = totals.last.value();
  json["sum_by_account"] = Json::object();
  for (const auto& [account, units] : totals.by_account) {
    json["sum_by_account"][account] = text_exact(units);
  }
  json["bytes"] = std::filesystem::file_size(written);
  json["sha256"] = file_sha256(written);
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

ExportTotals export_to_file(const Journal& journal, const State& state,
                            const ExportRequest& request, const std::filesystem::path& file,
                            bool replaces, const std::function<void(std::uint64_t)>& progress) {
  const ExportRange range = export_range(request, state);
  if (!replaces && std::filesystem::exists(std::filesystem::symlink_status(file))) {
    throw Fault(file.string() + " is there already; --force writes it anew");
  }
  const std::filesystem::path totals_file = beside(file, ".totals.json");
  if (!replaces && !is_free_or_ours(totals_file)) {
    throw Fault(totals_file.string() +
                " is a link, another user's file or no file; --force replaces it");
  }
  ExportText text(request, state, first_day_text(journal, state));
  StagingFile out(beside(file, ".part"), replaces);
  out.add(text.head());
  ExportTotals totals;
  read_between(journal, range.first, range.last, [&](const Entry& entry, const Digest& hash) {
    out.add(text.of(entry, hash, totals));
    if (progress) progress(entry.number.value());
  });
  out.add(text.end(totals));
  out.sync();
  write_totals(file, out.path(), request, range, totals);
  out.move_to(file);
  sync_directory(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."));
  return totals;
}

namespace {

// Reads what text_exact() wrote, and nothing else.
std::optional<Int128> parse_sum(const std::string& text) {
  const std::optional<Int128> units = parse_units(text);
  return units && text_exact(*units) == text ? units : std::nullopt;
}

std::optional<Amount> parse_balance(const std::string& text) {
  const std::optional<Amount> amount = parse_exact(text);
  return amount && text_exact(*amount) == text ? amount : std::nullopt;
}

std::string format_of(const std::string& name) {
  for (const char* known : {"entries", "postings", "ledger"}) {
    if (name == std::string("linkmeter-") + known) return known;
  }
  throw Fault("\"" + name + "\" is not a format of linkmeter export");
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
  ExportedLine line;
  if (!std::getline(in_, line.line)) return std::nullopt;
  if (in_.eof()) {
    why_ = "the last line has no end";
    return std::nullopt;
  }
  const Json json = is_nested_too_deep(line.line) ? Json() : Json::parse(line.line, nullptr, false);
  why_ = "it is not an entry";
  if (!json.is_object() || !json.contains("entry") || !json["entry"].is_number_unsigned() ||
      !json.contains("postings") || !json["postings"].is_array()) {
    return std::nullopt;
  }
  line.entry = EntryNumber(json["entry"].get<std::uint64_t>());
  for (const Json& posting : json["postings"]) {
    if (!posting.is_object() || !posting.value("account", Json()).is_string() ||
        !posting.value("amount", Json()).is_string()) {
      return std::nullopt;
    }
    const auto amount = parse_balance(posting["amount"].get<std::string>());
    if (!amount) return std::nullopt;
    line.postings.emplace_back(posting["account"].get<std::string>(), *amount);
  }
  why_.clear();
  offset_ += line.line.size() + 1;
  return line;
}

std::optional<ExportedLine> ExportedFile::next_record() {
  auto fields = csv_.next();
  if (!fields) {
    if (!csv_.ended_well()) why_ = "it is not a complete record";
    return std::nullopt;
  }
  ExportedLine line;
  if (format_ == "postings") {
    PostingRowRead read = parse_posting_row(*fields);
    why_ = read.why;
    if (!why_.empty()) return std::nullopt;
    line.entry = read.row.entry;
    line.postings.emplace_back(read.row.account, read.row.amount);
    line.row = std::move(read.row);
  }
  line.fields = std::move(*fields);
  offset_ = csv_.offset();
  return line;
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
    ExportedTotals totals;
    if (json.at("version") != 1) throw Fault("it is of another version");
    totals.asked.format = format_of(json.at("format").get<std::string>());
    if (!json.at("link").is_null()) totals.asked.link = json.at("link").get<std::string>();
    if (!json.at("day").is_null()) {
      totals.asked.day = parse_gaming_day(json.at("day").get<std::string>());
      if (!totals.asked.day) throw Fault("\"day\" is not a date");
    }
    totals.range = {EntryNumber(json.at("from").get<std::uint64_t>()),
                    EntryNumber(json.at("to").get<std::uint64_t>())};
    totals.totals.rows = json.at("rows").get<std::uint64_t>();
    totals.totals.first = EntryNumber(json.at("first_entry").get<std::uint64_t>());
    totals.totals.last = EntryNumber(json.at("last_entry").get<std::uint64_t>());
    for (const auto& [account, sum] : json.at("sum_by_account").items()) {
      const auto units = parse_sum(sum.get<std::string>());
      if (!units) throw Fault("the sum of " + account + " is not an amount");
      totals.totals.by_account[account] = *units;
    }
    totals.bytes = json.at("bytes").get<std::uint64_t>();
    totals.sha256 = json.at("sha256").get<std::string>();
    return totals;
  } catch (const std::exception& no) {
    throw Fault(path + ": " + no.what());
  }
}

}  // namespace linkmeter
