// Token key: signs with a private key in a PKCS#11 token (an HSM, a smart card, a TPM), which is
// never read. OpenSSL's engine "pkcs11" (libengine-pkcs11-openssl) reaches the token, in a process
// of its own: the engine crashes where a token is gone, and a token's library may hang. Neither
// can end or hold the controller.
//
// The key is named by a PKCS#11 URI (RFC 7512), for example
//
//   pkcs11:token=linkmeter;object=journal?module-path=/usr/lib/softhsm/libsofthsm2.so
//       &pin-source=/etc/linkmeter/token.pin
//
// module-path is the token's library, pin-source a file with its PIN. Others than the file's owner
// must not be able to read it.
#pragma once

#include <string>
#include <string_view>

namespace linkmeter {

bool is_token_uri(std::string_view where);
// What is wrong with the text of the URI; "": nothing.
std::string token_uri_mistake(const std::string& uri);

struct TokenSignature {
  std::string public_der;  // SubjectPublicKeyInfo of the key
  std::string signature;
};

// Starts this program again for one signature, and waits for it, half a minute at most. Throws
// Fault with what went wrong, also if the key is not of a kind that journal_signature.h verifies.
TokenSignature sign_with_token(const std::string& uri, std::string_view text);

// What that process is started with, before the URI.
inline constexpr const char* token_process_option = "--sign-with-token";
// All that it does: signs standard input, and writes the answer. Ends the process.
[[noreturn]] void run_token_process(const std::string& uri);

}  // namespace linkmeter
