// WebServer: HTTP and HTTPS for pages, requests and server-sent events (libmicrohttpd). One thread
// of its own, at a lower priority than the program's, serves everybody.
//
// Laws: nobody who calls publish() or answer() ever waits for a reader. What one client may ask is
// bounded: the size of its request, the time that it takes for it, how often it asks, its
// connections and its streams. Some of these are kept for who is signed in, so that no number of
// signs and strangers leaves him without. Where the rest are all taken, a newcomer whose address
// has fewer gets the oldest of the address that has the most. A request that was given up is never
// begun afterwards, where the handler's side asks has_given_up(). A body is refused by the length
// that it says, before it is read, and one that says none is refused too. A slow reader of events
// skips to the latest; one that is gone is found by the heartbeat. Every response carries the
// headers that keep a browser from doing what the page did not mean.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "proto/host/certificate.h"
#include "proto/host/web_address.h"
#include "proto/http/message.h"

namespace linkmeter {

class WebServer {
 public:
  struct Bounds {
    std::size_t connections_max = 1'024;
    std::size_t connections_kept = 64;  // beyond these, for addresses where somebody is signed in
    std::size_t connections_per_address_max = 64;
    std::size_t streams_max = 600;
    std::size_t streams_kept = 64;  // beyond these, for who is signed in
    std::size_t streams_per_address_max = 48;
    std::size_t streams_per_session_max = 16;
    unsigned requests_per_second = 50;  // of an address, or of a session, as long as it asks on,
    unsigned requests_burst = 200;      // and at once
    // Bounds by address are not for this machine itself, whose addresses are one then: where room
    // is made for others, it has no more than its share.
    bool spares_loopback = true;
    std::size_t body_bytes_max = std::size_t{64} << 10U;
    std::size_t target_bytes_max = 2'048;              // path and query
    std::size_t headers_bytes_max = 8'192;             // names and values
    std::chrono::milliseconds headers_within{10'000};  // of connecting
    std::chrono::milliseconds request_within{15'000};  // of connecting; else the connection is shut
    std::chrono::milliseconds idle_max{20'000};        // between two requests
    std::chrono::milliseconds answer_within{30'000};   // a WebLater; then it is answered 503
    std::chrono::milliseconds sending_max{60'000};     // a response that is no stream
    std::chrono::milliseconds heartbeat{5'000};        // on a stream that has nothing to say
  };
  struct Setup {
    WebAddress address;
    std::optional<WebCertificate> certificate = {};  // REQUIRED for https
    Bounds bounds = {};
    std::string session_cookie = {};  // its name; "": nobody is ever signed in
  };
  // On the server's thread; what it does is to be done in a moment.
  using Handler = std::function<WebReply(const WebRequest&, RequestId)>;

  struct Counts {
    std::size_t connections = 0;
    std::size_t streams = 0;
    std::map<int, std::uint64_t> responses;        // by status, since the start
    std::map<std::string, std::uint64_t> refused;  // connections and streams, by reason
    std::map<std::string, std::uint64_t> cut;      // connections that were shut, by reason
  };

  // In what is published, this is replaced by the milliseconds since then, whenever it is sent.
  // No JSON has these bytes.
  static constexpr std::string_view age_mark =
      "\x1b"
      "age\x1b";

  // Listens at once. Throws Fault. REQUIRES: !setup.address.is_none; made after StopSignal.
  WebServer(const Setup& setup, Handler handler);
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;
  // Ends every stream and connection; a ticket that waits gets no answer.
  ~WebServer();

  // Where it really listens: "http://127.0.0.1:41234".
  [[nodiscard]] std::string url() const;

  // From any thread. A ticket that is gone is ignored.
  void answer(RequestId ticket, WebResponse response);
  // The same, where the answer is a stream.
  void answer_stream(RequestId ticket, WebStream stream);
  // The latest of each topic is kept for who comes later. `id` 0: none is sent. Throws Fault if the
  // server's thread has ended.
  void publish(std::string topic, std::string event_name, std::string data, std::uint64_t id = 0);
  // What was published last on it, its ages filled in; nullopt: nothing yet. REQUIRES: called by
  // the handler.
  [[nodiscard]] std::optional<std::string> latest(const std::string& topic) const;
  // Ends the streams that have the topic. From any thread.
  void end_streams(const std::string& topic);

  // Who is signed in now. Throws Fault if the server's thread has ended.
  void know(SignedInClients known);
  // Was it answered already that nobody knows what becomes of it? From any thread.
  [[nodiscard]] bool has_given_up(RequestId ticket) const;

  [[nodiscard]] Counts counts() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace linkmeter
