#include "controller/sockets/staff_server.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>

#include "controller/turn/operator_reply.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/snapshot_codec.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

constexpr int length_bytes = 4;
constexpr std::size_t users_remembered_max = 4'096;

std::string framed(const std::string& bytes) {
  return big_endian(bytes.size(), length_bytes) + bytes;
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

StaffServer::StaffServer(const StaffSocket& socket, MakeSnapshot make)
    : StaffServer(socket, std::move(make), Bounds()) {}

StaffServer::StaffServer(const StaffSocket& socket, MakeSnapshot make, Bounds bounds)
    : socket_(socket), make_(std::move(make)), bounds_(bounds), thread_([this] { run(); }) {}

StaffServer::~StaffServer() {
  {
    const std::lock_guard held(mutex_);
    stops_ = true;
  }
  woken_.signal();
  thread_.join();
}

std::vector<StaffServer::Request> StaffServer::take(std::size_t count_max) {
  std::vector<Request> taken;
  const std::lock_guard held(mutex_);
  while (!requests_.empty() && taken.size() < count_max) {
    taken.push_back(std::move(requests_.front()));
    requests_.pop_front();
  }
  if (requests_.empty()) asked_.clear();
  return taken;
}

void StaffServer::reply(std::uint64_t connection, std::string bytes) {
  {
    const std::lock_guard held(mutex_);
    replies_.emplace_back(connection, std::move(bytes));
  }
  woken_.signal();
}

// ---- on the server's thread -------------------------------------------------------------------

void StaffServer::run() {
  constexpr int nice_value = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
  while (take_replies()) {
    give_snapshot();
    await();
  }
}

bool StaffServer::take_replies() {
  std::deque<std::pair<std::uint64_t, std::string>> replies;
  bool stops = false;
  {
    const std::lock_guard held(mutex_);
    replies.swap(replies_);
    stops = stops_;
  }
  for (auto& [number, bytes] : replies) {
    const auto found = connections_.find(number);
    if (found == connections_.end()) continue;
    answer(found->second, std::move(bytes));
    if (!write(found->second)) connections_.erase(found);
  }
  return !stops;
}

void StaffServer::answer(Connection& connection, std::string bytes) const {
  connection.bytes = framed(bytes);
  connection.sent = 0;
  connection.stage = Stage::is_answered;
  connection.due = Clock::now() + bounds_.reply_max;
}

StaffServer::Connections::iterator StaffServer::next_for_snapshot() {
  std::map<uid_t, std::size_t> sending;
  std::size_t count = 0;
  for (const auto& [number, connection] : connections_) {
    if (!connection.has_snapshot) continue;
    ++sending[connection.user];
    ++count;
  }
  auto next = connections_.end();
  if (count >= bounds_.snapshots_max) return next;
  for (auto at = connections_.begin(); at != connections_.end(); ++at) {
    const Connection& one = at->second;
    if (one.stage != Stage::waits_for_snapshot || sending.contains(one.user)) continue;
    if (next == connections_.end() || served_[one.user] < served_[next->second.user]) next = at;
  }
  return next;
}

// Sends one snapshot at a time, so that other connections wait for no more than one.
void StaffServer::give_snapshot() {
  const auto next = next_for_snapshot();
  if (next == connections_.end()) return;
  Connection& connection = next->second;
  if (served_.size() >= users_remembered_max) served_.clear();
  served_[connection.user] = ++served_count_;
  try {
    const ReadingScope reads;
    answer(connection, make_());
    connection.has_snapshot = true;
  } catch (const std::exception& error) {
    spdlog::error("the state cannot be read for the staff socket: {}", error.what());
    connections_.erase(next);
    return;
  }
  if (!write(connection)) connections_.erase(next);
}

void StaffServer::await() {
  std::vector<pollfd> polled{{woken_.descriptor(), POLLIN, 0}, {socket_.descriptor(), POLLIN, 0}};
  std::vector<std::uint64_t> numbers;
  Clock::time_point first_due = Clock::time_point::max();
  for (const auto& [number, connection] : connections_) {
    const bool asks = connection.stage == Stage::asks;
    if (!asks && connection.stage != Stage::is_answered) continue;
    polled.push_back({connection.socket.get(), static_cast<short>(asks ? POLLIN : POLLOUT), 0});
    numbers.push_back(number);
    first_due = std::min(first_due, connection.due);
  }
  auto wait = milliseconds(-1);
  if (!numbers.empty()) {
    wait = std::max(milliseconds(0), std::chrono::ceil<milliseconds>(first_due - Clock::now()));
  }
  if (next_for_snapshot() != connections_.end()) wait = milliseconds(0);
  if (::poll(polled.data(), polled.size(), static_cast<int>(wait.count())) < 0) return;
  if (polled[0].revents != 0) woken_.clear();
  const Clock::time_point now = Clock::now();
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    const auto found = connections_.find(numbers[at]);
    Connection& connection = found->second;
    bool stays = now < connection.due;
    if (stays && polled[at + 2].revents != 0) {
      stays = connection.stage == Stage::asks ? read(found->first, connection) : write(connection);
    }
    if (!stays) connections_.erase(found);
  }
  if (polled[1].revents != 0) accept_waiting();
}

void StaffServer::accept_waiting() {
  constexpr int at_once_max = 64;
  for (int taken = 0; taken < at_once_max; ++taken) {
    FileDescriptor socket(
        ::accept4(socket_.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.is_open()) {
      admit(std::move(socket));
    } else if (errno != ECONNABORTED && errno != EINTR) {
      // Without free descriptors accept() would fail again at once, in a busy loop.
      constexpr milliseconds pause{100};
      if (!would_block()) std::this_thread::sleep_for(pause);
      return;
    }
  }
}

void StaffServer::admit(FileDescriptor socket) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return;
  const auto own = std::count_if(connections_.begin(), connections_.end(),
                                 [&](const auto& one) { return one.second.user == peer.uid; });
  if (connections_.size() >= bounds_.connections_max ||
      static_cast<std::size_t>(own) >= bounds_.connections_of_user_max) {
    return refuse(socket, peer.uid);
  }
  Connection& connection = connections_[++last_number_];
  connection.socket = std::move(socket);
  connection.user = peer.uid;
  connection.due = Clock::now() + bounds_.request_max;
}

void StaffServer::refuse(const FileDescriptor& socket, uid_t user) {
  const std::string no = framed(encode(refusal_reply(Refusal::too_many_requests)));
  ::send(socket.get(), no.data(), no.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ++refused_count_;
  constexpr std::chrono::seconds between_warnings{1};
  const Clock::time_point now = Clock::now();
  if (now < warned_ + between_warnings) return;
  warned_ = now;
  spdlog::warn("refused staff uid={} refusal={}: {} connections were refused since the start", user,
               name(Refusal::too_many_requests), refused_count_.load());
}

bool StaffServer::read(std::uint64_t number, Connection& connection) {
  std::array<char, std::size_t{16} << 10U> chunk{};
  const ssize_t count = ::recv(connection.socket.get(), chunk.data(), chunk.size(), 0);
  if (count < 0) return would_block();
  if (count == 0) return false;
  std::string& bytes = connection.bytes;
  bytes.append(chunk.data(), static_cast<std::size_t>(count));
  ::explicit_bzero(chunk.data(), chunk.size());  // it may contain a PIN
  if (bytes.size() < length_bytes) return true;
  const std::uint64_t length = from_big_endian(std::string_view(bytes).substr(0, length_bytes));
  if (length == 0 || length > limits::control_request_bytes_max) return false;
  if (bytes.size() < length_bytes + length) return true;
  std::string request = bytes.substr(length_bytes, length);
  forget(bytes);
  if (is_snapshot_request(request)) {
    connection.stage = Stage::waits_for_snapshot;
    return true;
  }
  connection.stage = Stage::waits;
  {
    const std::lock_guard held(mutex_);
    requests_.push_back({number, connection.user, std::move(request)});
  }
  asked_.signal();
  return true;
}

bool StaffServer::write(Connection& connection) {
  while (connection.sent < connection.bytes.size()) {
    const ssize_t count =
        ::send(connection.socket.get(), connection.bytes.data() + connection.sent,
               connection.bytes.size() - connection.sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return would_block();
    connection.sent += static_cast<std::size_t>(count);
  }
  return false;  // everything is sent
}

}  // namespace linkmeter
