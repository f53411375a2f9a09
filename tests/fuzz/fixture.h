// Fixture: a small floor on which a bit of everything has happened, and its files: what targets
// hold bytes against, and what seeds are made of. Made once in a program.
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

// The floor file, and its catalogue: one small chapter and the poker room.
const std::string& small_floor_text();
const std::vector<CatalogueText>& small_catalogue();

struct Played {
  std::vector<State> before;         // of each entry
  std::vector<std::string> entries;  // as stored; before[i] is of entries[i]
  MemoryJournal journal;
  State state;
  FloorRules rules;
  std::vector<Row> rows;  // of the state

  Played();
  static const Played& once();
};

// Everything that reads the journal can read this entry, which `after` is the state behind of: the
// description, the page, each form of the export, and the report of the day that it is said of.
void hold_readers(const Entry& entry, const State& after);

// The files of a bundle of the first claim's, as they were made, the list of them last.
struct BundlePiece {
  std::string file, bytes;
};
const std::vector<BundlePiece>& bundle_pieces();

// A file of this program, gone with it, for parsers that read files; what it held is written over.
// It stays open, and is its owner's alone. REQUIRES: nobody moves or removes it.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void hold(std::string_view bytes) const;

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};
// The folder that they are in.
const std::filesystem::path& scratch_folder();

}  // namespace linkmeter::fuzz
