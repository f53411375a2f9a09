#include "tests/cluster/test_authority.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

constexpr long hour_s = 3'600;
constexpr long day_s = 24 * hour_s;

using Stream = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

Stream new_file(const std::filesystem::path& path) {
  Stream stream(BIO_new_file(path.c_str(), "w"), BIO_free_all);
  INVARIANT(stream);
  std::filesystem::permissions(path, std::filesystem::perms{0600});
  return stream;
}

void extend(X509* certificate, int kind, const std::string& value) {
  X509_EXTENSION* made = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
  INVARIANT(made != nullptr && X509_add_ext(certificate, made, -1) == 1);
  X509_EXTENSION_free(made);
}

}  // namespace

TestAuthority::TestAuthority(std::filesystem::path folder, const std::string& name)
    : folder_(std::move(folder)),
      file_(folder_ / (name + ".ca")),
      key_(EVP_EC_gen("P-256"), EVP_PKEY_free),
      certificate_(make(name, key_.get(), nullptr, "", std::chrono::hours(0))) {
  INVARIANT(PEM_write_bio_X509(new_file(file_).get(), certificate_.get()) == 1);
}

TestAuthority::Files TestAuthority::issue(const std::string& name, const std::string& alternatives,
                                          std::chrono::hours shift) {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Certificate made = make(name, key.get(), certificate_.get(), alternatives, shift);
  Files files{folder_ / (name + ".certificate"), folder_ / (name + ".key")};
  INVARIANT(PEM_write_bio_X509(new_file(files.certificate).get(), made.get()) == 1);
  INVARIANT(PEM_write_bio_PrivateKey(new_file(files.key).get(), key.get(), nullptr, nullptr, 0,
                                     nullptr, nullptr) == 1);
  return files;
}

TestAuthority::Certificate TestAuthority::make(const std::string& name, EVP_PKEY* key,
                                               const X509* issuer, const std::string& alternatives,
                                               std::chrono::hours shift) {
  Certificate made(X509_new(), X509_free);
  INVARIANT(made && key != nullptr);
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial_);
  const long start = shift.count() * hour_s - hour_s;
  X509_gmtime_adj(X509_getm_notBefore(made.get()), start);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), start + day_s);
  X509_NAME* subject = X509_get_subject_name(made.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(made.get(), issuer == nullptr ? subject : X509_get_subject_name(issuer));
  X509_set_pubkey(made.get(), key);
  extend(made.get(), NID_basic_constraints,
         issuer == nullptr ? "critical,CA:TRUE" : "critical,CA:FALSE");
  if (!alternatives.empty()) extend(made.get(), NID_subject_alt_name, alternatives);
  INVARIANT(X509_sign(made.get(), key_.get(), EVP_sha256()) > 0);
  return made;
}

}  // namespace linkmeter
