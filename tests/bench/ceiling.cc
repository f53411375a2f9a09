// linkmeter-ceiling: what the network stack and the disk of this machine allow, without the
// product. One thread: a ROUTER with CURVE, the real frames decoded, integers added, an LMDB group
// commit of all waiting messages with default sync, acknowledgements after it. Each message writes
// one journal record and one link of a SHA-256 chain; state is written once for each turn. It has
// no rules, postings or refusals, and does not check identities.
//
// It takes the options of linkmeter-controller, so the same scripts can start it: --data names a
// folder that `linkmeter init` made, for the keys; it writes only DIR/ceiling. With --show it
// prints what is stored there and ends.
#include <lmdb.h>
#include <poll.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include <zmq.hpp>

#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/wire.pb.h"

namespace linkmeter::bench {
namespace {

constexpr std::size_t turn_messages_max = 4'096;
constexpr std::size_t map_bytes = std::size_t{64} << 30U;
// The rates of the benchmark's floor: three meters, parts per million of a wager.
constexpr std::array<std::int64_t, 3> rates_ppm{90'000, 70'000, 30'000};
constexpr std::int64_t units_per_cent = 1'000'000;

struct Totals {
  std::uint64_t entries = 0;
  std::uint64_t wagers = 0;
  std::array<std::int64_t, rates_ppm.size()> meters{};  // 10^-8 dollar
};

void require(int code, const char* doing) {
  if (code != MDB_SUCCESS) throw Fault(std::string("cannot ") + doing + ": " + mdb_strerror(code));
}

MDB_val value_of(const void* bytes, std::size_t size) { return {size, const_cast<void*>(bytes)}; }

std::array<std::uint8_t, 8> big_endian(std::uint64_t number) {
  std::array<std::uint8_t, 8> bytes{};
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<std::uint8_t>(number >> (56 - 8 * at));
  }
  return bytes;
}

class Store {
 public:
  explicit Store(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    require(mdb_env_create(&environment_), "make an environment");
    require(mdb_env_set_maxdbs(environment_, 2), "set the number of tables");
    require(mdb_env_set_mapsize(environment_, map_bytes), "set the map size");
    require(mdb_env_open(environment_, folder.c_str(), 0, 0600), "open the store");
    begin();
    require(mdb_dbi_open(transaction_, "journal", MDB_CREATE, &journal_), "open the journal");
    require(mdb_dbi_open(transaction_, "state", MDB_CREATE, &state_), "open the state");
    commit();
  }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store() { mdb_env_close(environment_); }

  void begin() {
    require(mdb_txn_begin(environment_, nullptr, 0, &transaction_), "begin a transaction");
  }
  void commit() { require(mdb_txn_commit(transaction_), "commit"); }

  void append(std::uint64_t entry, const Digest& hash, std::string_view bytes) {
    const auto number = big_endian(entry);
    MDB_val key = value_of(number.data(), number.size());
    MDB_val value{hash.size() + bytes.size(), nullptr};
    require(mdb_put(transaction_, journal_, &key, &value, MDB_APPEND | MDB_RESERVE), "append");
    std::memcpy(value.mv_data, hash.data(), hash.size());
    std::memcpy(static_cast<char*>(value.mv_data) + hash.size(), bytes.data(), bytes.size());
  }
  void put(std::string_view row, const void* bytes, std::size_t size) {
    MDB_val key = value_of(row.data(), row.size()), value = value_of(bytes, size);
    require(mdb_put(transaction_, state_, &key, &value, 0), "write a row");
  }
  [[nodiscard]] Totals totals() {
    begin();
    MDB_val key = value_of("totals", 6), value{};
    require(mdb_get(transaction_, state_, &key, &value), "read the totals");
    Totals read;
    if (value.mv_size != sizeof read) throw Fault("the totals are damaged");
    std::memcpy(&read, value.mv_data, sizeof read);
    MDB_stat status{};
    require(mdb_stat(transaction_, journal_, &status), "count the journal");
    mdb_txn_abort(transaction_);
    if (status.ms_entries != read.entries) throw Fault("the journal is not as long as it says");
    return read;
  }

 private:
  MDB_env* environment_ = nullptr;
  MDB_txn* transaction_ = nullptr;
  MDB_dbi journal_ = 0, state_ = 0;
};

// A connection: its table's last message, and the answer after the commit.
struct Peer {
  std::string table;
  std::uint64_t last_number = 0;
  wire::ToTable answer;
};

class Engine {
 public:
  Engine(const std::filesystem::path& data, const std::string& endpoint)
      : socket_(context_, zmq::socket_type::router), store_(data / "ceiling") {
    const Credentials own = read_credentials(data / "keys" / "controller.credentials");
    socket_.set(zmq::sockopt::curve_server, 1);
    socket_.set(zmq::sockopt::curve_secretkey, own.keys.secret_key);
    socket_.set(zmq::sockopt::rcvhwm, 0);
    socket_.set(zmq::sockopt::sndhwm, 0);
    socket_.set(zmq::sockopt::linger, 0);
    socket_.bind(endpoint);
  }

  [[nodiscard]] std::string endpoint() const { return socket_.get(zmq::sockopt::last_endpoint); }

  [[noreturn]] void serve() {
    std::vector<zmq::pollitem_t> items{{socket_.handle(), 0, ZMQ_POLLIN, 0}};
    for (;;) {
      zmq::poll(items, std::chrono::milliseconds(-1));
      turn();
    }
  }

 private:
  void turn() {
    std::size_t taken = 0;
    const std::uint64_t entries_before = totals_.entries;
    zmq::message_t id, frame;
    while (taken < turn_messages_max && socket_.recv(id, zmq::recv_flags::dontwait)) {
      if (!id.more() || !socket_.recv(frame, zmq::recv_flags::none) || frame.more()) {
        throw Fault("a message of other than two frames");
      }
      ++taken;
      take(id, frame.to_string_view());
    }
    if (totals_.entries == entries_before) return;
    store_.put("totals", &totals_, sizeof totals_);
    store_.put("head", hash_.data(), hash_.size());
    for (const std::string* one : answered_) {
      const Peer& peer = peers_.at(*one);
      store_.put("table " + peer.table, &peer.last_number, sizeof peer.last_number);
    }
    store_.commit();
    for (const std::string* one : answered_) answer(*one, peers_.at(*one));
    answered_.clear();
  }

  void take(const zmq::message_t& id, std::string_view bytes) {
    const auto [place, is_new] = peers_.try_emplace(id.to_string());
    Peer& peer = place->second;
    if (!read_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      throw Fault("a frame that cannot be read");
    }
    if (read_.has_hello()) {
      peer.table = read_.hello().table();
      auto& welcome = *peer.answer.mutable_welcome();
      welcome.set_table(peer.table);
      welcome.set_last_number(peer.last_number);
      head(*welcome.mutable_head());
      send(place->first, peer);
      return;
    }
    const wire::Message& message = read_.message();
    if (message.number() != peer.last_number + 1) throw Fault("a number out of turn");
    peer.last_number = message.number();
    for (const wire::Wager& wager : message.lock().wagers()) {
      for (std::size_t at = 0; at < rates_ppm.size(); ++at) {
        totals_.meters[at] += wager.amount_units() / units_per_cent * rates_ppm[at];
      }
      ++totals_.wagers;
    }
    append(bytes);
    auto& list = *peer.answer.mutable_acknowledgements();
    if (list.acknowledgements().empty()) answered_.push_back(&place->first);
    auto& one = *list.add_acknowledgements();
    one.set_number(message.number());
    one.set_entry(totals_.entries);
  }

  void append(std::string_view bytes) {
    // The turn's first entry begins its transaction.
    if (answered_.empty()) store_.begin();
    const auto number = big_endian(++totals_.entries);
    Sha256& hash = Sha256::begun();
    hash.add(hash_.data(), hash_.size());
    hash.add(number.data(), number.size());
    hash.add(bytes.data(), bytes.size());
    hash_ = hash.finish();
    store_.append(totals_.entries, hash_, bytes);
  }

  void answer(const std::string& id, Peer& peer) {
    head(*peer.answer.mutable_acknowledgements()->mutable_head());
    send(id, peer);
    peer.answer.mutable_acknowledgements()->Clear();
  }

  void head(wire::Head& told) const {
    told.set_entry(totals_.entries);
    told.set_hash(hash_.data(), hash_.size());
  }

  void send(const std::string& id, const Peer& peer) {
    peer.answer.SerializeToString(&bytes_);
    socket_.send(zmq::buffer(id), zmq::send_flags::sndmore);
    socket_.send(zmq::buffer(bytes_), zmq::send_flags::none);
  }

  zmq::context_t context_;
  zmq::socket_t socket_;
  Store store_;
  Totals totals_;
  Digest hash_{};
  std::unordered_map<std::string, Peer> peers_;
  std::vector<const std::string*> answered_;  // of this turn; keys of a map keep their addresses
  wire::FromTable read_;                      // reused: its parts keep their memory
  std::string bytes_;
};

int run(const std::filesystem::path& data, const std::string& endpoint, bool shows) {
  if (shows) {
    const Totals totals = Store(data / "ceiling").totals();
    std::printf("{\"entries\": %llu, \"wagers\": %llu, \"meters\": [%lld, %lld, %lld]}\n",
                static_cast<unsigned long long>(totals.entries),
                static_cast<unsigned long long>(totals.wagers),
                static_cast<long long>(totals.meters[0]), static_cast<long long>(totals.meters[1]),
                static_cast<long long>(totals.meters[2]));
    return 0;
  }
  Engine engine(data, endpoint);
  std::printf("ready %s feed none\n", engine.endpoint().c_str());
  std::fflush(stdout);
  engine.serve();
}

}  // namespace
}  // namespace linkmeter::bench

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  std::string data, endpoint = "tcp://127.0.0.1:*", unused;
  bool shows = false;
  CLI::App app("What the wire and the disk allow: no rules, no postings", "linkmeter-ceiling");
  app.add_option("--data", data, "A data folder, for its keys; DIR/ceiling is written")->required();
  app.add_option("--listen", endpoint, "Where tables connect");
  app.add_flag("--show", shows, "Tell what is stored, and end");
  for (const char* word : {"--floor", "--feed", "--web"}) {
    app.add_option(word, unused, "Nothing here");
  }
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return linkmeter::bench::run(data, endpoint, shows);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "linkmeter-ceiling: %s\n", fault.what());
    return 1;
  }
}
