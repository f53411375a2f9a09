// EntryClient: gets the entries that this node lacks and etcd no longer has from another node
// (entry_server.h), on its own thread.
//
// Laws: it hands out only entries that the hash chain connects from this node's head to the head in
// etcd. Only the last hash proves the others, so it reads everything twice: once to verify, keeping
// the hash at every piece's end; and once to hand out the pieces, each only if it has that hash.
// The pieces that wait are bounded. Nodes are tried in turn: one that does not answer in time is
// passed over, and so is one whose entries have another hash, with a warning that names it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "controller/store/journal.h"
#include "meters/values/limits.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "proto/host/wakeup.h"

namespace linkmeter {

class EntryClient {
 public:
  struct Source {
    std::string node;
    std::string endpoint;
    std::string key;  // its public key, as enrolled
  };
  struct Request {
    Head from;    // this node's head
    Head target;  // the head in etcd; after `from`
    std::vector<Source> sources;
  };
  struct Bounds {
    std::chrono::milliseconds answer_max{5'000};  // for one answer that has entries
    std::size_t piece_bytes = limits::entry_batch_bytes_max;
    std::size_t pieces_waiting_max = 4;
  };
  struct Progress {
    std::vector<StoredEntry> entries;  // the next piece
    bool is_over = false;              // nothing more comes; begin() may be called again
    std::string failure;               // why not all came; "": all did
  };

  // `keys` are this node's own.
  explicit EntryClient(KeyPair keys) : EntryClient(std::move(keys), Bounds{}) {}
  EntryClient(KeyPair keys, const Bounds& bounds) : keys_(std::move(keys)), bounds_(bounds) {}
  EntryClient(const EntryClient&) = delete;
  EntryClient& operator=(const EntryClient&) = delete;
  ~EntryClient();

  // REQUIRES: !is_busy(); made after ShutdownSignal.
  void begin(Request request);
  // Whether take() has not reported the end of what was begun.
  [[nodiscard]] bool is_busy() const { return is_busy_; }
  // Readable when there is progress.
  [[nodiscard]] int descriptor() const { return ready_.descriptor(); }
  // Throws whatever ended the thread.
  [[nodiscard]] Progress take();

 private:
  class Connection;
  // The end of a verified piece.
  struct Mark {
    Head head;
    std::size_t bytes = 0;
  };

  void stop();
  void run(const Request& request);
  // Returns why not all came.
  std::string fetch(const Request& request);
  // Reads everything and returns the ends of its pieces. nullopt: the node does not give all.
  [[nodiscard]] std::optional<std::deque<Mark>> verify(Connection& from,
                                                       const Request& request) const;
  // Hands out the pieces from `reached` on, and moves it. False: the node does not give all.
  [[nodiscard]] bool deliver(Connection& from, std::deque<Mark>& marks, Head& reached);
  void hand_out(std::vector<StoredEntry> piece);

  const KeyPair keys_;
  const Bounds bounds_;
  zmq::context_t context_;
  Wakeup ready_;
  bool is_busy_ = false;

  std::mutex mutex_;
  std::condition_variable room_;
  std::deque<std::vector<StoredEntry>> pieces_;
  bool is_over_ = false;
  std::string why_;
  std::exception_ptr failure_;
  std::atomic<bool> stops_ = false;

  std::thread thread_;
};

}  // namespace linkmeter
