// Certificate: the TLS certificate and key of a web server. A data folder gets a self-signed one
// (ECDSA on P-256); a house with its own authority configures another.
//
// Law: the key is written readable by its owner only, a key that everybody may read is refused, and
// no message or log contains it.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace linkmeter {

// A certificate and its key as PEM.
struct WebCertificate {
  std::string certificate;
  std::string key;
};

// The names by which clients may reach this machine: its host name, localhost, and its addresses.
std::vector<std::string> own_hosts();

// Makes a self-signed certificate for these names and addresses, valid from yesterday for ten
// years. Throws Fault.
WebCertificate make_certificate(const std::vector<std::string>& hosts);

// Writes FOLDER/web.key and then FOLDER/web.certificate (mode 0600), each synced. After an
// interruption there is no certificate, and the next call starts again. Throws Fault, also if the
// folder has a certificate.
void write_certificate(const std::filesystem::path& folder, const WebCertificate& certificate);

// Throws Fault, with the file, if a file cannot be read or is not PEM, if the key does not belong
// to the certificate, or if the certificate is not valid now.
WebCertificate read_certificate(const std::filesystem::path& certificate,
                                const std::filesystem::path& key);
// Reads what write_certificate() wrote.
WebCertificate read_certificate(const std::filesystem::path& folder);
bool has_certificate(const std::filesystem::path& folder);
// Where write_certificate() puts the key and the certificate.
std::array<std::filesystem::path, 2> certificate_files(const std::filesystem::path& folder);

// The DNS names that the certificate is for. Empty: it has none.
std::vector<std::string> names_of(const WebCertificate& certificate);

// SHA-256 of the certificate as browsers show it, "3A:5F:..", for people to compare.
std::string certificate_fingerprint(const WebCertificate& certificate);

}  // namespace linkmeter
