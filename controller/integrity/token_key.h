// Token key: signs with a private key in a PKCS#11 token (an HSM, a smart card, a TPM); the key
// never leaves the token. OpenSSL's engine "pkcs11" (libengine-pkcs11-openssl) accesses the token
// in a separate process: the engine crashes if the token is gone, and a token's library may hang.
// Neither can stop or block the controller.
//
// The key is named by a PKCS#11 URI (RFC 7512), for example
//
//   pkcs11:token=linkmeter;object=journal?module-path=/usr/lib/softhsm/libsofthsm2.so
//       &pin-source=/etc/linkmeter/token.pin
//
// module-path is the token's library, pin-source a file with its PIN. Only the file's owner may be
// able to read it.
#pragma once

#include <string>
#include <string_view>

namespace linkmeter {

bool is_token_uri(std::string_view where);
// The error in the URI's text; "": none.
std::string token_uri_mistake(const std::string& uri);

struct TokenSignature {
  std::string public_der;  // SubjectPublicKeyInfo of the key
  std::string signature;
};

// Runs this program again for one signature, and waits at most half a minute. Throws Fault with the
// reason, also if journal_signature.h does not support the key's kind.
TokenSignature sign_with_token(const std::string& uri, std::string_view text);

// The option that starts that process; the URI follows it.
inline constexpr const char* token_process_option = "--sign-with-token";
// The whole of that process: signs standard input, and writes the result. Ends the process.
[[noreturn]] void run_token_process(const std::string& uri);

}  // namespace linkmeter
