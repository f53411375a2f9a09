// A part that describes itself and must not be trusted: the list of the files in a folder.
#include <filesystem>
#include <string>

#include "controller/accounting/evidence/bundle.h"
#include "controller/accounting/evidence/file_manifest.h"
#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/codec/json_nesting.h"
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

}  // namespace

// As it is, and as a forger would write it: with the digest computed again.
void judge_file_manifest(std::string_view bytes) {
  static const ScratchFile file("list/manifest.json");
  hold_list(file, std::string(bytes));
  const Json json = is_nested_too_deep(bytes) ? Json() : Json::parse(bytes, nullptr, false);
  if (json.is_object()) hold_list(file, with_digest(json));
}

}  // namespace linkmeter::fuzz
