// EntryServer: gives the journal's entries to other nodes that lack them, because etcd keeps only
// the last ones; and files that the journal names by hash (ZeroMQ ROUTER; proto/cluster.proto). It
// has its own thread and ZeroMQ context, so that a node that reads the whole journal does not slow
// the tables.
//
// Laws: only keys that are enrolled as nodes may connect, and each request's key is checked again.
// The connections of one key, and all together, are bounded; the oldest make room.
// It reads what is durable and changes nothing. An answer has at most about
// limits::entry_batch_bytes_max bytes, or a single longer entry, whatever was asked; a file has at
// most limits::node_file_bytes_max. A request names a file by number or date and by its hash, never
// by a path, and only a file with that hash is given. It never waits for a node: an answer that
// cannot be sent is dropped, and the node asks again.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <zmq.hpp>

#include "controller/sockets/table_socket.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/store/journal.h"
#include "controller/turn/service.h"
#include "meters/values/enrolment.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/credentials.h"
#include "proto/host/wakeup.h"

namespace linkmeter {

class EntryServer final : public Service {
 public:
  // Returns the content of a file, and does not check its hash. nullopt: the file does not exist.
  // The server's thread calls it.
  using ReadFile = std::function<std::optional<std::string>(const NamedFile& file)>;

  // Listens at once, e.g. at "tcp://0.0.0.0:6061". `keys` are this node's own. Throws Fault.
  // REQUIRES: made after ShutdownSignal; `journal` outlives this, and may be read by a thread other
  // than the writer.
  EntryServer(const KeyPair& keys, const std::string& endpoint, const Journal& journal,
              const Enrolments& enrolments, ReadFile read_file,
              const ZapAuthenticator::ViewerBounds& bounds = ZapAuthenticator::node_bounds);
  EntryServer(const EntryServer&) = delete;
  EntryServer& operator=(const EntryServer&) = delete;
  ~EntryServer() override;

  // The bound address, with the port that replaced a "*".
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  [[nodiscard]] ZapAuthenticator::Counts counts() const { return admission_.counts(); }

  void on_turn(const CommittedTurn& done) override;
  // Logs refused connections. Throws Fault if the journal could not be read.
  void serve(Moment now) override;

 private:
  void admit(const Enrolments& enrolments);
  void run();
  void answer_waiting();
  [[nodiscard]] bool is_admitted(const std::string& key);
  // The reply's bytes.
  [[nodiscard]] std::string answer(const std::string& request) const;
  [[nodiscard]] EntryReply entries(const std::string& request) const;

  const Journal& journal_;
  const ReadFile read_file_;
  zmq::context_t context_;
  ZapAuthenticator admission_;
  TableSocket socket_;  // owned by the thread once it runs
  const std::string endpoint_;
  Wakeup stop_;

  std::mutex mutex_;
  std::set<std::string> keys_;  // of nodes
  std::exception_ptr failure_;

  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace linkmeter
