#include "controller/cluster/etcd_tls_check.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "proto/host/atomic_file.h"
#include "proto/host/certificate.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

using std::chrono::steady_clock;

template <auto function>
struct Free {
  template <class Kind>
  void operator()(Kind* made) const {
    function(made);
  }
};
using Stream = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Context = std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>>;
using X509Certificate = std::unique_ptr<X509, Free<X509_free>>;

// The start of every HTTP/2 connection, and an empty SETTINGS frame. etcd waits for it before it
// answers.
constexpr std::string_view preface("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", 33);

// OpenSSL writes to a socket that the member may have closed. While this lives, that is an error
// and no signal that ends the process.
class PipeSignalBlock {
 public:
  PipeSignalBlock() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  PipeSignalBlock(const PipeSignalBlock&) = delete;
  PipeSignalBlock& operator=(const PipeSignalBlock&) = delete;
  ~PipeSignalBlock() {
    constexpr timespec no_time{};
    while (::sigtimedwait(&pipe_, nullptr, &no_time) == SIGPIPE) continue;
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

Stream memory_of(const std::string& text) {
  return Stream(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Calls `use` with each certificate of the text. Returns how many.
template <class Use>
int each_certificate(const std::string& text, const Use& use) {
  const Stream memory = memory_of(text);
  int count = 0;
  while (const auto one =
             X509Certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr))) {
    use(one.get(), count++);
  }
  ERR_clear_error();  // the end of the text
  return count;
}

Context context_of(const EtcdTls& tls) {
  Context context(SSL_CTX_new(TLS_client_method()));
  if (!context) return context;
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  X509_STORE* store = SSL_CTX_get_cert_store(context.get());
  each_certificate(tls.ca, [&](X509* one, int) { X509_STORE_add_cert(store, one); });
  each_certificate(tls.certificate, [&](X509* one, int at) {
    if (at == 0) {
      SSL_CTX_use_certificate(context.get(), one);
    } else {
      SSL_CTX_add1_chain_cert(context.get(), one);
    }
  });
  if (!tls.key.empty()) {
    const std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>> key(
        PEM_read_bio_PrivateKey(memory_of(tls.key).get(), nullptr, nullptr, nullptr));
    SSL_CTX_use_PrivateKey(context.get(), key.get());
  }
  return context;
}

// Repeats the step until it is done (more than 0). False: it failed, or the time is over.
template <class Step>
bool complete(BIO* stream, steady_clock::time_point until, const Step& step) {
  while (step() <= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now()).count();
    if (BIO_should_retry(stream) == 0 || left <= 0) return false;
    pollfd ready{};
    BIO_get_fd(stream, &ready.fd);
    ready.events = BIO_should_read(stream) != 0 ? POLLIN : POLLOUT;
    ::poll(&ready, 1, static_cast<int>(left));
  }
  return true;
}

std::string certificate_words(long mistake, const WebAddress& member) {
  switch (mistake) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return "its certificate has expired";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "its certificate is not valid yet; compare the clocks";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return "its certificate is not for " + member.host;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return "its certificate is not signed by the CA of this node's configuration";
    default:
      return std::string("its certificate is not accepted: ") +
             X509_verify_cert_error_string(mistake);
  }
}

// The last mistake that OpenSSL reported, as words.
std::string handshake_words(bool shows_certificate) {
  const unsigned long mistake = ERR_peek_last_error();
  const char* reason = ERR_reason_error_string(mistake);
  if (reason == nullptr) return "it closed the connection before TLS; is its address http://?";
  const std::string text = reason;
  if (text.find("alert") != std::string::npos) {
    return shows_certificate ? "it does not accept this node's certificate: " + text
                             : "it asks for a certificate, and this node has none: " + text;
  }
  const int kind = ERR_GET_REASON(mistake);
  if (kind == SSL_R_WRONG_VERSION_NUMBER || kind == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
    return "it does not answer with TLS; is its address http://?";
  }
  return "TLS fails: " + text;
}

}  // namespace

EtcdTls read_etcd_tls(const std::filesystem::path& ca, const std::filesystem::path& certificate,
                      const std::filesystem::path& key) {
  const std::optional<std::string> authorities = read_file(ca);
  if (!authorities) throw Fault(ca.string() + ": cannot read it: " + std::strerror(errno));
  if (each_certificate(*authorities, [](X509*, int) {}) == 0) {
    throw Fault(ca.string() + ": has no certificate (PEM)");
  }
  if (certificate.empty() != key.empty()) {
    throw Fault("etcd: a certificate needs its key, and a key its certificate");
  }
  if (certificate.empty()) return {*authorities, "", ""};
  WebCertificate own = read_certificate(certificate, key);
  return {*authorities, std::move(own.certificate), std::move(own.key)};
}

std::string etcd_tls_mistake(const WebAddress& member, const EtcdTls& tls,
                             std::chrono::milliseconds timeout) {
  const auto until = steady_clock::now() + timeout;
  const PipeSignalBlock no_signals;
  ERR_clear_error();
  const Context context = context_of(tls);
  const Stream stream(context ? BIO_new_ssl_connect(context.get()) : nullptr);
  SSL* ssl = nullptr;
  if (!stream || BIO_get_ssl(stream.get(), &ssl) != 1) return "";
  if (is_address(member.host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), member.host.c_str());
  } else {
    SSL_set1_host(ssl, member.host.c_str());
    // SSL_set_tlsext_host_name(), without its cast.
    std::string name = member.host;
    SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
  }
  constexpr std::array<unsigned char, 3> protocols{2, 'h', '2'};
  SSL_set_alpn_protos(ssl, protocols.data(), protocols.size());
  const std::string address = member.text().substr(std::string_view("https://").size());
  BIO_set_conn_hostname(stream.get(), address.c_str());
  BIO_set_nbio(stream.get(), 1);
  ERR_clear_error();
  std::array<char, 1> answer{};
  const bool works =
      complete(stream.get(), until, [&] { return BIO_do_connect(stream.get()); }) &&
      complete(stream.get(), until,
               [&] {
                 return BIO_write(stream.get(), preface.data(), static_cast<int>(preface.size()));
               }) &&
      complete(stream.get(), until, [&] {
        return BIO_read(stream.get(), answer.data(), static_cast<int>(answer.size()));
      });
  const bool is_late = steady_clock::now() >= until;
  std::string words;
  if (const long mistake = SSL_get_verify_result(ssl); mistake != X509_V_OK) {
    words = certificate_words(mistake, member);
  } else if (!works && !is_late && SSL_get_state(ssl) != TLS_ST_BEFORE) {
    words = handshake_words(!tls.certificate.empty());
  }
  ERR_clear_error();
  return words;
}

}  // namespace linkmeter
