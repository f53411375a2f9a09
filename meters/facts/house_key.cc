#include "meters/facts/house_key.h"

#include "meters/values/enrolment.h"
#include "meters/values/enum_names.h"
#include "meters/values/hex.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

constexpr EnumNames<KeyKind::seal, KeyKind::journal> key_names{"seal", "controller", "operator",
                                                               "pin", "journal"};

bool is_text(KeyKind kind) { return kind == KeyKind::controller || kind == KeyKind::operator_tool; }

// CURVE keys are text already.
std::string shown(KeyKind kind, const std::string& key) {
  return is_text(kind) ? key : hexadecimal(key);
}

}  // namespace

std::string_view name(KeyKind kind) { return key_names.of(kind); }

std::optional<KeyKind> parse_key_kind(std::string_view text) { return key_names.parse(text); }

std::string replacement_text(const ReplaceKey& replace) {
  return "linkmeter key 1\nkind " + std::string(name(replace.kind)) + "\nreplaces " +
         shown(replace.kind, replace.replaces) + "\nkey " + shown(replace.kind, replace.key) + '\n';
}

std::string summary(const ReplaceKey& replace) {
  std::string text = "replace the " + std::string(name(replace.kind)) + " key by " +
                     shown(replace.kind, replace.key);
  if (!signs(replace.kind)) return text;
  if (replace.replaces.empty()) return text + ", the first one";
  return text + (replace.signature.empty() ? ", WITHOUT the signature of the key before"
                                           : ", signed by the key before");
}

bool is_well_formed(const ReplaceKey& replace) {
  if (replace.signature.size() > limits::signature_bytes_max) return false;
  if (!signs(replace.kind) && !replace.signature.empty()) return false;
  switch (replace.kind) {
    case KeyKind::seal: return replace.key.size() == limits::seal_key_bytes;
    case KeyKind::controller:
    case KeyKind::operator_tool: return is_well_formed_key(replace.key);
    case KeyKind::pin: return replace.key.size() == limits::digest_bytes;
    case KeyKind::journal:
      return !replace.key.empty() && replace.key.size() <= limits::journal_key_bytes_max;
  }
  return false;
}

const std::string& HouseKeys::of(KeyKind kind) const {
  static const std::string none;
  const auto found = current.find(kind);
  return found == current.end() ? none : found->second.key;
}

EntryNumber HouseKeys::since(KeyKind kind) const {
  const auto found = current.find(kind);
  return found == current.end() ? EntryNumber() : found->second.since;
}

}  // namespace linkmeter
