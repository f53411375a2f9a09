// Segment file: a run of journal entries in one file, exactly as they are stored, so that they can
// be carried away and proved without the journal.
//
//   "linkmeter segment 1\n"
//   first entry's number, 8 bytes; hash of the entry before it, 32 bytes (entry 1: zeros)
//   each entry: "e", its number (8), length of its bytes (4), its bytes, its hash (32)
//   "f", how many entries (8), hash of the last (32), SHA-256 of all before this field (32)
//
// Numbers are big-endian. Laws: a segment is there whole or not at all (synced and moved to its
// place by one rename); what is written is a chain (hash_chain.h), and what is read is one, or it
// is said of which entry it is not. Nothing that is read is believed before it is checked.
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
  ~SegmentWriter();  // nothing is left of one that was not finished

  // Throws Fault if it is not the next entry of the chain, or the disk does not take it.
  void add(const StoredEntry& entry);
  // Durable on return, in the place of what stood there. Throws Fault.
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
  std::string wrong;            // in one sentence what is wrong; "": the file is whole
};

// Visits the entries, each once it is known to be the next of the chain, until the visitor says
// false; then what comes after is not looked at.
SegmentReading read_segment(const std::filesystem::path& path,
                            const std::function<bool(const StoredEntry&)>& visit = {});

// Writes a run of a journal's entries. Progress is told as the number of entries written. Throws
// Fault, also if the journal does not have them all.
Segment write_segment(const Journal& journal, EntryNumber first, EntryNumber last,
                      const std::filesystem::path& path,
                      const std::function<void(std::uint64_t)>& progress = {});

// The number and hash of an entry that stands in the journal; entry 0: zeros. Throws Fault.
Head head_at(const Journal& journal, EntryNumber number);

}  // namespace linkmeter
