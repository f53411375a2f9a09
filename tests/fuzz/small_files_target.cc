// Small files: manifests, witnesses, the marker of a restoration, the record of a sign. Each is
// read, or refused with the file's name; an accepted manifest is written again unchanged.
#include <string>
#include <variant>

#include "controller/integrity/manifest.h"
#include "controller/integrity/restore_marker.h"
#include "controller/signs/sign_record.h"
#include "controller/store/seen_head.h"
#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "proto/host/signing_key.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

void hold_names(const Fault& fault, const ScratchFile& of) {
  INVARIANT(std::string_view(fault.what()).find(of.path().string()) != std::string_view::npos);
}

}  // namespace

// Read as it is, and as a holder of the key would have signed it.
void judge_manifest(std::string_view bytes) {
  static const SigningKey key = SigningKey::generate();
  static const std::string known = key.public_bytes();
  const auto alone = read_manifest(bytes, known);
  INVARIANT(std::holds_alternative<std::string>(alone));  // nobody else has this key
  const std::string body(bytes.substr(0, bytes.find("signature ")));
  const std::string text = body + "signature " + hexadecimal(key.sign(body)) + "\n";
  const auto read = read_manifest(text, known);
  if (const auto* why = std::get_if<std::string>(&read)) {
    INVARIANT(!why->empty());
  } else {
    INVARIANT(signed_text(std::get<Manifest>(read), key) == text);
  }
}

void judge_witness(std::string_view bytes) {
  static const ScratchFile file("witnesses");
  file.hold(bytes);
  try {
    const std::vector<Witness> all = read_witnesses(file.path());
    INVARIANT(!all.empty());
    for (const Witness& witness : all) {
      INVARIANT(!witness.table.empty());
      // The journal of another house supports only a witness that has seen no entry.
      const std::string wrong = contradiction(Played::once().journal, witness);
      INVARIANT(witness.head.entry != EntryNumber() || wrong.empty());
    }
  } catch (const Fault& fault) {
    hold_names(fault, file);
  }
}

void judge_restore_marker(std::string_view bytes) {
  static const ScratchFile mark(restore_marker_name);
  mark.hold(bytes);
  try {
    INVARIANT(read_restore_marker(scratch_folder()).has_value());
  } catch (const Fault& fault) {
    hold_names(fault, mark);
  }
}

void judge_sign_record(std::string_view bytes) {
  static const ScratchFile file("sign.json"), again("signs/again.json");
  file.hold(bytes);
  const auto read = read_sign_record(file.path());
  if (!read) return;
  write_sign_record(again.path(), *read);
  INVARIANT(read_sign_record(again.path()) == read);
  static_cast<void>(sign_fault(*read, Timestamp::from_microseconds(1)));
}

}  // namespace linkmeter::fuzz
