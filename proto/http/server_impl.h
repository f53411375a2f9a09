// The implementation of WebServer: its thread, and the inbox that other threads fill. libmicrohttpd
// runs on that thread only, so all members below the inbox and the counts belong to it.
#pragma once

#include <microhttpd.h>
#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "proto/host/file_descriptor.h"
#include "proto/host/web_address.h"
#include "proto/http/connection_limiter.h"
#include "proto/http/event_broker.h"
#include "proto/http/request_context.h"
#include "proto/http/server.h"

namespace linkmeter {

class WebServer::Service {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  Service(const Setup& setup, Handler handler);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  [[nodiscard]] const std::string& url() const { return url_; }
  void answer(RequestId ticket, WebReply reply);
  // publish() and know() throw Fault if the thread has failed.
  void publish(std::string topic, std::string event_name, std::string data, std::uint64_t id);
  void end_streams(const std::string& topic);
  void know(SignedInClients known);
  [[nodiscard]] bool has_given_up(RequestId ticket) const { return ticket.value <= given_up_; }
  [[nodiscard]] Counts counts() const;
  [[nodiscard]] std::optional<std::string> latest(const std::string& topic) const;

 private:
  struct Published {
    std::string event_name, data;
    std::uint64_t id = 0;
    Moment at;
  };
  // What other threads left for the server's thread.
  struct Inbox {
    std::map<std::string, Published> published;
    std::vector<std::pair<RequestId, WebReply>> answers;
    std::vector<std::string> ended;
    std::optional<SignedInClients> known;
    bool is_stopping = false;
  };
  struct Calls;  // callbacks of libmicrohttpd

  void start(int listening);
  void serve();
  void serve_until_stopped();
  void wake() const;
  // The timeout for poll(2), in milliseconds.
  [[nodiscard]] int patience(Moment now) const;
  void take_inbox();
  // Sends heartbeats, answers requests that waited too long, and closes late connections.
  void look(Moment now);
  void end_everything();
  // Closes a connection so that one from `peer` fits. False: there is none to close.
  bool make_room(const std::string& peer);
  // The same for a stream.
  bool make_stream_room(const RequestContext& newcomer);

  MHD_Result take(RequestContext& exchange, const char* method, const char* body,
                  std::size_t* bytes);
  MHD_Result respond(RequestContext& exchange, const WebResponse& response);
  // Also finds out whether the client is signed in.
  std::optional<WebResponse> refuse_over_rate(RequestContext& exchange, Moment now);
  MHD_Result ask_handler(RequestContext& exchange);
  MHD_Result reply(RequestContext& exchange, WebReply said);
  MHD_Result begin_stream(RequestContext& exchange, WebStream stream);
  ssize_t read_stream(RequestContext& exchange, char* to, std::size_t bytes_max);
  void suspend(RequestContext& exchange);
  void resume(RequestContext& exchange);
  void forget(RequestContext& exchange);
  void count_connections();
  void count_refused(const char* why);
  void count_cut(const char* why);

  Setup setup_;
  Handler handler_;
  std::string url_;
  FileDescriptor wake_;
  mutable std::mutex inbox_mutex_;
  Inbox inbox_;
  std::exception_ptr failure_ = nullptr;  // why the thread failed; guarded by inbox_mutex_
  mutable std::mutex counts_mutex_;
  Counts counts_;

  MHD_Daemon* daemon_ = nullptr;
  int awaited_ = -1;  // the epoll of libmicrohttpd
  ConnectionLimiter door_;
  EventBroker topics_;
  std::set<Digest> known_cookies_;
  std::set<RequestContext*> streams_;
  std::map<std::string, std::set<RequestContext*>> listeners_;  // by topic
  std::map<RequestId, RequestContext*> waiting_;
  std::uint64_t last_ticket_ = 0;
  std::atomic<std::uint64_t> given_up_ = 0;  // this ticket and all before it
  Moment look_due_;
  bool is_stopping_ = false;
  std::thread thread_;
};

// An open listening socket.
struct WebListening {
  FileDescriptor socket;
  std::uint16_t port = 0;  // the real port, if port 0 was requested
};

// Throws Fault, with the address and the reason.
WebListening listen_at(const WebAddress& address);

}  // namespace linkmeter
