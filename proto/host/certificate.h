// Certificate: what a server of pages shows over TLS. One is made for a data folder, signed by
// itself (ECDSA on P-256); a house that has an authority gives another.
//
// Law: the key is read and written only where nobody else may look, and is never told.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace linkmeter {

// A certificate and its key as PEM.
struct WebCertificate {
  std::string certificate;
  std::string key;
};

// How this machine may be called by who connects to it: its name, localhost, and its addresses.
std::vector<std::string> own_hosts();

// For these hosts: names and addresses. Valid for ten years from yesterday on. Throws Fault.
WebCertificate make_certificate(const std::vector<std::string>& hosts);

// Writes FOLDER/web.key and, when that is whole, FOLDER/web.certificate (0600), synced. Where it
// was interrupted there is no certificate, and the next call begins anew. Throws Fault, also where
// a certificate is there.
void write_certificate(const std::filesystem::path& folder, const WebCertificate& certificate);

// Throws Fault with the file and what is wrong: it cannot be read, is no PEM, the key is not the
// certificate's, or it is not valid now.
WebCertificate read_certificate(const std::filesystem::path& certificate,
                                const std::filesystem::path& key);
// Those that write_certificate() wrote.
WebCertificate read_certificate(const std::filesystem::path& folder);
bool has_certificate(const std::filesystem::path& folder);

// The names that it is for; addresses need none. Empty where it says none.
std::vector<std::string> names_of(const WebCertificate& certificate);

// SHA-256 of the certificate, as browsers show it: "3A:5F:..". For people who compare.
std::string certificate_fingerprint(const WebCertificate& certificate);

}  // namespace linkmeter
