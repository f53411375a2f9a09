#include "proto/http/server.h"

#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/sha256.h"
#include "proto/host/wakeup.h"
#include "proto/host/web_address.h"
#include "proto/http/connection_limiter.h"
#include "proto/http/event_broker.h"
#include "proto/http/request_context.h"

namespace linkmeter {

// The thread of the server, and the inbox that other threads fill. libmicrohttpd runs only on that
// thread, so all members below the inbox and the counts belong to it.
class WebServer::Service {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  Service(const Setup& setup, Handler handler);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

  struct Published {
    std::string event_name, data;
    std::uint64_t id = 0;
    Moment at;
  };
  // What other threads left for the server's thread.
  struct Inbox {
    std::map<std::string, Published> published;
    std::vector<std::pair<RequestId, WebReply>> answers;
    std::vector<std::string> ended, forgotten;
    std::optional<SignedInClients> known;
    bool is_stopping = false;
  };
  struct Calls;  // callbacks of libmicrohttpd

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] bool is_abandoned(RequestId ticket) const { return ticket.value <= given_up_; }
  [[nodiscard]] std::optional<std::string> latest(const std::string& topic) const {
    return topics_.latest(topic, std::chrono::steady_clock::now());
  }
  [[nodiscard]] Counts counts() const {
    const std::lock_guard held(counts_mutex_);
    return counts_;
  }
  // `leave` puts something into the inbox.
  template <class Leave>
  void leave(const Leave& leave) {
    {
      const std::lock_guard held(inbox_mutex_);
      leave(inbox_);
    }
    wake_.signal();
  }
  // Throws Fault if the thread has failed. REQUIRES: called within leave().
  void require_thread() const;

 private:
  void start(int listening);
  void serve();
  void serve_until_stopped();
  // The timeout for poll(2), in milliseconds.
  [[nodiscard]] int patience(Moment now) const;
  void take_inbox();
  // Sends heartbeats, answers requests that waited too long, and closes late connections.
  void look(Moment now);
  void end_everything();
  // Closes a connection so that one from `peer` fits. False: no connection can be closed.
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
  Wakeup wake_;
  mutable std::mutex inbox_mutex_;
  Inbox inbox_;
  std::exception_ptr failure_ = nullptr;  // why the thread failed; guarded by inbox_mutex_
  mutable std::mutex counts_mutex_;
  Counts counts_;

  MHD_Daemon* daemon_ = nullptr;
  int awaited_ = -1;  // the epoll of libmicrohttpd
  ConnectionLimiter limiter_;
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

namespace {

using Clock = std::chrono::steady_clock;

constexpr int nice_value = 10;
constexpr std::chrono::milliseconds look_interval{100};
constexpr std::size_t connection_memory_bytes = std::size_t{32} << 10U;
// More than the ConnectionLimiter admits: libmicrohttpd stops accepting at its own limit.
constexpr unsigned spare_connections = 64;
constexpr int last_rounds_max = 50;

// Malformed requests are counted, never logged.
void log_nothing(void* /*closure*/, const char* /*format*/, va_list /*arguments*/) {}

// parse_request_target() decodes targets.
std::size_t unescape_nothing(void* /*closure*/, MHD_Connection* /*connection*/, char* text) {
  return std::strlen(text);
}

}  // namespace

// Called by libmicrohttpd on the server's thread. They must not throw.
struct WebServer::Service::Calls {
  static MHD_Result admit(void* service, const sockaddr* address, socklen_t /*size*/) noexcept {
    auto& self = *static_cast<Service*>(service);
    const std::string peer = web_peer(address);
    const char* refusal = self.limiter_.is_over_rate(peer, Clock::now());
    if (refusal == nullptr) refusal = self.limiter_.refusal(peer);
    if (refusal == nullptr) return MHD_YES;
    if (std::string_view(refusal) == ConnectionLimiter::no_slot && self.make_room(peer))
      return MHD_YES;
    self.count_refused(refusal);
    return MHD_NO;
  }
  static void connect(void* service, MHD_Connection* handle, void** context,
                      MHD_ConnectionNotificationCode code) noexcept {
    auto& self = *static_cast<Service*>(service);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
      const int socket =
          MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
      const sockaddr* address =
          MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
      WebConnection* connection = self.limiter_.opened(socket, web_peer(address), Clock::now());
      connection->address = web_address_of(address);
      *context = connection;
    } else if (*context != nullptr) {
      self.limiter_.closed(static_cast<WebConnection*>(*context));
      *context = nullptr;
    }
    self.count_connections();
  }
  static void* begin(void* /*service*/, const char* target, MHD_Connection* handle) noexcept {
    std::unique_ptr<RequestContext> exchange;
    try {
      exchange = std::make_unique<RequestContext>();
      exchange->target = target;
    } catch (const std::exception&) {
      return nullptr;  // take() ends the connection
    }
    exchange->handle = handle;
    exchange->connection = static_cast<WebConnection*>(
        MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
    return exchange.release();
  }
  static MHD_Result take(void* service, MHD_Connection* /*handle*/, const char* /*url*/,
                         const char* method, const char* /*version*/, const char* body,
                         std::size_t* bytes, void** exchange) noexcept {
    if (*exchange == nullptr) return MHD_NO;
    try {
      return static_cast<Service*>(service)->take(*static_cast<RequestContext*>(*exchange), method,
                                                  body, bytes);
    } catch (const std::exception&) {
      return MHD_NO;  // ends this connection only
    }
  }
  static void complete(void* service, MHD_Connection* /*handle*/, void** exchange,
                       MHD_RequestTerminationCode /*how*/) noexcept {
    const std::unique_ptr<RequestContext> ended(static_cast<RequestContext*>(*exchange));
    *exchange = nullptr;
    if (ended) static_cast<Service*>(service)->forget(*ended);
  }
};

WebServer::Service::Service(const Setup& setup, Handler handler)
    : setup_(setup), handler_(std::move(handler)), limiter_(setup_.bounds) {
  if (setup_.address.secure && !setup_.certificate) {
    throw Fault("pages at " + setup_.address.text() + " need a certificate");
  }
  WebListening listening = listen_at(setup_.address);
  WebAddress shown = setup_.address;
  shown.port = listening.port;
  if (shown.host == "*") {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    shown.host = name.data();
  }
  url_ = shown.text();
  start(listening.socket.get());
  // libmicrohttpd owns it now, and closes it.
  static_cast<void>(listening.socket.release());
  thread_ = std::thread([this] { serve(); });
}

WebServer::Service::~Service() {
  leave([](Inbox& inbox) { inbox.is_stopping = true; });
  thread_.join();
}

void WebServer::Service::start(int listening) {
  const bool secure = setup_.address.secure;
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  if (secure) flags |= MHD_USE_TLS;
  const auto pointer = [](auto* value) { return reinterpret_cast<intptr_t>(value); };
  const auto connections = static_cast<intptr_t>(
      std::min<std::size_t>(setup_.bounds.connections_max + setup_.bounds.connections_kept,
                            INT_MAX / 2) +
      spare_connections);
  std::string certificate = secure ? setup_.certificate->certificate : "";
  std::string key = secure ? setup_.certificate->key : "";
  std::string priorities = "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
  std::vector<MHD_OptionItem> options = {
      {MHD_OPTION_LISTEN_SOCKET, listening, nullptr},
      {MHD_OPTION_CONNECTION_LIMIT, connections, nullptr},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory_bytes, nullptr},
      {MHD_OPTION_STRICT_FOR_CLIENT, 1, nullptr},
      {MHD_OPTION_NOTIFY_CONNECTION, pointer(&Calls::connect), this},
      {MHD_OPTION_NOTIFY_COMPLETED, pointer(&Calls::complete), this},
      {MHD_OPTION_URI_LOG_CALLBACK, pointer(&Calls::begin), this},
      {MHD_OPTION_UNESCAPE_CALLBACK, pointer(&unescape_nothing), this},
      {MHD_OPTION_EXTERNAL_LOGGER, pointer(&log_nothing), nullptr}};
  if (secure) {
    options.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, certificate.data()});
    options.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, key.data()});
    options.push_back({MHD_OPTION_HTTPS_PRIORITIES, 0, priorities.data()});
  }
  options.push_back({MHD_OPTION_END, 0, nullptr});
  daemon_ = MHD_start_daemon(flags, 0, &Calls::admit, this, &Calls::take, this, MHD_OPTION_ARRAY,
                             options.data(), MHD_OPTION_END);
  if (daemon_ == nullptr) {
    throw Fault("cannot serve pages at " + setup_.address.text() +
                (secure ? ": the certificate or its key is not accepted" : ""));
  }
  awaited_ = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

void WebServer::Service::require_thread() const {
  if (failure_ == nullptr) return;
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& error) {
    throw Fault(std::string("the thread of the web server failed: ") + error.what());
  }
}

WebServer::WebServer(const Setup& setup, Handler handler)
    : service_(std::make_unique<Service>(setup, std::move(handler))) {}
WebServer::~WebServer() = default;

std::string WebServer::url() const { return service_->url(); }
bool WebServer::is_abandoned(RequestId ticket) const { return service_->is_abandoned(ticket); }
WebServer::Counts WebServer::counts() const { return service_->counts(); }
std::optional<std::string> WebServer::latest(const std::string& topic) const {
  return service_->latest(topic);
}

void WebServer::answer(RequestId ticket, WebReply reply) {
  service_->leave(
      [&](Service::Inbox& inbox) { inbox.answers.emplace_back(ticket, std::move(reply)); });
}

void WebServer::publish(std::string topic, std::string event_name, std::string data,
                        std::uint64_t id, std::chrono::microseconds age) {
  service_->leave([&](Service::Inbox& inbox) {
    service_->require_thread();
    inbox.published[std::move(topic)] = {std::move(event_name), std::move(data), id,
                                         Clock::now() - age};
  });
}

void WebServer::end_streams(const std::string& topic) {
  service_->leave([&](Service::Inbox& inbox) { inbox.ended.push_back(topic); });
}

void WebServer::end_topic(const std::string& topic) {
  service_->leave([&](Service::Inbox& inbox) {
    inbox.published.erase(topic);
    inbox.forgotten.push_back(topic);
    inbox.ended.push_back(topic);
  });
}

void WebServer::know(SignedInClients known) {
  service_->leave([&](Service::Inbox& inbox) {
    service_->require_thread();
    inbox.known = std::move(known);
  });
}

void WebServer::Service::serve() {
  // The turn comes before signs.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
  try {
    const ReadingScope reads;
    serve_until_stopped();
  } catch (const std::exception&) {  // publish() and know() report it
    const std::lock_guard held(inbox_mutex_);
    failure_ = std::current_exception();
  }
}

void WebServer::Service::serve_until_stopped() {
  while (!is_stopping_) {
    std::array<pollfd, 2> awaited = {{{awaited_, POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
    ::poll(awaited.data(), awaited.size(), patience(Clock::now()));
    take_inbox();
    const Moment now = Clock::now();
    if (now >= look_due_) look(now);
    if (is_stopping_) end_everything();
    MHD_run(daemon_);
  }
  // Readers of streams get a moment for the last bytes.
  for (int round = 0; round < last_rounds_max && !streams_.empty(); ++round) {
    pollfd awaited = {awaited_, POLLIN, 0};
    ::poll(&awaited, 1, 1);
    MHD_run(daemon_);
  }
  MHD_stop_daemon(daemon_);
}

int WebServer::Service::patience(Moment now) const {
  MHD_UNSIGNED_LONG_LONG own = 0;
  int milliseconds = -1;
  if (MHD_get_timeout(daemon_, &own) == MHD_YES) {
    milliseconds = static_cast<int>(std::min<MHD_UNSIGNED_LONG_LONG>(own, INT_MAX));
  }
  if (limiter_.count() == 0) return milliseconds;
  const auto due = std::chrono::ceil<std::chrono::milliseconds>(look_due_ - now).count();
  const int until_look = static_cast<int>(std::clamp<std::int64_t>(due, 0, INT_MAX));
  return milliseconds < 0 ? until_look : std::min(milliseconds, until_look);
}

void WebServer::Service::take_inbox() {
  wake_.clear();
  Inbox inbox;
  {
    const std::lock_guard held(inbox_mutex_);
    std::swap(inbox, inbox_);
  }
  if (inbox.is_stopping) is_stopping_ = true;
  if (inbox.known) {
    known_cookies_ = std::move(inbox.known->cookies);
    limiter_.know(std::move(inbox.known->peers));
  }
  for (const std::string& topic : inbox.forgotten) topics_.forget(topic);
  for (const auto& [topic, published] : inbox.published) {
    topics_.publish(topic, published.event_name, published.data, published.id, published.at);
    const auto found = listeners_.find(topic);
    if (found == listeners_.end()) continue;
    for (RequestContext* listening : found->second) resume(*listening);
  }
  for (auto& [ticket, reply] : inbox.answers) {
    const auto found = waiting_.find(ticket);
    if (found == waiting_.end()) continue;
    // The stream begins after the inbox is processed, so it would miss its end below.
    const auto* stream = std::get_if<WebStream>(&reply);
    if (stream != nullptr && std::any_of(stream->topics.begin(), stream->topics.end(),
                                         [&ended = inbox.ended](const std::string& topic) {
                                           return std::find(ended.begin(), ended.end(), topic) !=
                                                  ended.end();
                                         })) {
      reply = web_refusal(401, "not_signed_in", "the session has ended");
    }
    found->second->answer = std::move(reply);
    resume(*found->second);
    waiting_.erase(found);
  }
  for (const std::string& topic : inbox.ended) {
    const auto found = listeners_.find(topic);
    if (found == listeners_.end()) continue;
    for (RequestContext* listening : found->second) {
      listening->is_ended = true;
      resume(*listening);
    }
  }
}

void WebServer::Service::look(Moment now) {
  look_due_ = now + look_interval;
  for (RequestContext* stream : streams_) {
    if (!stream->is_suspended || now < stream->last_sent + setup_.bounds.heartbeat) continue;
    stream->listener->beat();
    resume(*stream);
  }
  // In the order of tickets, so oldest first.
  while (!waiting_.empty() && now >= waiting_.begin()->second->connection->deadline) {
    RequestContext& exchange = *waiting_.begin()->second;
    given_up_ = exchange.ticket.value;
    exchange.answer =
        exchange.request.method == "GET"
            ? web_refusal(503, "busy", "the server is busy")
            : web_refusal(503, "outcome_unknown",
                          "it is not known yet whether this was done; check before you try again");
    resume(exchange);
    waiting_.erase(waiting_.begin());
  }
  for (const WebConnection* late : limiter_.late(now)) {
    count_cut(late->waiting_for);
    ::shutdown(late->socket, SHUT_RDWR);
  }
}

bool WebServer::Service::make_room(const std::string& peer) {
  const WebConnection* cut = limiter_.take_idle(peer);
  if (cut == nullptr) return false;
  count_cut("room");
  ::shutdown(cut->socket, SHUT_RDWR);
  // A suspended stream would not notice that its socket is shut down.
  for (RequestContext* stream : streams_) {
    if (stream->connection != cut) continue;
    stream->is_ended = true;
    resume(*stream);
  }
  return true;
}

void WebServer::Service::end_everything() {
  for (RequestContext* stream : streams_) {
    stream->is_ended = true;
    resume(*stream);
  }
  for (const auto& [ticket, exchange] : waiting_) {
    exchange->answer = web_refusal(503, "stopping", "the program stops");
    resume(*exchange);
  }
  waiting_.clear();
}

namespace {

constexpr int waiting_connections_max = 1'024;

struct FreeAddresses {
  void operator()(addrinfo* first) const { ::freeaddrinfo(first); }
};

std::uint16_t port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  // The sockets API passes every kind of address as this type.
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  if (bound.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

FileDescriptor listening_at(const addrinfo& place) {
  FileDescriptor made(::socket(place.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1, no = 0;
  if (!made.is_open() ||
      ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      (place.ai_family == AF_INET6 &&
       ::setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0) ||
      ::bind(made.get(), place.ai_addr, place.ai_addrlen) != 0 ||
      ::listen(made.get(), waiting_connections_max) != 0) {
    const int error = errno;
    made = FileDescriptor();
    errno = error;
  }
  return made;
}

}  // namespace

WebListening listen_at(const WebAddress& address) {
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  // "*" is every address of both families: an IPv6 socket takes IPv4 too.
  if (address.host == "*") wanted.ai_family = AF_INET6;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  const char* host = address.host == "*" ? nullptr : address.host.c_str();
  int error = ::getaddrinfo(host, port.c_str(), &wanted, &found);
  if (error != 0) throw Fault(address.text() + ": " + ::gai_strerror(error));
  const std::unique_ptr<addrinfo, FreeAddresses> all(found);
  FileDescriptor made;
  for (const addrinfo* place = found; place != nullptr && !made.is_open(); place = place->ai_next) {
    made = listening_at(*place);
  }
  if (!made.is_open() && address.host == "*") {  // a machine without IPv6
    WebAddress four = address;
    four.host = "0.0.0.0";
    return listen_at(four);
  }
  if (!made.is_open()) {
    throw Fault("cannot serve pages at " + address.text() + ": " + std::strerror(errno));
  }
  const std::uint16_t taken = port_of(made.get());
  return {std::move(made), taken};
}

// Serving one request: read it, call the handler, send the response.

namespace {

// A reader of events that reads nothing for this long is cut.
constexpr std::chrono::seconds stuck_max{30};

}  // namespace

MHD_Result WebServer::Service::take(RequestContext& exchange, const char* method, const char* body,
                                    std::size_t* bytes) {
  if (!exchange.has_begun) {
    exchange.has_begun = true;
    WebConnection& connection = *exchange.connection;
    const Moment now = Clock::now();
    const auto& bounds = setup_.bounds;
    connection.expect("request", connection.is_first
                                     ? connection.since + bounds.request_within
                                     : now + (bounds.request_within - bounds.headers_within));
    connection.is_first = false;
    connection.is_idle = false;
    auto refusal = read_headers(method, setup_.address.secure, bounds, exchange);
    if (!refusal) refusal = refuse_over_rate(exchange, now);
    if (!refusal) return MHD_YES;
    exchange.is_refused = true;
    return respond(exchange, *refusal);
  }
  if (*bytes > 0) {
    // libmicrohttpd delivers at most the announced length, which is within the bounds.
    exchange.request.body.append(body, *bytes);
    *bytes = 0;
    return MHD_YES;
  }
  if (exchange.answer) return reply(exchange, std::move(*exchange.answer));
  return ask_handler(exchange);
}

std::optional<WebResponse> WebServer::Service::refuse_over_rate(RequestContext& exchange,
                                                                Moment now) {
  WebRequest& request = exchange.request;
  const auto cookie = request.cookies.find(setup_.session_cookie);
  exchange.asker = limiter_.owner_of(request.peer);
  std::string who = request.peer;
  if (!known_cookies_.empty() && cookie != request.cookies.end()) {
    const Digest digest = sha256(cookie->second);
    request.is_known = known_cookies_.contains(digest);
    if (request.is_known) exchange.asker = who = hex(digest);
  }
  if (setup_.bounds.spares_loopback && is_loopback(request.peer)) return std::nullopt;
  const auto wait = limiter_.spend(who, now);
  if (!wait) return std::nullopt;
  count_refused("requests");
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(*wait).count();
  WebResponse no = web_refusal(429, "too_many_requests", "too many requests; wait");
  no.headers.emplace_back("Retry-After", std::to_string(seconds));
  return no;
}

MHD_Result WebServer::Service::respond(RequestContext& exchange, const WebResponse& response) {
  exchange.connection->expect("reading", Clock::now() + setup_.bounds.sending_max);
  exchange.connection->is_kept = false;
  {
    const std::lock_guard held(counts_mutex_);
    ++counts_.responses[response.status];
  }
  return send_response(exchange, response) ? MHD_YES : MHD_NO;
}

MHD_Result WebServer::Service::ask_handler(RequestContext& exchange) {
  if (is_stopping_) return respond(exchange, web_refusal(503, "stopping", "the program stops"));
  exchange.ticket = RequestId{++last_ticket_};
  WebReply said;
  try {
    const ReadingScope reads;
    said = handler_(exchange.request, exchange.ticket);
  } catch (const std::exception&) {
    said = web_refusal(500, "internal", "an internal error occurred; nothing was changed");
  }
  return reply(exchange, std::move(said));
}

MHD_Result WebServer::Service::reply(RequestContext& exchange, WebReply reply) {
  if (const auto* response = std::get_if<WebResponse>(&reply)) return respond(exchange, *response);
  if (auto* stream = std::get_if<WebStream>(&reply)) {
    return begin_stream(exchange, std::move(*stream));
  }
  waiting_.emplace(exchange.ticket, &exchange);
  exchange.connection->expect_nothing();
  exchange.connection->deadline = Clock::now() + setup_.bounds.answer_within;
  exchange.connection->is_kept = true;
  suspend(exchange);
  return MHD_YES;
}

MHD_Result WebServer::Service::begin_stream(RequestContext& exchange, WebStream stream) {
  if (exchange.is_head) {
    WebResponse head;
    head.type = "text/event-stream";
    return respond(exchange, head);
  }
  const bool is_known = exchange.request.is_known;
  const char* limit = limiter_.stream_refusal(exchange.asker, is_known);
  if (limit != nullptr && std::string_view(limit) == ConnectionLimiter::no_stream &&
      make_stream_room(exchange)) {
    limit = nullptr;
  }
  if (limit != nullptr) {
    count_refused(limit);
    WebResponse full =
        web_refusal(503, "too_many_streams", "too many event streams are open; try again");
    full.headers.emplace_back("Retry-After", "5");
    return respond(exchange, full);
  }
  for (const std::string& topic : stream.topics) listeners_[topic].insert(&exchange);
  exchange.listener = std::make_unique<WebListener>(std::move(stream.topics));
  exchange.read = [this, &exchange](char* to, std::size_t bytes_max) {
    return read_stream(exchange, to, bytes_max);
  };
  exchange.last_sent = Clock::now();
  streams_.insert(&exchange);
  limiter_.stream_began(*exchange.connection, exchange.asker, is_known);
  exchange.connection->is_kept = false;
  count_connections();
  exchange.connection->expect("reading", exchange.last_sent + stuck_max);
  {
    const std::lock_guard held(counts_mutex_);
    ++counts_.responses[200];
  }
  return send_stream(exchange) ? MHD_YES : MHD_NO;
}

// The client of the ended stream reconnects, as every sign does, and its address is then at its
// share.
bool WebServer::Service::make_stream_room(const RequestContext& newcomer) {
  const WebConnection* ended = limiter_.take_stream(newcomer.asker, newcomer.request.is_known);
  if (ended == nullptr) return false;
  count_cut("streams");
  for (RequestContext* stream : streams_) {
    if (stream->connection != ended) continue;
    stream->is_ended = true;
    resume(*stream);
  }
  ::shutdown(ended->socket, SHUT_RDWR);  // also ends a stream whose client does not read
  return true;
}

ssize_t WebServer::Service::read_stream(RequestContext& exchange, char* to, std::size_t bytes_max) {
  if (exchange.is_ended || is_stopping_) return MHD_CONTENT_READER_END_OF_STREAM;
  const Moment now = Clock::now();
  const std::string_view piece = exchange.listener->read(topics_, bytes_max, now);
  if (piece.empty()) {
    suspend(exchange);
    exchange.connection->expect_nothing();
    return 0;
  }
  std::copy(piece.begin(), piece.end(), to);
  exchange.last_sent = now;
  exchange.connection->expect("reading", now + stuck_max);
  return static_cast<ssize_t>(piece.size());
}

void WebServer::Service::suspend(RequestContext& exchange) {
  exchange.is_suspended = true;
  MHD_suspend_connection(exchange.handle);
}

void WebServer::Service::resume(RequestContext& exchange) {
  if (!exchange.is_suspended) return;
  exchange.is_suspended = false;
  if (exchange.listener) exchange.connection->expect("reading", Clock::now() + stuck_max);
  MHD_resume_connection(exchange.handle);
}

void WebServer::Service::forget(RequestContext& exchange) {
  waiting_.erase(exchange.ticket);
  if (exchange.listener) {
    for (const std::string& topic : exchange.listener->topics()) {
      const auto found = listeners_.find(topic);
      if (found == listeners_.end()) continue;
      found->second.erase(&exchange);
      if (found->second.empty()) listeners_.erase(found);
    }
    streams_.erase(&exchange);
    limiter_.stream_ended(*exchange.connection);
    count_connections();
  }
  exchange.connection->expect_next(Clock::now() + setup_.bounds.idle_max);
}

void WebServer::Service::count_refused(const char* why) {
  const std::lock_guard held(counts_mutex_);
  ++counts_.refused[why];
}

void WebServer::Service::count_cut(const char* why) {
  const std::lock_guard held(counts_mutex_);
  ++counts_.cut[why];
}

void WebServer::Service::count_connections() {
  const std::lock_guard held(counts_mutex_);
  counts_.connections = limiter_.count();
  counts_.streams = streams_.size();
}

}  // namespace linkmeter
