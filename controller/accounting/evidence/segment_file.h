// Segment file: a run of journal entries in one file, exactly as they are stored, so that they can
// be verified without the journal.
//
//   "linkmeter segment 1\n"
//   first entry's number, 8 bytes; hash of the entry before it, 32 bytes (entry 1: zeros)
//   each entry: "e", its number (8), length of its bytes (4), its bytes, its hash (32)
//   "f", how many entries (8), hash of the last (32), SHA-256 of all before this field (32)
//
// Numbers are big-endian. Laws: a segment is complete or does not exist (synced, then renamed to
// its place); the entries written are a chain (hash_chain.h), and a reader reports the first entry
// that is not. Nothing that is read is used before it is checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "controller/store/hash_chain.h"
#include "controller/store/journal.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

struct Segment {
  Head before;  // the entry before the first one
  Head last;    // the same, if there are no entries
  std::uint64_t entries = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};

class SegmentWriter {
 public:
  // Of the entries after `before`. Throws Fault.
  SegmentWriter(std::filesystem::path path, const Head& before);
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;
  ~SegmentWriter();  // deletes a segment that was not finished

  // Throws Fault if it is not the next entry of the chain, or the disk fails.
  void add(const StoredEntry& entry);
  // Durable on return; replaces an existing file. Throws Fault.
  Segment finish();

 private:
  void write(const std::string& bytes);
  void flush();

  std::filesystem::path path_, draft_;
  FileDescriptor file_;
  std::string waiting_;  // what is still to be written
  Segment segment_;
  HashChain chain_;
};

struct SegmentReading {
  Segment segment;              // as far as it is right
  std::optional<BadEntry> bad;  // the first entry that is not right, if it is one entry's fault
  std::string wrong;            // the mistake, in one sentence; "": the file is whole
};

// Visits each entry after it was checked as the next of the chain, until the visitor returns false;
// the rest is then not read.
SegmentReading read_segment(const std::filesystem::path& path,
                            const std::function<bool(const StoredEntry&)>& visit = {});

// Writes a run of a journal's entries. Calls `progress` with the number of entries written. Throws
// Fault, also if the journal does not have them all.
Segment write_segment(const Journal& journal, EntryNumber first, EntryNumber last,
                      const std::filesystem::path& path,
                      const std::function<void(std::uint64_t)>& progress = {});

// The number and hash of an entry of the journal; entry 0: zeros. Throws Fault.
Head head_at(const Journal& journal, EntryNumber number);

}  // namespace linkmeter
