#include "controller/sockets/entry_server.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "controller/store/hash_chain.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

// A request is three numbers, or a number or date and a hash. A node has one open request, so two
// wait while it asks again.
constexpr TableSocket::Bounds request_bounds{1'024, 2};
constexpr std::size_t requests_at_once = 16;

}  // namespace

EntryServer::EntryServer(const KeyPair& keys, const std::string& endpoint, const Journal& journal,
                         const Enrolments& enrolments, ReadFile read_file,
                         const ZapAuthenticator::ViewerBounds& bounds)
    : journal_(journal),
      read_file_(std::move(read_file)),
      admission_(context_, keys, /*operator_key=*/"", bounds),
      socket_(context_, admission_, endpoint, ZapAuthenticator::Domain::nodes, request_bounds),
      endpoint_(socket_.endpoint()) {
  admit(enrolments);
  thread_ = std::thread([this] { run(); });
}

EntryServer::~EntryServer() {
  stop_.signal();
  thread_.join();
}

void EntryServer::admit(const Enrolments& enrolments) {
  std::set<std::string> keys;
  for (const auto& [name, enrolment] : enrolments.all()) {
    if (enrolment.kind == EnrolmentKind::node) keys.insert(enrolment.key);
  }
  admission_.admit(enrolments);
  const std::lock_guard held(mutex_);
  keys_ = std::move(keys);
}

void EntryServer::on_turn(const CommittedTurn& done) {
  if (done.turn.enrolments_changed) admit(done.state.enrolments());
}

void EntryServer::serve(Moment /*now*/) {
  for (const std::string& line : admission_.take_log_lines()) spdlog::warn("refused {}", line);
  const std::lock_guard held(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

// ---- on the server's thread -------------------------------------------------------------------

void EntryServer::run() {
  constexpr int nice_value = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
  try {
    const ReadingScope reads;
    while (true) {
      std::array<zmq::pollitem_t, 2> items{{{nullptr, stop_.descriptor(), ZMQ_POLLIN, 0},
                                            {socket_.socket().handle(), 0, ZMQ_POLLIN, 0}}};
      zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
      if (items[0].revents != 0) return;
      answer_waiting();
    }
  } catch (...) {
    const std::lock_guard held(mutex_);
    failure_ = std::current_exception();
  }
}

void EntryServer::answer_waiting() {
  for (const InboundMessage& asked : socket_.drain(requests_at_once)) {
    if (!is_admitted(asked.key)) continue;
    socket_.reply({asked.peer, answer(asked.bytes)});
  }
}

bool EntryServer::is_admitted(const std::string& key) {
  const std::lock_guard held(mutex_);
  return keys_.contains(key);
}

std::string EntryServer::answer(const std::string& bytes) const {
  const auto asked = decode_file_request(bytes);
  if (!asked) return encode(entries(bytes));
  std::optional<std::string> file = read_file_(*asked);
  const bool is_it =
      file && file->size() <= limits::node_file_bytes_max && sha256(*file) == asked->digest;
  return encode_file_reply(is_it ? file : std::nullopt);
}

EntryReply EntryServer::entries(const std::string& bytes) const {
  const auto request = decode_entry_request(bytes);
  if (!request) return {};
  EntryReply reply{request->from, {}};
  const std::uint64_t bytes_max =
      std::min<std::uint64_t>(request->bytes_max, limits::entry_batch_bytes_max);
  std::uint64_t size = 0;
  journal_.read(request->from, [&](const StoredEntry& entry) {
    if (entry.number > request->up_to) return false;
    size += entry.bytes.size();
    if (!reply.entries.empty() && size > bytes_max) return false;
    reply.entries.push_back(entry.bytes);
    return size < bytes_max && reply.entries.size() < limits::entry_reply_entries_max;
  });
  return reply;
}

}  // namespace linkmeter
