// Key files: the certificate and key of the pages, the signing key, credentials for connections,
// the PIN key. An invalid key is refused with the file's name; an accepted key works.
#include <openssl/evp.h>
#include <openssl/ui.h>

#include <string>
#include <string_view>

#include "controller/auth/pin_key.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/host/atomic_file.h"
#include "proto/host/certificate.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "proto/host/signing_key.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

std::string armored(std::string_view bytes, const std::string& label) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  std::string lines = "-----BEGIN " + label + "-----\n";
  for (std::size_t at = 0; at < text.size(); at += 64) lines += text.substr(at, 64) + "\n";
  return lines + "-----END " + label + "-----\n";
}

std::string bytes_of_pem(std::string_view pem) {
  std::string letters;
  const std::size_t begin = pem.find('\n');
  for (const char letter : pem.substr(begin, pem.find("-----END") - begin)) {
    if (letter != '\n') letters += letter;
  }
  std::string bytes(letters.size(), '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(letters.data()),
                                   static_cast<int>(letters.size()));
  INVARIANT(size > 0);
  const auto padding = static_cast<std::size_t>(letters.ends_with("==")  ? 2
                                                : letters.ends_with('=') ? 1
                                                                         : 0);
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

// Replaces bytes of a text by `with` without its first byte, which selects the position in 256ths
// of the text's length.
std::string written_over(std::string bytes, std::string_view with) {
  if (with.empty()) return bytes;
  const std::size_t at = static_cast<unsigned char>(with[0]) * bytes.size() / 256;
  with.remove_prefix(1);
  bytes.replace(at, std::min(with.size(), bytes.size() - at), with);
  return bytes;
}

// Otherwise OpenSSL would ask on the terminal for the passphrase of an encrypted key.
void ask_nobody() {
  static const bool is_set = [] {
    UI_set_default_method(UI_null());
    return true;
  }();
  static_cast<void>(is_set);
}

void hold_fault(const Fault& fault, const ScratchFile& one, const ScratchFile& other) {
  const std::string_view said = fault.what();
  INVARIANT(said.starts_with(one.path().string()) || said.starts_with(other.path().string()));
}

}  // namespace

// The first byte: whether the rest is the certificate or the key; and whether it is the file
// itself, the contents of the PEM block, or a change of the correct one.
void judge_certificate(std::string_view bytes) {
  if (bytes.empty()) return;
  static const WebCertificate own = make_certificate({"localhost", "127.0.0.1"});
  static const std::string own_certificate = bytes_of_pem(own.certificate),
                           own_key = bytes_of_pem(own.key);
  static const ScratchFile shown("pem/web.certificate"), key("pem/web.key");
  const unsigned which = static_cast<unsigned char>(bytes[0]) % 6;
  const bool is_key = which % 2 != 0;
  const std::string_view rest = bytes.substr(1);
  const std::string label = is_key ? "PRIVATE KEY" : "CERTIFICATE";
  std::string given(rest);
  if (which / 2 == 1) given = armored(rest, label);
  if (which / 2 == 2)
    given = armored(written_over(is_key ? own_key : own_certificate, rest), label);
  shown.hold(is_key ? own.certificate : given);
  key.hold(is_key ? given : own.key);
  try {
    const WebCertificate read = read_certificate(shown.path(), key.path());
    INVARIANT(read.certificate == (is_key ? own.certificate : given));
    INVARIANT(certificate_fingerprint(read).size() == 95);
    if (is_key) INVARIANT(names_of(read) == names_of(own));
    static_cast<void>(names_of(read));
  } catch (const Fault& fault) {
    hold_fault(fault, shown, key);
  }
}

// The first byte: whether the rest is the file, or the contents of the PEM block.
void judge_seal_key(std::string_view bytes) {
  if (bytes.empty()) return;
  ask_nobody();
  static const ScratchFile file("seal.key");
  const bool is_plain = static_cast<unsigned char>(bytes[0]) % 2 == 0;
  file.hold(is_plain ? std::string(bytes.substr(1)) : armored(bytes.substr(1), "PRIVATE KEY"));
  try {
    const SigningKey key = SigningKey::read(file.path());
    const std::string known = key.public_bytes();
    INVARIANT(known.size() == limits::seal_key_bytes);
    INVARIANT(is_signed("a", key.sign("a"), known));
    INVARIANT(!is_signed("b", key.sign("a"), known));
  } catch (const Fault& fault) {
    hold_fault(fault, file, file);
  }
  if (bytes.size() > limits::seal_key_bytes) {
    INVARIANT(!is_signed("a", bytes.substr(limits::seal_key_bytes),
                         bytes.substr(0, limits::seal_key_bytes)) ||
              bytes.size() == limits::seal_key_bytes + 64);
  }
}

void judge_credentials(std::string_view bytes) {
  static const ScratchFile file("carried.credentials"), pins("pins/keys/pin.key");
  file.hold(bytes);
  try {
    const Credentials read = read_credentials(file.path());
    INVARIANT(!read.kind.empty() && !read.name.empty());
    for (const std::string& one :
         {read.keys.public_key, read.keys.secret_key, read.controller_key}) {
      INVARIANT(one.size() == 40 && one.find('\0') == std::string::npos);
      INVARIANT(bytes.find(one) != std::string_view::npos);
    }
  } catch (const Fault& fault) {
    hold_fault(fault, file, file);
  }
  pins.hold(bytes);
  try {
    const std::string key = pin_key(pins.path().parent_path().parent_path(), Played::once().state);
    INVARIANT(key == bytes.substr(0, key.size()));
    INVARIANT(key.find_first_not_of("0123456789abcdef") == std::string::npos);
  } catch (const Fault& fault) {
    hold_fault(fault, pins, pins);
  }
}

}  // namespace linkmeter::fuzz
