#include "controller/accounting/evidence/segment_file.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/store/journal_reader.h"
#include "proto/codec/big_endian.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::string_view segment_magic = "linkmeter segment 1\n";
constexpr std::size_t segment_digest_bytes = std::tuple_size_v<Digest>;
constexpr std::size_t segment_number_bytes = 8;
constexpr std::size_t segment_length_bytes = 4;
constexpr std::uint64_t entry_bytes_max = std::uint64_t{64} << 20U;
constexpr std::uint64_t segment_progress_interval = 10'000;

void append_digest(std::string& bytes, const Digest& digest) {
  bytes.append(digest.begin(), digest.end());
}

Digest segment_digest_of(std::string_view bytes) {
  Digest digest{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
  return digest;
}

std::string entry_name(EntryNumber number) { return "entry " + std::to_string(number.value()); }

// Parses a segment from its beginning to its end.
class SegmentParser {
 public:
  SegmentParser(const std::filesystem::path& path, SegmentReading& reading)
      : path_(path), reading_(reading) {
    std::error_code error;  // opening a pipe would block, and a link may lead anywhere
    const bool is_file = is_regular_file(std::filesystem::symlink_status(path, error));
    if (is_file) file_.open(path, std::ios::binary);
  }

  void parse(const std::function<bool(const StoredEntry&)>& visit) {
    std::error_code error;
    left_ = std::filesystem::file_size(path_, error);
    if (error || !file_.is_open()) return wrong("cannot read it");
    size_ = left_;
    if (take(segment_magic.size()) != segment_magic) {
      return wrong("not a journal segment of this release: its first line differs");
    }
    if (!parse_header()) return;
    for (std::optional<char> mark = take_mark(); mark != 'f'; mark = take_mark()) {
      if (!mark) return cut(next());
      if (mark != 'e') return bad(next(), "neither an entry nor the end is in its place");
      const auto entry = parse_entry();
      if (!entry) return;
      if (visit && !visit(*entry)) return;
    }
    parse_footer();
  }

 private:
  [[nodiscard]] EntryNumber next() const { return reading_.segment.last.entry.next(); }
  void wrong(std::string why) { reading_.wrong = std::move(why); }
  void bad(EntryNumber number, std::string why) {
    reading_.bad = BadEntry{number, std::move(why)};
    reading_.wrong = "the first bad entry is " + text(*reading_.bad);
  }
  void cut(EntryNumber number) { bad(number, "the file is cut short in it or before it"); }

  std::string take(std::uint64_t count) {
    if (count > left_) return {};
    std::string bytes(count, '\0');
    file_.read(bytes.data(), static_cast<std::streamsize>(count));
    if (!file_) return {};
    left_ -= count;
    return bytes;
  }
  std::optional<char> take_mark() {
    const std::string mark = take(1);
    return mark.empty() ? std::nullopt : std::optional<char>(mark[0]);
  }

  bool parse_header() {
    const std::string bytes = take(segment_number_bytes + segment_digest_bytes);
    if (bytes.empty()) {
      wrong("the file is cut short in its header");
      return false;
    }
    const std::uint64_t first = from_big_endian(bytes.substr(0, segment_number_bytes));
    if (first == 0) {
      wrong("its header names no first entry");
      return false;
    }
    const Digest hash = segment_digest_of(std::string_view(bytes).substr(segment_number_bytes));
    reading_.segment.before = {EntryNumber(first - 1), hash};
    reading_.segment.last = reading_.segment.before;
    chain_ = HashChain(reading_.segment.before);
    if (first == 1 && hash != Digest{}) {
      bad(EntryNumber(1), "the header names an entry before it");
      return false;
    }
    return true;
  }

  std::optional<StoredEntry> parse_entry() {
    const std::string head = take(segment_number_bytes + segment_length_bytes);
    const std::string_view view = head;
    if (head.empty()) {
      cut(next());
      return std::nullopt;
    }
    const std::uint64_t length = from_big_endian(std::string(segment_length_bytes, '\0') +
                                                 head.substr(segment_number_bytes));
    if (length > entry_bytes_max || length + segment_digest_bytes > left_) {
      bad(next(), "its length is more than the file holds: cut short, or altered");
      return std::nullopt;
    }
    StoredEntry entry{
        EntryNumber(from_big_endian(view.substr(0, segment_number_bytes))), {}, take(length)};
    entry.hash = segment_digest_of(take(segment_digest_bytes));
    if (auto broken = chain_.add(entry)) {
      bad(broken->number, std::move(broken->why));
      return std::nullopt;
    }
    ++reading_.segment.entries;
    reading_.segment.last = chain_.last();
    return entry;
  }

  void parse_footer() {
    const std::string bytes = take(segment_number_bytes + 2 * segment_digest_bytes);
    if (bytes.empty()) return wrong("the file is cut short in its footer");
    const std::string_view view = bytes;
    const std::uint64_t count = from_big_endian(view.substr(0, segment_number_bytes));
    if (count != reading_.segment.entries) {
      return wrong("its footer says " + std::to_string(count) + " entries, it holds " +
                   std::to_string(reading_.segment.entries));
    }
    if (segment_digest_of(view.substr(segment_number_bytes)) != reading_.segment.last.hash) {
      return wrong("its footer names another hash of its last entry");
    }
    if (left_ != 0) return wrong(std::to_string(left_) + " bytes follow its end");
    const Digest digest =
        segment_digest_of(view.substr(segment_number_bytes + segment_digest_bytes));
    if (digest != file_digest(path_, size_ - segment_digest_bytes).digest) {
      return wrong("its SHA-256 is not the one that its footer names");
    }
  }

  const std::filesystem::path& path_;
  SegmentReading& reading_;
  std::ifstream file_;
  std::uint64_t left_ = 0, size_ = 0;
  HashChain chain_;
};

}  // namespace

SegmentWriter::SegmentWriter(std::filesystem::path path, const Head& before)
    : path_(std::move(path)),
      draft_(path_.string() + ".new"),
      file_(new_file(draft_, readable_by_all)),
      segment_{before, before, 0},
      chain_(before) {
  std::string header(segment_magic);
  header += big_endian(before.entry.next().value());
  append_digest(header, before.hash);
  write(header);
}

SegmentWriter::~SegmentWriter() {
  std::error_code ignored;
  if (file_.is_open()) std::filesystem::remove(draft_, ignored);
}

void SegmentWriter::write(const std::string& bytes) {
  constexpr std::size_t gathered_max = std::size_t{1} << 20U;
  waiting_ += bytes;
  if (waiting_.size() >= gathered_max) flush();
}

void SegmentWriter::flush() {
  if (!file_.write_all(waiting_)) {
    throw Fault(draft_.string() + ": cannot write it; is its disk full?");
  }
  waiting_.clear();
}

void SegmentWriter::add(const StoredEntry& entry) {
  if (const auto bad = chain_.add(entry)) {
    throw Fault("the journal is not whole: " + text(*bad) + "; run: linkmeter audit --data DIR");
  }
  if (entry.bytes.size() > entry_bytes_max) throw Fault(entry_name(entry.number) + " is too long");
  std::string record = "e" + big_endian(entry.number.value()) +
                       big_endian(entry.bytes.size()).substr(segment_length_bytes) + entry.bytes;
  append_digest(record, entry.hash);
  write(record);
  segment_.last = chain_.last();
  ++segment_.entries;
}

Segment SegmentWriter::finish() {
  std::string footer = "f" + big_endian(segment_.entries);
  append_digest(footer, segment_.last.hash);
  write(footer);
  flush();
  std::string digest;
  append_digest(digest, file_digest(draft_).digest);
  write(digest);
  flush();
  sync_file(draft_);
  std::error_code error;
  std::filesystem::rename(draft_, path_, error);
  if (error) throw Fault(path_.string() + ": cannot write it: " + error.message());
  file_ = FileDescriptor();
  sync_directory(path_.has_parent_path() ? path_.parent_path() : std::filesystem::path("."));
  return segment_;
}

SegmentReading read_segment(const std::filesystem::path& path,
                            const std::function<bool(const StoredEntry&)>& visit) {
  SegmentReading reading;
  SegmentParser(path, reading).parse(visit);
  return reading;
}

Head head_at(const Journal& journal, EntryNumber number) {
  if (number == EntryNumber()) return {};
  const std::optional<Head> found = find_head(journal, number);
  if (!found) throw Fault("the journal does not have " + entry_name(number));
  return *found;
}

Segment write_segment(const Journal& journal, EntryNumber first, EntryNumber last,
                      const std::filesystem::path& path,
                      const std::function<void(std::uint64_t)>& progress) {
  SegmentWriter writer(path, head_at(journal, EntryNumber(first.value() - 1)));
  std::uint64_t written = 0;
  journal.read(first, [&](const StoredEntry& stored) {
    if (stored.number > last) return false;
    writer.add(stored);
    if (++written % segment_progress_interval == 0 && progress) progress(written);
    return stored.number < last;
  });
  if (written != last.value() - first.value() + 1) {
    throw Fault("the journal does not have entry " + std::to_string(first.value() + written));
  }
  return writer.finish();
}

}  // namespace linkmeter
