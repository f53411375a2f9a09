// Evidence that leaves the house and comes back: a segment of the journal, and a bundle. A valid
// segment is written again to the same bytes; a bundle with one changed file is not clean.
#include <filesystem>
#include <string>
#include <vector>

#include "controller/accounting/evidence/bundle.h"
#include "controller/accounting/evidence/bundle_audit.h"
#include "controller/accounting/evidence/segment_file.h"
#include "meters/values/invariant.h"
#include "proto/host/sha256.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {

void judge_segment(std::string_view bytes) {
  static const ScratchFile file("segment");
  file.hold(bytes);
  std::vector<StoredEntry> entries;
  const SegmentReading reading = read_segment(file.path(), [&](const StoredEntry& entry) {
    entries.push_back(entry);
    return true;
  });
  INVARIANT(entries.size() == reading.segment.entries);
  INVARIANT(!reading.bad || !reading.wrong.empty());
  if (!reading.wrong.empty()) return;
  std::uint64_t number = reading.segment.before.entry.value();
  for (const StoredEntry& entry : entries) INVARIANT(entry.number.value() == ++number);
  INVARIANT(reading.segment.last.entry.value() == number);
}

// The first byte names a file of the bundle; the rest is its contents. The other files are
// unchanged, and the list is computed again, so that the code behind a correct list is reached,
// too.
//
// Law: no other list than the original one, and no other text of the floor than the journaled one,
// is ever clean.
void judge_bundle(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto& pieces = bundle_pieces();
  static const std::filesystem::path folder = scratch_folder() / "bundle";
  static const std::vector<ScratchFile> files = [&pieces] {
    std::vector<ScratchFile> all;
    for (const BundlePiece& piece : pieces) {
      all.emplace_back("bundle/" + piece.file).hold(piece.bytes);
    }
    return all;
  }();
  static const FileManifest list =
      read_file_manifest(folder / bundle_names::manifest, bundle_names::kind);
  const std::size_t which = static_cast<unsigned char>(bytes[0]) % pieces.size();
  const bool is_list = which + 1 == pieces.size();
  files[which].hold(bytes.substr(1));
  if (!is_list) {
    FileManifest made = list;
    for (ManifestEntry& piece : made.pieces) {
      if (piece.file == pieces[which].file) {
        piece.content = {bytes.size() - 1, sha256(bytes.substr(1))};
      }
    }
    files.back().hold(text(made));
  }
  const BundleReport report = audit_bundle(folder);
  for (const std::string& sentence : report.wrong) INVARIANT(!sentence.empty());
  const bool is_changed = bytes.substr(1) != pieces[which].bytes;
  INVARIANT(is_changed || report.is_clean());
  if (is_list || pieces[which].file == bundle_names::floor)
    INVARIANT(!is_changed || !report.is_clean());
  files[which].hold(pieces[which].bytes);
  files.back().hold(pieces.back().bytes);
}

}  // namespace linkmeter::fuzz
