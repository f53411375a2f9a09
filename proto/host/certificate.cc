#include "proto/host/certificate.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/web_address.h"

namespace linkmeter {
namespace {

constexpr long day_s = 86'400;
constexpr long valid_days = 3'653;
constexpr int serial_bytes = 16;
constexpr std::size_t pem_bytes_max = std::size_t{256} << 10U;

template <auto function>
struct Free {
  template <class Kind>
  void operator()(Kind* made) const {
    function(made);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using X509Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Memory = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>>;

void require(bool good, const char* what) {
  if (!good) throw Fault(std::string("cannot make a certificate: ") + what);
}

void add(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension made(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(made && X509_add_ext(certificate, made.get(), -1) == 1, "adding an extension failed");
}

void set_serial(X509* certificate) {
  std::array<unsigned char, serial_bytes> bytes{};
  require(RAND_bytes(bytes.data(), serial_bytes) == 1, "no random numbers");
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x3fU) | 0x40U);  // positive, full length
  const std::unique_ptr<BIGNUM, Free<BN_free>> number(
      BN_bin2bn(bytes.data(), serial_bytes, nullptr));
  require(number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr,
          "setting its serial number failed");
}

std::string text_of(BIO* memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string read_pem(const std::filesystem::path& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) throw Fault(path.string() + ": cannot read it: " + std::strerror(errno));
  if (text->size() > pem_bytes_max) throw Fault(path.string() + ": too large for a certificate");
  return *text;
}

X509Certificate parse_certificate(const std::string& text) {
  const Memory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  return X509Certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
}

// A key with a passphrase is refused: nobody can type it when the program starts.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*closure*/) { return 0; }

}  // namespace

std::vector<std::string> own_hosts() {
  std::vector<std::string> hosts;
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0') {
    hosts.emplace_back(name.data());
  }
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) hosts.emplace_back(host);
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) == 0) {
    const std::unique_ptr<ifaddrs, Free<freeifaddrs>> all(first);
    for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
      if (one->ifa_addr == nullptr) continue;
      const std::string address = web_address_of(one->ifa_addr);
      // A link-local address is not usable without its interface.
      if (!address.empty() && !address.starts_with("fe80:")) hosts.push_back(address);
    }
  }
  std::vector<std::string> distinct;
  for (std::string& host : hosts) {
    if (std::find(distinct.begin(), distinct.end(), host) == distinct.end()) {
      distinct.push_back(std::move(host));
    }
  }
  return distinct;
}

WebCertificate make_certificate(const std::vector<std::string>& hosts) {
  require(!hosts.empty(), "no host is given");
  const Key key(EVP_EC_gen("P-256"));
  const X509Certificate made(X509_new());
  require(key && made, "making a key failed");
  X509_set_version(made.get(), X509_VERSION_3);
  set_serial(made.get());
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -day_s);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), valid_days * day_s);
  X509_NAME* name = X509_get_subject_name(made.get());
  // A common name has at most 64 characters. Browsers use the alternative names only.
  const std::string common = hosts.front().substr(0, 64);
  X509_NAME_add_entry_by_txt(name, "O", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>("Linkmeter"), -1, -1, 0);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(common.c_str()), -1, -1, 0);
  require(
      X509_set_issuer_name(made.get(), name) == 1 && X509_set_pubkey(made.get(), key.get()) == 1,
      "setting its names failed");
  std::string alternatives;
  for (const std::string& host : hosts) {
    alternatives +=
        (alternatives.empty() ? "" : ",") + std::string(is_address(host) ? "IP:" : "DNS:") + host;
  }
  add(made.get(), NID_basic_constraints, "critical,CA:FALSE");
  add(made.get(), NID_key_usage, "critical,digitalSignature");
  add(made.get(), NID_ext_key_usage, "serverAuth");
  add(made.get(), NID_subject_alt_name, alternatives);
  require(X509_sign(made.get(), key.get(), EVP_sha256()) > 0, "signing it failed");
  const Memory certificate(BIO_new(BIO_s_mem())), secret(BIO_new(BIO_s_secmem()));
  require(PEM_write_bio_X509(certificate.get(), made.get()) == 1 &&
              PEM_write_bio_PKCS8PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                            nullptr) == 1,
          "writing it as PEM failed");
  return {text_of(certificate.get()), text_of(secret.get())};
}

void write_certificate(const std::filesystem::path& folder, const WebCertificate& certificate) {
  if (has_certificate(folder)) throw Fault(folder.string() + ": already has a web.certificate");
  const auto [key, shown] = certificate_files(folder);
  write_atomically(key, certificate.key, readable_by_owner);
  write_atomically(shown, certificate.certificate, readable_by_owner);
}

WebCertificate read_certificate(const std::filesystem::path& certificate,
                                const std::filesystem::path& key) {
  struct stat status {};
  if (::stat(key.c_str(), &status) == 0 && (status.st_mode & S_IRWXO) != 0) {
    throw Fault(key.string() + ": everybody may read this key; run chmod 600 on it, and consider " +
                "whether somebody has read it");
  }
  WebCertificate read{read_pem(certificate), read_pem(key)};
  const X509Certificate shown = parse_certificate(read.certificate);
  if (!shown) throw Fault(certificate.string() + ": is not a certificate (PEM)");
  const Memory memory(BIO_new_mem_buf(read.key.data(), static_cast<int>(read.key.size())));
  const Key secret(PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr));
  if (!secret) throw Fault(key.string() + ": is not a private key (PEM, without a passphrase)");
  if (X509_check_private_key(shown.get(), secret.get()) != 1) {
    throw Fault(key.string() + ": is not the key of " + certificate.string());
  }
  if (X509_cmp_current_time(X509_get0_notBefore(shown.get())) > 0) {
    throw Fault(certificate.string() + ": is not valid yet");
  }
  if (X509_cmp_current_time(X509_get0_notAfter(shown.get())) < 0) {
    throw Fault(certificate.string() + ": has expired");
  }
  return read;
}

WebCertificate read_certificate(const std::filesystem::path& folder) {
  const auto [key, shown] = certificate_files(folder);
  return read_certificate(shown, key);
}

bool has_certificate(const std::filesystem::path& folder) {
  std::error_code unknown;
  return std::filesystem::exists(certificate_files(folder).back(), unknown);
}

std::array<std::filesystem::path, 2> certificate_files(const std::filesystem::path& folder) {
  return {folder / "web.key", folder / "web.certificate"};
}

std::vector<std::string> names_of(const WebCertificate& certificate) {
  std::vector<std::string> names;
  const X509Certificate shown = parse_certificate(certificate.certificate);
  if (!shown) return names;
  const std::unique_ptr<GENERAL_NAMES, Free<GENERAL_NAMES_free>> all(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(shown.get(), NID_subject_alt_name, nullptr, nullptr)));
  for (int at = 0; all && at < sk_GENERAL_NAME_num(all.get()); ++at) {
    int kind = 0;
    const void* name = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(all.get(), at), &kind);
    if (kind != GEN_DNS) continue;
    const auto* text = static_cast<const ASN1_IA5STRING*>(name);
    const unsigned char* bytes = ASN1_STRING_get0_data(text);
    names.emplace_back(bytes, bytes + ASN1_STRING_length(text));
  }
  return names;
}

std::string certificate_fingerprint(const WebCertificate& certificate) {
  const X509Certificate shown = parse_certificate(certificate.certificate);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (!shown || X509_digest(shown.get(), EVP_sha256(), digest.data(), &size) != 1) return "";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (unsigned at = 0; at < size; ++at) {
    if (at > 0) text += ':';
    text += digits[digest[at] >> 4U];
    text += digits[digest[at] & 0xfU];
  }
  return text;
}

}  // namespace linkmeter
