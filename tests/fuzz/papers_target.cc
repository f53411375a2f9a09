// What stands in small files: manifests, witnesses, credentials, the mark of a restoration, the
// record of a sign. Each is read, or refused with the file's name; a manifest that was believed is
// written again as it was.
#include <sys/stat.h>

#include <string>
#include <variant>

#include "controller/manifest.h"
#include "controller/restored_mark.h"
#include "controller/seal_key.h"
#include "controller/signs/sign_record.h"
#include "controller/witness.h"
#include "meters/check.h"
#include "meters/edge/credentials.h"
#include "meters/edge/fault.h"
#include "meters/hexadecimal.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {

// Read as it is, and as one who has the key would have signed it.
void judge_manifest(std::string_view bytes) {
  static const SealKey key = SealKey::generate();
  static const std::string known = key.public_bytes();
  const auto alone = read_manifest(bytes, known);
  CHECK(std::holds_alternative<std::string>(alone));  // nobody else has this key
  const std::string body(bytes.substr(0, bytes.find("signature ")));
  const std::string text = body + "signature " + hexadecimal(key.sign(body)) + "\n";
  const auto read = read_manifest(text, known);
  if (const auto* why = std::get_if<std::string>(&read)) {
    CHECK(!why->empty());
  } else {
    CHECK(signed_text(std::get<Manifest>(read), key) == text);
  }
}

void judge_papers(std::string_view bytes) {
  static const ScratchFile file("papers"), mark(restored_mark_name);
  file.hold(bytes);
  ::chmod(file.path().c_str(), S_IRUSR | S_IWUSR);
  const auto hold_fault = [](const Fault& fault, const ScratchFile& of) {
    CHECK(std::string_view(fault.what()).find(of.path().string()) != std::string_view::npos);
  };
  try {
    for (const Witness& witness : read_witnesses(file.path())) CHECK(!witness.table.empty());
  } catch (const Fault& fault) {
    hold_fault(fault, file);
  }
  try {
    const Credentials read = read_credentials(file.path());
    CHECK(!read.name.empty() && !read.keys.secret_key.empty());
  } catch (const Fault& fault) {
    hold_fault(fault, file);
  }
  mark.hold(bytes);
  try {
    CHECK(read_restored_mark(scratch_folder()).has_value());
  } catch (const Fault& fault) {
    hold_fault(fault, mark);
  }
  static_cast<void>(read_sign_record(file.path()));
}

}  // namespace linkmeter::fuzz
