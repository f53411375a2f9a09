// Fixture: a small floor with a bit of everything in its history, and its files. Targets compare
// bytes with it, and seeds are made of it. A program makes it once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "proto/codec/state_codec.h"
#include "proto/host/file_descriptor.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::fuzz {

// The floor file and its catalogue: one small chapter and the poker room.
const std::string& small_floor_text();
const std::vector<CatalogueText>& small_catalogue();

struct Played {
  std::vector<State> before;         // before each entry
  std::vector<std::string> entries;  // as stored; before[i] belongs to entries[i]
  MemoryJournal journal;
  State state;
  FloorRules rules;
  std::vector<Row> rows;  // of the state

  Played();
  static const Played& once();
};

// Everything that reads the journal can read this entry; `after` is the state after it. Checks the
// description, the page, each form of the export, and the report of the entry's day.
void hold_readers(const Entry& entry, const State& after);

// The files of a bundle of the first claim, as they were made, with their list last.
struct BundlePiece {
  std::string file, bytes;
};
const std::vector<BundlePiece>& bundle_pieces();

// A file of this program for parsers that read files; it is removed with the program. Its contents
// are overwritten each time. It stays open, and only its owner can read it. REQUIRES: nobody moves
// or removes it.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void hold(std::string_view bytes) const;

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};
// The folder of these files.
const std::filesystem::path& scratch_folder();

}  // namespace linkmeter::fuzz
