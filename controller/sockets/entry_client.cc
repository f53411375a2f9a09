#include "controller/sockets/entry_client.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "controller/sockets/node_socket.h"
#include "controller/store/hash_chain.h"
#include "meters/values/invariant.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/head_text.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds stop_look_interval{100};  // for a stop
constexpr milliseconds ask_again_after{100};     // a node may get the entries soon

// A node gives entries that are not those of this journal.
class WrongEntries : public Fault {
  using Fault::Fault;
};

}  // namespace

// One node that is asked.
class EntryClient::Connection {
 public:
  Connection(zmq::context_t& context, const KeyPair& keys, const Source& source,
             const Bounds& bounds, const std::atomic<bool>& stops)
      : source_(source),
        bounds_(bounds),
        stops_(stops),
        socket_(node_socket(context, keys, source.endpoint, source.key)) {}

  // The entries after `from`, at least one and at most up to `last`, with their hashes. Empty: the
  // node gave none in time.
  std::vector<StoredEntry> read(const Head& from, EntryNumber last) {
    const auto until = std::chrono::steady_clock::now() + bounds_.answer_max;
    const EntryRequest request{from.entry.next(), last, bounds_.piece_bytes};
    socket_.send(zmq::buffer(encode(request)), zmq::send_flags::dontwait);
    while (!stops_ && std::chrono::steady_clock::now() < until) {
      const auto answer = receive();
      if (!answer) continue;
      const auto reply = decode_entry_reply(*answer);
      if (!reply || reply->entries.size() > last.value() - from.entry.value() ||
          (!reply->entries.empty() && reply->first != request.from)) {
        return {};
      }
      if (!reply->entries.empty()) return chained(from, reply->entries);
      std::this_thread::sleep_for(ask_again_after);
      socket_.send(zmq::buffer(encode(request)), zmq::send_flags::dontwait);
    }
    return {};
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw WrongEntries("node " + source_.node + " at " + source_.endpoint + ": " + why);
  }

 private:
  std::optional<std::string> receive() {
    zmq::pollitem_t item{socket_.handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, stop_look_interval);
    zmq::message_t answer;
    if (!socket_.recv(answer, zmq::recv_flags::dontwait)) return std::nullopt;
    return answer.to_string();
  }

  static std::vector<StoredEntry> chained(Head head, std::vector<std::string> entries) {
    std::vector<StoredEntry> chain;
    for (std::string& bytes : entries) {
      const EntryNumber number = head.entry.next();
      head = {number, chain_hash(head.hash, number, bytes)};
      chain.push_back({number, head.hash, std::move(bytes)});
    }
    return chain;
  }

  const Source source_;
  const Bounds& bounds_;
  const std::atomic<bool>& stops_;
  zmq::socket_t socket_;
};

EntryClient::~EntryClient() { stop(); }

void EntryClient::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard held(mutex_);
    stops_ = true;
  }
  room_.notify_all();
  thread_.join();
}

void EntryClient::begin(Request request) {
  INVARIANT(!is_busy_ && request.from.entry < request.target.entry);
  stop();
  stops_ = false;
  is_over_ = false;
  is_busy_ = true;
  thread_ = std::thread([this, request = std::move(request)] { run(request); });
}

EntryClient::Progress EntryClient::take() {
  const std::lock_guard held(mutex_);
  ready_.clear();
  Progress progress;
  if (!pieces_.empty()) {
    progress.entries = std::move(pieces_.front());
    pieces_.pop_front();
    room_.notify_all();
    if (is_over_ || !pieces_.empty()) ready_.signal();
    return progress;
  }
  if (!is_over_ || !is_busy_) return progress;
  is_busy_ = false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  progress.is_over = true;
  progress.failure = why_;
  return progress;
}

// ---- on its own thread ------------------------------------------------------------------------

void EntryClient::run(const Request& request) {
  std::string why;
  std::exception_ptr failure;
  try {
    const ReadingScope reads;
    why = fetch(request);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard held(mutex_);
  why_ = std::move(why);
  failure_ = failure;
  is_over_ = true;
  ready_.signal();
}

std::string EntryClient::fetch(const Request& request) {
  std::optional<std::deque<Mark>> marks;
  Head reached = request.from;
  std::string why;
  for (const Source& source : request.sources) {
    try {
      Connection connection(context_, keys_, source, bounds_, stops_);
      if (!marks) marks = verify(connection, request);
      if (marks && deliver(connection, *marks, reached)) return "";
      why += "node " + source.node + " at " + source.endpoint + " does not give them in time; ";
    } catch (const WrongEntries& wrong) {
      spdlog::warn("{}; another node is asked", wrong.what());
      why += std::string(wrong.what()) + "; ";
    } catch (const zmq::error_t& error) {
      why += "node " + source.node + " at " + source.endpoint + ": " + error.what() + "; ";
    }
    if (stops_) break;
  }
  if (why.empty()) return "no running node has them";
  return why.substr(0, why.size() - 2);
}

std::optional<std::deque<EntryClient::Mark>> EntryClient::verify(Connection& from,
                                                                 const Request& request) const {
  std::deque<Mark> marks;
  Mark mark{request.from, 0};
  while (mark.head.entry < request.target.entry) {
    const std::vector<StoredEntry> entries = from.read(mark.head, request.target.entry);
    if (entries.empty()) return std::nullopt;
    for (const StoredEntry& entry : entries) mark.bytes += entry.bytes.size();
    mark.head = {entries.back().number, entries.back().hash};
    if (mark.bytes < bounds_.piece_bytes / 2 && mark.head.entry < request.target.entry) continue;
    marks.push_back(std::exchange(mark, {mark.head, 0}));
  }
  if (mark.head.hash != request.target.hash) {
    from.refuse("its entries do not lead from this journal's head " + text(request.from) +
                " to the head in etcd " + text(request.target) +
                ": one of the two journals is another one, or was changed");
  }
  return marks;
}

bool EntryClient::deliver(Connection& from, std::deque<Mark>& marks, Head& reached) {
  for (; !marks.empty(); marks.pop_front()) {
    const Mark& mark = marks.front();
    std::vector<StoredEntry> piece;
    std::size_t bytes = 0;
    for (Head at = reached; at.entry < mark.head.entry;) {
      std::vector<StoredEntry> entries = from.read(at, mark.head.entry);
      if (entries.empty()) return false;
      at = {entries.back().number, entries.back().hash};
      for (StoredEntry& entry : entries) {
        bytes += entry.bytes.size();
        piece.push_back(std::move(entry));
      }
      const bool is_whole = at.entry == mark.head.entry;
      if (bytes > mark.bytes || (is_whole && at != mark.head)) {
        from.refuse("its entries up to " + text(at) + " are not those of this journal, which has " +
                    text(mark.head));
      }
    }
    reached = mark.head;
    hand_out(std::move(piece));
    if (stops_) return false;
  }
  return true;
}

void EntryClient::hand_out(std::vector<StoredEntry> piece) {
  std::unique_lock held(mutex_);
  room_.wait(held, [this] { return stops_ || pieces_.size() < bounds_.pieces_waiting_max; });
  pieces_.push_back(std::move(piece));
  ready_.signal();
}

}  // namespace linkmeter
