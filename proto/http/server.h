// WebServer: HTTP and HTTPS for pages, requests and server-sent events (libmicrohttpd). It has one
// thread, at a lower priority than the program's.
//
// Laws: publish() and answer() never wait for a client. Each client is bounded: the size of a
// request, the time to send it, the request rate, connections and streams. Some connections and
// streams are reserved for signed-in clients, so signs and anonymous clients cannot use them up.
// When the others are all taken, a new client whose address has fewer takes the place of the oldest
// one of the address with the most. A request that was given up is not carried out afterwards, if
// the handler's side asks is_abandoned(). A body is refused by its announced length before it is
// read, and so is a body without one. A slow reader of events skips to the latest; the heartbeat
// detects a reader that is gone. Every response has the headers that restrict what a browser does
// with a page.
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
#include "proto/host/file_descriptor.h"
#include "proto/host/web_address.h"
#include "proto/http/connection_limiter.h"
#include "proto/http/message.h"

namespace linkmeter {

class WebServer {
 public:
  using Bounds = ServerBounds;
  struct Setup {
    WebAddress address;
    std::optional<WebCertificate> certificate = {};  // REQUIRED for https
    Bounds bounds = {};
    std::string session_cookie = {};  // its name; "": no client is ever signed in
  };
  // Runs on the server's thread, so it must be quick.
  using Handler = std::function<WebReply(const WebRequest&, RequestId)>;

  struct Counts {
    std::size_t connections = 0;
    std::size_t streams = 0;
    std::map<int, std::uint64_t> responses;        // by status, since the start
    std::map<std::string, std::uint64_t> refused;  // connections and streams, by reason
    std::map<std::string, std::uint64_t> cut;      // closed connections, by reason
  };

  // Listens at once. Throws Fault. REQUIRES: !setup.address.is_none; made after ShutdownSignal.
  WebServer(const Setup& setup, Handler handler);
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;
  // Ends every stream and connection. A waiting request gets 503 "stopping", or no response.
  ~WebServer();

  // With the port that port 0 became: "http://127.0.0.1:41234".
  [[nodiscard]] std::string url() const;

  // Thread-safe. Ignores a ticket whose request has its response, or whose client is gone.
  // REQUIRES: `reply` is a response or a stream.
  void answer(RequestId ticket, WebReply reply);
  // Sends an event to the topic's readers, and keeps it for later ones. `id` 0: the event has no
  // id. `age`: of the data now. Thread-safe. Throws Fault if the server's thread has failed.
  void publish(std::string topic, std::string event_name, std::string data, std::uint64_t id = 0,
               std::chrono::microseconds age = {});
  // The latest data of the topic, with ages filled in; nullopt: none yet. REQUIRES: called by the
  // handler.
  [[nodiscard]] std::optional<std::string> latest(const std::string& topic) const;
  // Ends the streams that have the topic. Thread-safe.
  void end_streams(const std::string& topic);
  // The same, and forgets the topic's latest data. Thread-safe.
  void end_topic(const std::string& topic);

  // Replaces the signed-in clients. Thread-safe. Throws Fault if the server's thread has failed.
  void know(SignedInClients known);
  // Whether the request was answered "busy" or "outcome unknown", because its response was late.
  // Thread-safe.
  [[nodiscard]] bool is_abandoned(RequestId ticket) const;

  [[nodiscard]] Counts counts() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

// An open listening socket.
struct WebListening {
  FileDescriptor socket;
  std::uint16_t port = 0;  // the real port, if port 0 was requested
};

// Throws Fault, with the address and the reason.
WebListening listen_at(const WebAddress& address);

}  // namespace linkmeter
