// TestAuthority: an authority that signs the certificates of a test, with any names and times.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

namespace linkmeter {

class TestAuthority {
 public:
  struct Files {
    std::filesystem::path certificate, key;
  };
  // Writes NAME.ca into the folder.
  TestAuthority(std::filesystem::path folder, const std::string& name);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  // Writes NAME.certificate and NAME.key. `alternatives`: "IP:127.0.0.1", "DNS:etcd-1". Valid from
  // an hour ago, plus `shift`, for a day.
  [[nodiscard]] Files issue(const std::string& name, const std::string& alternatives,
                            std::chrono::hours shift = std::chrono::hours(0));

 private:
  using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
  [[nodiscard]] Certificate make(const std::string& name, EVP_PKEY* key, const X509* issuer,
                                 const std::string& alternatives, std::chrono::hours shift);

  std::filesystem::path folder_, file_;
  long serial_ = 0;
  Key key_;
  Certificate certificate_;
};

}  // namespace linkmeter
