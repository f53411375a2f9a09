// Parts that describe themselves and must not be trusted: the list of the files in a folder, and an
// export that was interrupted and continues.
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "controller/accounting/evidence/bundle.h"
#include "controller/accounting/evidence/file_manifest.h"
#include "controller/accounting/export/export_file.h"
#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/codec/json_depth.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

std::string with_digest(Json json) {
  const auto written = [](const Json& of) {
    return of.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  };
  json.erase("sha256");
  json["sha256"] = hex(sha256(written(json)));
  return written(json);
}

void hold_list(const ScratchFile& file, const std::string& bytes) {
  file.hold(bytes);
  try {
    const FileManifest list = read_file_manifest(file.path(), bundle_names::kind);
    INVARIANT(text(list) == bytes);
    for (const ManifestEntry& piece : list.pieces) {
      const auto place = (file.path().parent_path() / piece.file).lexically_normal();
      INVARIANT(place.string().starts_with(file.path().parent_path().string() + "/"));
    }
  } catch (const Fault& fault) {
    INVARIANT(std::string_view(fault.what()).starts_with(file.path().string()));
  }
}

constexpr std::array<const char*, 3> formats{"entries", "postings", "ledger"};

// An export of the fixture's journal, and its part file when it is complete.
struct Exported {
  ExportRequest asked;
  std::string whole, totals, part_json;

  explicit Exported(const char* format) {
    asked.format = format;
    const std::filesystem::path file = scratch_folder() / (std::string("whole.") + format);
    const Played& played = Played::once();
    // The beginning is written before the first row.
    bool is_begun = false;
    export_to_file(played.journal, played.state, asked, file, true, [&](std::uint64_t) {
      if (is_begun) return;
      is_begun = true;
      part_json = read_file(file.string() + ".part.json").value();
    });
    whole = read_file(file).value();
    totals = read_file(file.string() + ".totals.json").value();
  }
};

// Written each time, because a complete part is moved away.
void put(const std::string& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

// As it is, and as a forger would write it: with the digest computed again.
void judge_piece_list(std::string_view bytes) {
  static const ScratchFile file("list/manifest.json");
  hold_list(file, std::string(bytes));
  const Json json = is_nested_too_deep(bytes) ? Json() : Json::parse(bytes, nullptr, false);
  if (json.is_object()) hold_list(file, with_digest(json));
}

// The first byte: the format, and whether the rest is the part or the note about it. Continued, it
// becomes exactly the export without interruption, or it is refused.
void judge_export_part(std::string_view bytes) {
  if (bytes.empty()) return;
  static const std::array<Exported, 3> all{Exported(formats[0]), Exported(formats[1]),
                                           Exported(formats[2])};
  static const std::filesystem::path file = scratch_folder() / "export";
  const unsigned which = static_cast<unsigned char>(bytes[0]);
  const Exported& right = all[which % 3];
  const std::string_view rest = bytes.substr(1);
  const bool is_part = which / 3 % 2 == 0;
  const std::string_view half = std::string_view(right.whole).substr(0, right.whole.size() / 2);
  put(file.string() + ".part", is_part ? rest : half);
  put(file.string() + ".part.json", is_part ? right.part_json : rest);
  const Played& played = Played::once();
  try {
    export_to_file(played.journal, played.state, right.asked, file, false);
    // A part may belong to a shorter export; then the note says so.
    if (is_part) INVARIANT(read_file(file) == right.whole);
    if (is_part) INVARIANT(read_file(file.string() + ".totals.json") == right.totals);
    std::filesystem::remove(file);
  } catch (const Fault& fault) {
    INVARIANT(std::string_view(fault.what()).find(file.string()) != std::string_view::npos);
  }
}

}  // namespace linkmeter::fuzz
