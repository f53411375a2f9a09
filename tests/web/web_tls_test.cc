// The server over TLS, with OpenSSL's client.
#include <doctest/doctest.h>
#include <openssl/ssl.h>

#include <memory>

#include "proto/host/certificate.h"
#include "proto/host/fault.h"
#include "proto/http/server.h"
#include "tests/web/raw_client.h"

namespace linkmeter::web_tls_test {
namespace {

struct Free {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* session) const { SSL_free(session); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(BIO* memory) const { BIO_free(memory); }
};

// Trusts only this certificate, and connects to that host name.
class TlsClient {
 public:
  TlsClient(const std::string& url, const std::string& trusted, const std::string& host,
            int version_max = TLS1_3_VERSION)
      : client_(url), context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_.get(), version_max);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    const std::unique_ptr<BIO, Free> memory(
        BIO_new_mem_buf(trusted.data(), static_cast<int>(trusted.size())));
    const std::unique_ptr<X509, Free> certificate(
        PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), certificate.get());
    session_.reset(SSL_new(context_.get()));
    SSL_set_fd(session_.get(), client_.socket());
    X509_VERIFY_PARAM* wanted = SSL_get0_param(session_.get());
    if (X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) != 1) {
      X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), host.size());
    }
    is_connected_ = SSL_connect(session_.get()) == 1;
  }
  [[nodiscard]] bool is_connected() const { return is_connected_; }
  [[nodiscard]] std::string version() const { return SSL_get_version(session_.get()); }
  std::string ask(const std::string& request) {
    SSL_write(session_.get(), request.data(), static_cast<int>(request.size()));
    std::string all;
    char bytes[4'096];
    int got = 0;
    while ((got = SSL_read(session_.get(), bytes, sizeof bytes)) > 0) {
      all.append(bytes, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  RawClient client_;
  std::unique_ptr<SSL_CTX, Free> context_;
  std::unique_ptr<SSL, Free> session_;
  bool is_connected_ = false;
};

WebServer::Setup secure_setup(const WebCertificate& certificate) {
  return {*WebAddress::parse("https://127.0.0.1:0"), certificate};
}

WebReply answer(const WebRequest& request, RequestId) {
  return WebResponse{200, "text/plain", request.secure ? "secure" : "plain"};
}

const std::string asked = get("/", "Connection: close\r\n");

}  // namespace

TEST_CASE("a client that trusts the certificate connects to its hosts by TLS 1.2 and 1.3") {
  const WebCertificate made = make_certificate({"house.example", "127.0.0.1", "::1"});
  const WebServer server(secure_setup(made), answer);
  CHECK(server.url().starts_with("https://127.0.0.1:"));
  for (const auto& [version, name] :
       {std::pair(TLS1_2_VERSION, "TLSv1.2"), {TLS1_3_VERSION, "TLSv1.3"}}) {
    TlsClient client(server.url(), made.certificate, "127.0.0.1", version);
    REQUIRE(client.is_connected());
    CHECK_EQ(client.version(), name);
    const std::string told = client.ask(asked);
    CHECK_EQ(status_of(told), 200);
    CHECK_EQ(body_of(told), "secure");
    CHECK_EQ(header_of(told, "Strict-Transport-Security"), "max-age=31536000");
  }
  CHECK(TlsClient(server.url(), made.certificate, "house.example").is_connected());
  CHECK_FALSE(TlsClient(server.url(), made.certificate, "other.example").is_connected());
}

TEST_CASE("old TLS, another certificate and plain HTTP fail; the server continues") {
  const WebCertificate made = make_certificate({"127.0.0.1"});
  const WebServer server(secure_setup(made), answer);
  CHECK_FALSE(
      TlsClient(server.url(), made.certificate, "127.0.0.1", TLS1_1_VERSION).is_connected());
  const WebCertificate other = make_certificate({"127.0.0.1"});
  CHECK_FALSE(TlsClient(server.url(), other.certificate, "127.0.0.1").is_connected());
  RawClient plain(server.url());
  plain.send(get("/"));
  CHECK_EQ(status_of(plain.read_all()), 0);
  TlsClient client(server.url(), made.certificate, "127.0.0.1");
  REQUIRE(client.is_connected());
  CHECK_EQ(status_of(client.ask(asked)), 200);
}

TEST_CASE("a stalled handshake closes the connection") {
  WebServer::Setup setup = secure_setup(make_certificate({"127.0.0.1"}));
  setup.bounds.headers_within = std::chrono::milliseconds(100);
  const WebServer server(setup, answer);
  RawClient silent(server.url());
  CHECK_EQ(silent.read_all(), "");
  CHECK_EQ(server.counts().cut.at("headers"), 1);
}

TEST_CASE("an invalid key is reported at the start") {
  WebCertificate made = make_certificate({"127.0.0.1"});
  made.key = "no key";
  CHECK_THROWS_WITH_AS(WebServer(secure_setup(made), answer), doctest::Contains("certificate"),
                       Fault);
}

}  // namespace linkmeter::web_tls_test
