#include "controller/cluster/grpc_etcd.h"

#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "controller/cluster/etcd_failure.h"
#include "controller/cluster/etcd_tls_check.h"
#include "meters/values/invariant.h"
#include "proto/etcd.grpc.pb.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"
#include "proto/host/web_address.h"

namespace linkmeter {
namespace {

namespace pb = etcdserverpb;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int response_bytes_max = 128 << 20;
constexpr std::size_t watched_bytes_max = std::size_t{16} << 20U;
// A watch asks for a sign of life this many times within the deadline.
constexpr int signs_of_life = 3;
// After something came, a watch waits so long before it receives more, so that the changes of a
// busy writer come together. Else three threads of each standby would run for each of its commits,
// at the moment at which the writer waits for its answer.
constexpr milliseconds gathering_time(20);
constexpr std::size_t gathered_bytes_max = std::size_t{1} << 20U;  // so much is told at once
constexpr milliseconds reconnection_time(250);
constexpr milliseconds tls_check_time(500);
constexpr milliseconds tls_check_pause(5'000);

// gRPC reports every failure in the status of a call, too. Only a broken law of its own is not in
// one: it ends the process.
void log_of_grpc(gpr_log_func_args* args) {
  if (std::strstr(args->message, "assertion failed") != nullptr) {
    static_cast<void>(std::fprintf(stderr, "gRPC: %s\n", args->message));
  }
}

milliseconds time_until(steady_clock::time_point until) {
  return std::max(milliseconds(0),
                  std::chrono::duration_cast<milliseconds>(until - steady_clock::now()));
}

// gRPC's deadlines are of the system's clock; this one is used at once.
std::chrono::system_clock::time_point grpc_time(steady_clock::time_point until) {
  return std::chrono::system_clock::now() + time_until(until);
}

// --- errors ---

bool is_of_etcd(const grpc::Status& status) {
  return status.error_message().starts_with("etcdserver:");
}

bool says(const grpc::Status& status, std::string_view words) {
  return status.error_message().find(words) != std::string::npos;
}

// Only etcd's own words prove that a request was not done: gRPC uses the same codes for lost
// connections.
bool is_refusal(const grpc::Status& status) {
  // Both sides check sizes before a request is handled. A read alone has answers of that size.
  if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    // A member with too many requests accepts them later.
    return says(status, "larger than max") ||
           (is_of_etcd(status) && !says(status, "too many requests"));
  }
  if (!is_of_etcd(status)) return false;
  switch (status.error_code()) {
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::NOT_FOUND:
    case grpc::StatusCode::ALREADY_EXISTS:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::DATA_LOSS: return true;
    default: return false;
  }
}

// The token is from before a restart of the member, or from before a change of its users, or etcd
// has users since this node asked.
bool is_old_token(const grpc::Status& status) {
  return is_of_etcd(status) &&
         (says(status, "invalid auth token") || says(status, "revision in auth store is old") ||
          says(status, "user name is empty"));
}

EtcdError::Kind kind_of(const grpc::Status& status) {
  if (says(status, "has been compacted")) return EtcdError::Kind::compacted;
  return is_refusal(status) ? EtcdError::Kind::refused : EtcdError::Kind::unknown;
}

std::string words_of(const grpc::Status& status) {
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) return "no answer in time";
  return failure_words(status.error_message());
}

// --- messages ---

EtcdValue value_of(pb::KeyValue& from) {
  return {std::move(*from.mutable_key()), std::move(*from.mutable_value()), from.create_revision(),
          from.mod_revision(), from.lease()};
}

EtcdEvent event_of(pb::Event& from) {
  return {value_of(*from.mutable_kv()), from.kind() == pb::Event::DELETE};
}

pb::TxnRequest request_of(const EtcdTransaction& transaction) {
  pb::TxnRequest request;
  for (const EtcdCondition& condition : transaction.conditions) {
    INVARIANT(condition.created.has_value() != condition.value.has_value());
    pb::Compare& compare = *request.add_compare();
    compare.set_result(pb::Compare::EQUAL);
    compare.set_key(condition.key);
    if (condition.created) {
      compare.set_target(pb::Compare::CREATE);
      compare.set_create_revision(*condition.created);
    } else {
      compare.set_target(pb::Compare::VALUE);
      compare.set_value(*condition.value);
    }
  }
  for (const EtcdPut& put : transaction.puts) {
    pb::PutRequest& one = *request.add_success()->mutable_request_put();
    one.set_key(put.key);
    one.set_value(put.value);
    one.set_lease(put.lease);
  }
  for (const EtcdRange& range : transaction.deletions) {
    pb::DeleteRangeRequest& one = *request.add_success()->mutable_request_delete_range();
    one.set_key(range.first);
    one.set_range_end(range.end);
  }
  return request;
}

// --- one member ---

grpc::ChannelArguments channel_arguments() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(response_bytes_max);
  arguments.SetMaxSendMessageSize(-1);  // etcd has the limit
  // A dead connection is closed, so that later calls use a new one. etcd refuses more frequent
  // pings (--grpc-keepalive-min-time).
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 6'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 2'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);  // what may be repeated is decided here
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  return arguments;
}

// The stubs share a connection.
class Member {
 public:
  Member(WebAddress address, const EtcdTls& tls) : address_(std::move(address)), tls_(tls) {
    const auto credentials = address_.secure
                                 ? grpc::SslCredentials({.pem_root_certs = tls.ca,
                                                         .pem_private_key = tls.key,
                                                         .pem_cert_chain = tls.certificate})
                                 : grpc::InsecureChannelCredentials();
    const std::string text = address_.text();
    channel_ = grpc::CreateCustomChannel("dns:///" + text.substr(text.find("//") + 2), credentials,
                                         channel_arguments());
    auth = pb::Auth::NewStub(channel_);
    cluster = pb::Cluster::NewStub(channel_);
    kv = pb::KV::NewStub(channel_);
    lease = pb::Lease::NewStub(channel_);
    maintenance = pb::Maintenance::NewStub(channel_);
    watch = pb::Watch::NewStub(channel_);
  }

  // Waits a moment if the connection is lost. gRPC connects again only while somebody waits for it,
  // and a call does not: it fails at once.
  void reconnect(steady_clock::time_point until) {
    if (channel_->GetState(true) != GRPC_CHANNEL_TRANSIENT_FAILURE) return;
    channel_->WaitForStateChange(
        GRPC_CHANNEL_TRANSIENT_FAILURE,
        grpc_time(std::min(until, steady_clock::now() + reconnection_time)));
  }

  [[nodiscard]] std::string endpoint() const { return address_.text(); }
  // REQUIRES: the status is not OK.
  [[nodiscard]] EtcdError error(const grpc::Status& status, steady_clock::time_point until) {
    std::string words = tls_mistake(status, until);
    if (words.empty()) words = words_of(status);
    return {kind_of(status), "etcd at " + endpoint() + ": " + words};
  }

  std::unique_ptr<pb::Auth::Stub> auth;
  std::unique_ptr<pb::Cluster::Stub> cluster;
  std::unique_ptr<pb::KV::Stub> kv;
  std::unique_ptr<pb::Lease::Stub> lease;
  std::unique_ptr<pb::Maintenance::Stub> maintenance;
  std::unique_ptr<pb::Watch::Stub> watch;

 private:
  // A second connection finds out what gRPC hides; not too often, because a member may be away for
  // hours.
  std::string tls_mistake(const grpc::Status& status, steady_clock::time_point until) {
    if (!address_.secure || is_of_etcd(status) ||
        status.error_code() != grpc::StatusCode::UNAVAILABLE ||
        says(status, "Connection refused")) {
      return "";
    }
    const std::unique_lock held(mutex_, std::try_to_lock);
    if (!held) return "";
    if (!checked_ || steady_clock::now() - *checked_ > tls_check_pause) {
      mistake_ = etcd_tls_mistake(address_, tls_, std::min(tls_check_time, time_until(until)));
      checked_ = steady_clock::now();
    }
    return mistake_;
  }

  WebAddress address_;
  const EtcdTls& tls_;
  decltype(grpc::CreateChannel({}, {})) channel_;
  std::mutex mutex_;
  std::optional<steady_clock::time_point> checked_;
  std::string mistake_;
};

enum class CallKind : std::uint8_t {
  once,        // a change that must not be sent twice
  repeatable,  // it does no harm when it is done twice
  local,       // repeatable; the member answers it alone, also without a leader
};

}  // namespace

class GrpcEtcd::Connections {
 public:
  explicit Connections(const EtcdSettings& settings);
  ~Connections() { forget(password_); }
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  [[nodiscard]] milliseconds deadline() const { return deadline_; }
  [[nodiscard]] const EtcdTls& tls() const { return tls_; }
  [[nodiscard]] std::size_t current() const { return current_; }
  [[nodiscard]] Member& member(std::size_t at) { return *members_[at]; }
  // The configured member with this endpoint, or nullptr.
  [[nodiscard]] Member* find(const std::string& endpoint);
  // This member does not answer. Without effect if the current member is another one already.
  void leave(std::size_t at) { current_.compare_exchange_strong(at, (at + 1) % members_.size()); }
  // This member, which has just answered, leads: the others would only hand requests on to it.
  void prefer(const Member* leader);

  // Calls `send(member, context, response)` and returns the response.
  template <class Response, class Send>
  [[nodiscard]] EtcdResult<Response> call(CallKind kind, const Send& send);
  // Signs in if there is a user and no token. Its result is the status of that.
  [[nodiscard]] grpc::Status prepare(Member& member, grpc::ClientContext& context,
                                     steady_clock::time_point until);
  // Adds the token, if there is one.
  void add_token(grpc::ClientContext& context);
  // The next call signs in again. False: there is no user.
  bool drop_token();

 private:
  EtcdTls tls_;
  std::string user_;
  std::string password_;
  milliseconds deadline_;
  std::vector<std::unique_ptr<Member>> members_;
  std::atomic<std::size_t> current_ = 0;
  std::mutex mutex_;
  bool needs_token_;
  std::string token_;  // "": none; etcd knows no users
};

GrpcEtcd::Connections::Connections(const EtcdSettings& settings)
    : user_(settings.user), deadline_(settings.deadline), needs_token_(!user_.empty()) {
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);
  gpr_set_log_function(log_of_grpc);
  std::vector<WebAddress> addresses = parse_etcd_endpoints(settings);
  if (std::any_of(addresses.begin(), addresses.end(), [](const auto& one) { return one.secure; })) {
    if (settings.ca_file.empty()) throw Fault("etcd: https needs a CA file (--etcd-ca)");
    tls_ = read_etcd_tls(settings.ca_file, settings.certificate, settings.key);
  } else if (!settings.ca_file.empty() || !settings.certificate.empty()) {
    throw Fault("etcd: a CA or a certificate (--etcd-ca) needs endpoints with https://");
  }
  password_ = read_etcd_password(settings);
  for (WebAddress& address : addresses) {
    members_.push_back(std::make_unique<Member>(std::move(address), tls_));
  }
}

Member* GrpcEtcd::Connections::find(const std::string& endpoint) {
  for (const auto& member : members_) {
    if (member->endpoint() == endpoint) return member.get();
  }
  return nullptr;
}

void GrpcEtcd::Connections::prefer(const Member* leader) {
  for (std::size_t at = 0; at < members_.size(); ++at) {
    if (members_[at].get() == leader) current_ = at;
  }
}

void GrpcEtcd::Connections::add_token(grpc::ClientContext& context) {
  const std::lock_guard held(mutex_);
  if (!token_.empty()) context.AddMetadata("token", token_);
}

bool GrpcEtcd::Connections::drop_token() {
  const std::lock_guard held(mutex_);
  token_.clear();
  needs_token_ = !user_.empty();
  return needs_token_;
}

grpc::Status GrpcEtcd::Connections::prepare(Member& member, grpc::ClientContext& context,
                                            steady_clock::time_point until) {
  // A member without a leader fails at once.
  context.AddMetadata("hasleader", "true");
  const std::lock_guard held(mutex_);
  if (needs_token_) {
    grpc::ClientContext sign_in;
    sign_in.set_deadline(grpc_time(until));
    pb::AuthenticateRequest request;
    request.set_name(user_);
    request.set_password(password_);
    pb::AuthenticateResponse response;
    grpc::Status status = member.auth->Authenticate(&sign_in, request, &response);
    forget(*request.mutable_password());
    if (!status.ok() && !says(status, "authentication is not enabled")) return status;
    token_ = response.token();
    needs_token_ = false;
  }
  if (!token_.empty()) context.AddMetadata("token", token_);
  return grpc::Status::OK;
}

template <class Response, class Send>
EtcdResult<Response> GrpcEtcd::Connections::call(CallKind kind, const Send& send) {
  const auto until = steady_clock::now() + deadline_;
  std::size_t members_left = kind == CallKind::once ? 1 : members_.size();
  bool may_sign_in_again = true;
  while (true) {
    const std::size_t at = current_;
    const auto limit = steady_clock::now() + time_until(until) / members_left;
    grpc::ClientContext context;
    context.set_deadline(grpc_time(limit));
    Response response;
    member(at).reconnect(limit);
    grpc::Status status;
    if (kind == CallKind::local) {
      add_token(context);
    } else {
      status = prepare(member(at), context, limit);
    }
    if (status.ok()) status = send(member(at), context, response);
    if (status.ok()) return response;
    if (is_old_token(status) && std::exchange(may_sign_in_again, false) && drop_token()) continue;
    if (kind_of(status) == EtcdError::Kind::unknown) leave(at);
    if (kind_of(status) != EtcdError::Kind::unknown || members_left == 1) {
      return member(at).error(status, until);
    }
    --members_left;
  }
}

namespace {

// The request for the status of one member, which may not answer.
class StatusCall {
 public:
  // `known`: the configured member with one of its addresses, or nullptr.
  StatusCall(const pb::Member& listed, Member* known, const EtcdTls& tls) {
    member_.name = listed.name();
    id_ = listed.id();
    if (listed.client_urls().empty()) {
      member_.error = "it has never started";
      return;
    }
    member_.endpoint = known != nullptr ? known->endpoint() : listed.client_urls(0);
    asked_ = known;
    const auto address = parse_etcd_endpoint(member_.endpoint);
    if (known != nullptr) return;
    if (!address || (address->secure && tls.ca.empty())) {
      member_.error = "this node may not connect to " + member_.endpoint;
      return;
    }
    own_ = std::make_unique<Member>(*address, tls);
    asked_ = own_.get();
  }

  [[nodiscard]] grpc::ClientContext& context() { return context_; }
  [[nodiscard]] const Member* asked() const { return asked_; }
  [[nodiscard]] std::uint64_t id() const { return id_; }
  // The member that this one takes for the leader; 0: none, or it does not answer.
  [[nodiscard]] std::uint64_t leader() const { return status_.ok() ? answer_.leader() : 0; }
  void start(grpc::CompletionQueue& queue, steady_clock::time_point until) {
    if (asked_ == nullptr) return;
    asked_->reconnect(until);
    context_.set_deadline(grpc_time(until));
    reader_ = asked_->maintenance->AsyncStatus(&context_, {}, &queue);
    reader_->Finish(&answer_, &status_, nullptr);
  }
  // REQUIRES: the queue is empty.
  [[nodiscard]] EtcdMember member(steady_clock::time_point until) {
    if (asked_ == nullptr) return member_;
    if (!status_.ok()) {
      member_.error = asked_->error(status_, until).words;
      return member_;
    }
    member_.version = answer_.version();
    member_.is_leader = answer_.leader() == id_;
    member_.store_bytes = answer_.db_size_in_use();
    for (const std::string& error : answer_.errors()) {
      member_.error += (member_.error.empty() ? "" : "; ") + error;
    }
    member_.is_healthy = answer_.leader() != 0 && member_.error.empty();
    return member_;
  }

 private:
  EtcdMember member_;
  std::uint64_t id_ = 0;
  std::unique_ptr<Member> own_;
  Member* asked_ = nullptr;
  grpc::ClientContext context_;
  pb::StatusResponse answer_;
  grpc::Status status_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<pb::StatusResponse>> reader_;
};

}  // namespace

// One stream, and a thread that receives from it.
class GrpcEtcd::Watch final : public EtcdWatch {
 public:
  Watch(Connections& connections, EtcdRange range, EtcdRevision from);
  ~Watch() override;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] EtcdResult<std::vector<EtcdEvent>> next(milliseconds timeout) override;

 private:
  using Stream = grpc::ClientAsyncReaderWriter<pb::WatchRequest, pb::WatchResponse>;
  // Tags of the queue.
  enum Step : std::uint8_t { started, wrote, received, finished };
  static void* tag(Step step) {
    static std::array<char, 4> tags{};
    return &tags.at(step);
  }

  void run();
  // Receives until the stream ends. Returns why it ended.
  [[nodiscard]] EtcdError follow();
  // nullopt: the stream's status says why it ended.
  [[nodiscard]] std::optional<EtcdError> converse(Stream& stream, grpc::CompletionQueue& queue,
                                                  pb::WatchResponse& answer);
  // Returns why the watch is over, if it is.
  [[nodiscard]] std::optional<EtcdError> take(pb::WatchResponse& answer);
  void deliver(std::size_t count);
  // Tells that something was delivered, and waits until more may be received.
  void gather();

  Connections& connections_;
  const EtcdRange range_;
  EtcdRevision from_;
  std::string endpoint_;            // of the thread
  std::vector<EtcdEvent> partial_;  // of the thread: the rest of their revision may follow

  std::mutex mutex_;
  std::condition_variable came_;
  std::condition_variable taken_;
  std::vector<EtcdEvent> events_;
  std::size_t bytes_ = 0;  // of the events
  std::optional<EtcdError> error_;
  std::exception_ptr failure_;              // of the thread, with error_
  grpc::ClientContext* context_ = nullptr;  // of the stream, if there is one
  bool stops_ = false;
  std::thread thread_;  // last member: it uses all of the above
};

GrpcEtcd::Watch::Watch(Connections& connections, EtcdRange range, EtcdRevision from)
    : connections_(connections),
      range_(std::move(range)),
      from_(from),
      thread_([this] { run(); }) {}

GrpcEtcd::Watch::~Watch() {
  {
    const std::lock_guard held(mutex_);
    stops_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  taken_.notify_one();
  thread_.join();
}

EtcdResult<std::vector<EtcdEvent>> GrpcEtcd::Watch::next(milliseconds timeout) {
  std::unique_lock held(mutex_);
  came_.wait_for(held, timeout, [this] { return !events_.empty() || error_; });
  if (failure_) std::rethrow_exception(failure_);
  if (events_.empty() && error_) return *error_;
  bytes_ = 0;
  std::vector<EtcdEvent> events = std::exchange(events_, {});
  held.unlock();
  taken_.notify_one();
  return events;
}

void GrpcEtcd::Watch::run() {
  EtcdError error;
  std::exception_ptr failure;
  try {
    error = follow();
    // etcd says the same to a user who may not read the keys, and to a token that it does not know.
    if (error.kind == EtcdError::Kind::refused && connections_.drop_token()) error = follow();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard held(mutex_);
  error_ = std::move(error);
  failure_ = failure;
  came_.notify_all();
}

EtcdError GrpcEtcd::Watch::follow() {
  const std::size_t at = connections_.current();
  Member& member = connections_.member(at);
  endpoint_ = member.endpoint();
  partial_.clear();
  grpc::ClientContext context;
  const auto until = steady_clock::now() + connections_.deadline();
  member.reconnect(until);
  grpc::Status status = connections_.prepare(member, context, until);
  if (!status.ok()) {
    if (kind_of(status) == EtcdError::Kind::unknown) connections_.leave(at);
    return member.error(status, until);
  }
  {
    const std::lock_guard held(mutex_);
    context_ = &context;
    if (stops_) context.TryCancel();
  }
  grpc::CompletionQueue queue;
  pb::WatchResponse answer;
  const auto stream = member.watch->PrepareAsyncWatch(&context, &queue);
  std::optional<EtcdError> why = converse(*stream, queue, answer);
  if (why) context.TryCancel();
  stream->Finish(&status, tag(finished));
  queue.Shutdown();
  void* step = nullptr;
  bool is_good = false;
  while (queue.Next(&step, &is_good)) {
  }
  bool stops = false;
  {
    const std::lock_guard held(mutex_);
    context_ = nullptr;
    stops = stops_;
  }
  if (stops) return {EtcdError::Kind::unknown, "the watch was ended"};
  if (!why) why = member.error(status, steady_clock::now() + connections_.deadline());
  if (why->kind == EtcdError::Kind::unknown) connections_.leave(at);
  return *why;
}

std::optional<EtcdError> GrpcEtcd::Watch::converse(Stream& stream, grpc::CompletionQueue& queue,
                                                   pb::WatchResponse& answer) {
  pb::WatchRequest create, ask;
  create.mutable_create_request()->set_key(range_.first);
  create.mutable_create_request()->set_range_end(range_.end);
  create.mutable_create_request()->set_start_revision(from_);
  create.mutable_create_request()->set_fragment(true);
  ask.mutable_progress_request();
  const milliseconds pause = connections_.deadline() / signs_of_life;
  auto heard = steady_clock::now();
  bool may_write = false, has_news = false;
  stream.StartCall(tag(started));
  while (true) {
    void* step = nullptr;
    bool is_good = false;
    const auto until = steady_clock::now() + (has_news ? milliseconds(0) : pause);
    const auto next = queue.AsyncNext(&step, &is_good, grpc_time(until));
    if (next == grpc::CompletionQueue::TIMEOUT) {
      if (std::exchange(has_news, false)) {
        gather();
        continue;
      }
      if (steady_clock::now() - heard >= connections_.deadline()) {
        return EtcdError{EtcdError::Kind::unknown,
                         "etcd at " + endpoint_ + ": the watch is silent"};
      }
      if (std::exchange(may_write, false)) stream.Write(ask, tag(wrote));
      continue;
    }
    if (!is_good) return std::nullopt;
    if (step == tag(wrote)) {
      may_write = true;
      continue;
    }
    if (step == tag(started)) {
      stream.Write(create, tag(wrote));
    } else {
      if (auto why = take(answer)) return why;
      has_news = true;
    }
    heard = steady_clock::now();
    stream.Read(&answer, tag(received));
  }
}

std::optional<EtcdError> GrpcEtcd::Watch::take(pb::WatchResponse& answer) {
  if (answer.compact_revision() != 0) {
    return EtcdError{EtcdError::Kind::compacted,
                     "etcd at " + endpoint_ + ": the changes before revision " +
                         std::to_string(answer.compact_revision()) + " are compacted"};
  }
  if (answer.canceled()) {
    const grpc::Status reason(grpc::StatusCode::UNKNOWN, answer.cancel_reason());
    return EtcdError{
        says(reason, "permission denied") ? EtcdError::Kind::refused : EtcdError::Kind::unknown,
        "etcd at " + endpoint_ + ": " + words_of(reason)};
  }
  for (pb::Event& event : *answer.mutable_events()) partial_.push_back(event_of(event));
  std::size_t complete = partial_.size();
  // In a part of an answer, the last revision may be incomplete.
  while (answer.fragment() && complete > 0 &&
         partial_[complete - 1].value.modified == partial_.back().value.modified) {
    --complete;
  }
  if (complete > 0) deliver(complete);
  return std::nullopt;
}

void GrpcEtcd::Watch::deliver(std::size_t count) {
  std::unique_lock held(mutex_);
  const auto end = partial_.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto event = partial_.begin(); event != end; ++event) {
    bytes_ += sizeof(EtcdEvent) + event->value.key.size() + event->value.value.size();
    from_ = event->value.modified + 1;
    events_.push_back(std::move(*event));
  }
  partial_.erase(partial_.begin(), end);
  if (bytes_ > gathered_bytes_max) came_.notify_all();
  taken_.wait(held, [this] { return stops_ || bytes_ <= watched_bytes_max; });
}

void GrpcEtcd::Watch::gather() {
  std::unique_lock held(mutex_);
  came_.notify_all();
  taken_.wait_for(held, gathering_time, [this] { return stops_; });
}

GrpcEtcd::GrpcEtcd(const EtcdSettings& settings)
    : connections_(std::make_unique<Connections>(settings)) {}

GrpcEtcd::~GrpcEtcd() = default;

EtcdResult<EtcdValues> GrpcEtcd::read(const EtcdRange& range, std::size_t limit) {
  pb::RangeRequest request;
  request.set_key(range.first);
  request.set_range_end(range.end);
  request.set_limit(static_cast<std::int64_t>(limit));
  auto response = connections_->call<pb::RangeResponse>(
      CallKind::repeatable, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        return member.kv->Range(&context, request, &answer);
      });
  if (!response) return response.error();
  EtcdValues values{{}, response->header().revision(), response->more()};
  for (pb::KeyValue& one : *(*response).mutable_kvs()) values.values.push_back(value_of(one));
  return values;
}

EtcdResult<EtcdCommit> GrpcEtcd::commit(const EtcdTransaction& transaction) {
  const pb::TxnRequest request = request_of(transaction);
  const auto response = connections_->call<pb::TxnResponse>(
      CallKind::once, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        return member.kv->Txn(&context, request, &answer);
      });
  if (!response) return response.error();
  return EtcdCommit{response->succeeded(), response->header().revision()};
}

EtcdResult<EtcdRevision> GrpcEtcd::compact(EtcdRevision revision) {
  pb::CompactionRequest request;
  request.set_revision(revision);
  const auto response = connections_->call<pb::CompactionResponse>(
      CallKind::repeatable, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        return member.kv->Compact(&context, request, &answer);
      });
  if (!response && response.error().kind != EtcdError::Kind::compacted) return response.error();
  return revision;
}

EtcdResult<EtcdLease> GrpcEtcd::grant_lease(std::chrono::seconds time) {
  pb::LeaseGrantRequest request;
  request.set_ttl(time.count());
  const auto response = connections_->call<pb::LeaseGrantResponse>(
      CallKind::once, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        return member.lease->LeaseGrant(&context, request, &answer);
      });
  if (!response) return response.error();
  return response->id();
}

EtcdResult<std::chrono::seconds> GrpcEtcd::renew_lease(EtcdLease lease) {
  pb::LeaseKeepAliveRequest request;
  request.set_id(lease);
  const auto response = connections_->call<pb::LeaseKeepAliveResponse>(
      CallKind::repeatable, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        const auto stream = member.lease->LeaseKeepAlive(&context);
        const bool is_answered = stream->Write(request) && stream->Read(&answer);
        stream->WritesDone();
        const grpc::Status status = stream->Finish();
        if (is_answered) return grpc::Status::OK;
        return status.ok() ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "no answer") : status;
      });
  if (!response) return response.error();
  return std::chrono::seconds(std::max<std::int64_t>(0, response->ttl()));
}

EtcdResult<bool> GrpcEtcd::end_lease(EtcdLease lease) {
  pb::LeaseRevokeRequest request;
  request.set_id(lease);
  const auto response = connections_->call<pb::LeaseRevokeResponse>(
      CallKind::repeatable, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        const grpc::Status status = member.lease->LeaseRevoke(&context, request, &answer);
        return is_refusal(status) && says(status, "lease not found") ? grpc::Status::OK : status;
      });
  if (!response) return response.error();
  return true;
}

std::unique_ptr<EtcdWatch> GrpcEtcd::watch(const EtcdRange& range, EtcdRevision from) {
  INVARIANT(from >= 1);
  return std::make_unique<Watch>(*connections_, range, from);
}

EtcdResult<std::vector<EtcdMember>> GrpcEtcd::members() {
  const auto until = steady_clock::now() + connections_->deadline();
  const auto list = connections_->call<pb::MemberListResponse>(
      CallKind::local, [&](Member& member, grpc::ClientContext& context, auto& answer) {
        return member.cluster->MemberList(&context, {}, &answer);
      });
  if (!list) return list.error();
  grpc::CompletionQueue queue;
  std::vector<std::unique_ptr<StatusCall>> calls;
  for (const pb::Member& one : list->members()) {
    Member* known = nullptr;
    for (const std::string& url : one.client_urls()) {
      if (known == nullptr) known = connections_->find(url);
    }
    calls.push_back(std::make_unique<StatusCall>(one, known, connections_->tls()));
    connections_->add_token(calls.back()->context());
    calls.back()->start(queue, until);
  }
  queue.Shutdown();
  void* tag = nullptr;
  bool is_good = false;
  while (queue.Next(&tag, &is_good)) {
  }
  std::vector<EtcdMember> members;
  members.reserve(calls.size());
  for (const auto& call : calls) {
    members.push_back(call->member(until));
    // One that only takes itself for the leader may be an old one.
    const auto votes = std::count_if(calls.begin(), calls.end(), [&call](const auto& other) {
      return other->leader() == call->id();
    });
    const bool is_leader = 2 * static_cast<std::size_t>(votes) > calls.size();
    if (is_leader && members.back().is_healthy) connections_->prefer(call->asked());
  }
  return members;
}

}  // namespace linkmeter
