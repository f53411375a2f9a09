#include "proto/host/certificate.h"

#include <doctest/doctest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "proto/host/fault.h"
#include "tests/support/process_limit.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::certificate_test {
namespace {

struct FreePart {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
  void operator()(BIO* memory) const { BIO_free(memory); }
};
using Memory = std::unique_ptr<BIO, FreePart>;
using PrivateKey = std::unique_ptr<EVP_PKEY, FreePart>;

Memory memory_of(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string text_in(BIO* memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

PrivateKey key_of(const WebCertificate& made) {
  return PrivateKey(PEM_read_bio_PrivateKey(memory_of(made.key).get(), nullptr, nullptr, nullptr));
}

// The same certificate with a change, signed again with its key.
WebCertificate changed(const WebCertificate& made, const std::function<void(X509*)>& change) {
  const std::unique_ptr<X509, FreePart> certificate(
      PEM_read_bio_X509(memory_of(made.certificate).get(), nullptr, nullptr, nullptr));
  change(certificate.get());
  REQUIRE_GT(X509_sign(certificate.get(), key_of(made).get(), EVP_sha256()), 0);
  const Memory memory(BIO_new(BIO_s_mem()));
  REQUIRE_EQ(PEM_write_bio_X509(memory.get(), certificate.get()), 1);
  return {text_in(memory.get()), made.key};
}

}  // namespace

TEST_CASE("a certificate is read back from its files, which are private to their owner") {
  const ScopedDirectory folder;
  CHECK_FALSE(has_certificate(folder.path()));
  const WebCertificate made = make_certificate({"localhost", "127.0.0.1"});
  write_certificate(folder.path(), made);
  CHECK(has_certificate(folder.path()));
  struct stat status {};
  REQUIRE_EQ(::stat((folder.path() / "web.key").c_str(), &status), 0);
  CHECK_EQ(status.st_mode & 0777U, 0600U);
  const WebCertificate read = read_certificate(folder.path());
  CHECK_EQ(read.certificate, made.certificate);
  CHECK_EQ(read.key, made.key);
  // An existing file is not overwritten.
  CHECK_THROWS_AS(write_certificate(folder.path(), made), Fault);
}

TEST_CASE("every certificate is different") {
  const WebCertificate one = make_certificate({"localhost"}),
                       other = make_certificate({"localhost"});
  CHECK_NE(one.key, other.key);
  CHECK_NE(certificate_fingerprint(one), certificate_fingerprint(other));
  CHECK_EQ(certificate_fingerprint(one).size(), 32 * 3 - 1);
  CHECK_EQ(certificate_fingerprint({"none", ""}), "");
  const auto made = make_certificate({"house.example", "10.0.0.1", "floor.house.example", "::1"});
  CHECK((names_of(made) == std::vector<std::string>{"house.example", "floor.house.example"}));
  CHECK(names_of({"none", ""}).empty());
}

TEST_CASE("files that are not a certificate with its key are refused by name") {
  const ScopedDirectory folder;
  const auto path = [&folder](const char* name) { return folder.path() / name; };
  write_certificate(folder.path(), make_certificate({"localhost"}));
  const ScopedDirectory other;
  write_certificate(other.path(), make_certificate({"localhost"}));
  std::ofstream(path("junk")) << "junk";
  ::chmod(path("junk").c_str(), 0600);
  std::ofstream(path("huge")) << std::string(300'000, 'x');
  const auto certificate = path("web.certificate"), key = path("web.key");
  CHECK_THROWS_WITH_AS(read_certificate(path("none"), key), doctest::Contains("none: cannot read"),
                       Fault);
  CHECK_THROWS_WITH_AS(read_certificate(path("junk"), key),
                       doctest::Contains("junk: is not a certificate"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(path("huge"), key), doctest::Contains("too large"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(certificate, path("junk")),
                       doctest::Contains("junk: is not a private key"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(certificate, other.path() / "web.key"),
                       doctest::Contains("is not the key of"), Fault);
  ::chmod(key.c_str(), 0604);
  CHECK_THROWS_WITH_AS(read_certificate(certificate, key), doctest::Contains("everybody"), Fault);
}

TEST_CASE("a certificate that is not valid now is refused") {
  constexpr long day_s = 86'400;
  const WebCertificate made = make_certificate({"localhost"});
  const auto read = [](const WebCertificate& written) {
    const ScopedDirectory folder;
    write_certificate(folder.path(), written);
    return read_certificate(folder.path()).certificate;
  };
  CHECK_EQ(read(made), made.certificate);
  CHECK_THROWS_WITH_AS(
      read(changed(made, [](X509* one) { X509_gmtime_adj(X509_getm_notBefore(one), day_s); })),
      doctest::Contains("web.certificate: is not valid yet"), Fault);
  CHECK_THROWS_WITH_AS(
      read(changed(made, [](X509* one) { X509_gmtime_adj(X509_getm_notAfter(one), -day_s); })),
      doctest::Contains("web.certificate: has expired"), Fault);
}

TEST_CASE("a certificate may have no names") {
  const auto nameless = changed(make_certificate({"house.example"}), [](X509* one) {
    const int at = X509_get_ext_by_NID(one, NID_subject_alt_name, -1);
    const std::unique_ptr<X509_EXTENSION, FreePart> taken(X509_delete_ext(one, at));
  });
  CHECK(names_of(nameless).empty());
  CHECK_FALSE(certificate_fingerprint(nameless).empty());
}

TEST_CASE("a key with a passphrase is refused without a prompt") {
  WebCertificate made = make_certificate({"localhost"});
  const Memory memory(BIO_new(BIO_s_mem()));
  constexpr char passphrase[] = "secret";
  REQUIRE_EQ(PEM_write_bio_PKCS8PrivateKey(memory.get(), key_of(made).get(), EVP_aes_256_cbc(),
                                           passphrase, sizeof passphrase - 1, nullptr, nullptr),
             1);
  made.key = text_in(memory.get());
  const ScopedDirectory folder;
  write_certificate(folder.path(), made);
  CHECK_THROWS_WITH_AS(
      read_certificate(folder.path()),
      doctest::Contains("web.key: is not a private key (PEM, without a passphrase)"), Fault);
}

TEST_CASE("a certificate needs at least one valid host") {
  CHECK_THROWS_WITH_AS(make_certificate({}), "cannot make a certificate: no host is given", Fault);
  CHECK_THROWS_WITH_AS(make_certificate({"house.example,more"}),
                       "cannot make a certificate: adding an extension failed", Fault);
}

TEST_CASE("a full disk leaves no certificate; with space again one is made") {
  const ScopedDirectory full;
  const WebCertificate made = make_certificate({"localhost"});
  REQUIRE_GT(made.key.size(), 100);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{10}, made.key.size()}) {
    const char* first = bytes < made.key.size() ? "web.key" : "web.certificate";
    std::string said;
    {
      const ProcessLimit few(RLIMIT_FSIZE, bytes);
      try {
        write_certificate(full.path(), made);
      } catch (const Fault& fault) {
        said = fault.what();
      }
    }
    CHECK_EQ(said, (full.path() / first).string() + ": cannot write it: File too large");
    CHECK_FALSE(has_certificate(full.path()));
  }
  write_certificate(full.path(), made);
  CHECK_EQ(read_certificate(full.path()).certificate, made.certificate);
}

TEST_CASE("a path that cannot be written gets no certificate") {
  const ScopedDirectory folder;
  const WebCertificate made = make_certificate({"localhost"});
  CHECK_THROWS_WITH_AS(write_certificate(folder.path() / "none", made),
                       doctest::Contains("web.key: cannot write it: No such file"), Fault);
  std::filesystem::create_directory(folder.path() / "web.key");
  CHECK_THROWS_WITH_AS(write_certificate(folder.path(), made),
                       doctest::Contains("web.key: cannot write it: Is a directory"), Fault);
  CHECK_FALSE(has_certificate(folder.path()));
}

TEST_CASE("files that cannot be read are reported") {
  const WebCertificate made = make_certificate({"localhost"});
  const ScopedDirectory other;
  write_certificate(other.path(), made);
  CHECK_THROWS_WITH_AS(read_certificate(other.path() / "web.certificate", other.path() / "none"),
                       doctest::Contains("none: cannot read it"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(other.path(), other.path() / "web.key"),
                       doctest::Contains("cannot read it"), Fault);
}

TEST_CASE("the machine's own names are found") {
  const auto hosts = own_hosts();
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    CHECK_EQ(std::count(hosts.begin(), hosts.end(), host), 1);
  }
  // A network is not a machine's name. Only a machine with an IPv6 address can show that.
  for (const std::string& host : hosts) CHECK_EQ(host.find('/'), std::string::npos);
  CHECK_FALSE(certificate_fingerprint(make_certificate(hosts)).empty());
}

}  // namespace linkmeter::certificate_test
