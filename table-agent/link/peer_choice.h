// Peer choice: which of the house's controllers (nodes) a table is connected to, and when it turns
// to another one. One of them is the writer; the others are standbys and refuse tables
// (not_the_writer). No socket and no clock: `now` measures intervals only.
//
// Laws:
// 1. A peer is a key at an endpoint. First in order are the nodes that a Welcome named with key and
//    endpoint. Then each endpoint of the floor file that is none of theirs, with each key whose
//    endpoint is not known: a node's, and the one in the table's credentials. All other pairs of a
//    key and an endpoint are spares: one of them is tried after every rounds_per_spare full rounds
//    of the others. So every pair gets its turn, and a spare seldom delays a takeover.
// 2. A standby that names another peer as the writer is believed: that peer is next, at once. After
//    redirects_max such changes in a row the next one in order gets its turn, so that two standbys
//    which name each other do not keep a table from a third node.
// 3. A peer that is gone (the connection ended, or could not be made, or the key is wrong) or owes
//    an answer for silence_us is left for the next one in order. The order goes on from the last
//    peer that served the table or that was tried in order, so that no peer is left out because two
//    others name each other.
// 4. A peer that was gone, was passed over, or never answered, is in doubt for doubt_us: no standby
//    sends the table back to it. While a standby names no other peer, or one in doubt, it is asked
//    again every pace_us, for silence_us: it may become the writer itself.
// 5. At most one new connection and one repeated question every pace_us; every slow_pace_us after
//    quick_tries of them in vain. So peers that name each other do not make a table spin.
// 6. A peer whose word the table cannot follow is passed over: it is left as one that is gone. One
//    that keeps the table waiting for people is left for the next one in order after waiting_us;
//    if it is the writer, a standby sends the table back.
// 7. With one peer there is nothing to choose: the uplink connects to it again by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class PeerChoice {
 public:
  static constexpr std::int64_t pace_us = 100'000, slow_pace_us = 500'000;
  static constexpr std::int64_t doubt_us = 1'000'000;
  static constexpr std::int64_t waiting_us = 5'000'000;
  static constexpr std::size_t quick_tries = 50;
  static constexpr std::size_t rounds_per_spare = 2, redirects_max = 10;

  // Of the floor file or the command line. REQUIRES: endpoints; silence_us > 0.
  explicit PeerChoice(std::vector<std::string> endpoints, std::int64_t silence_us = 1'000'000);

  // The key in the table's credentials ("": none that is trusted), and the nodes that a Welcome
  // named; a node's endpoint may be "". The current peer stays the current one, and the order goes
  // on.
  void know(const std::string& controller_key, const std::vector<NodeAddress>& nodes);

  // The table has other credentials, and trusts no controller that it found with the ones before:
  // the first in order is the current one from now on.
  void begin_again(const std::string& controller_key, const std::vector<NodeAddress>& nodes,
                   Timestamp now);

  // The peer to be connected to. Its name is "" if no Welcome has named it.
  [[nodiscard]] const NodeAddress& current() const { return peers_[at_].address; }
  [[nodiscard]] bool has_others() const { return peers_.size() > 1; }
  // The current peer has answered; and it is a standby, by its own word.
  [[nodiscard]] bool has_answered() const { return has_answered_; }
  [[nodiscard]] bool is_standby() const { return refused_since_.has_value(); }

  // ---- What happened. ----
  // A frame was to be sent: from now on an answer is owed, unless one is owed already.
  void on_question(Timestamp now);
  // A frame came, whatever it says.
  void on_answer();
  // The table is welcome here.
  void on_served();
  // The peer is a standby. `writer`: the writer's endpoint; "": it knows none.
  void on_refused(const std::string& writer, Timestamp now);
  // The table cannot follow it.
  void on_passed_over() { is_passed_over_ = true; }
  // It keeps the table waiting for people.
  void on_waiting(Timestamp now);
  void on_connected() { is_gone_ = false; }
  void on_gone() { is_gone_ = true; }

  // ---- What to do. ----
  enum class Step : std::uint8_t {
    stay,
    ask,      // say Hello again
    connect,  // to current(), which is another peer now; then say Hello
  };
  Step next(Timestamp now);
  // When next() will do something, if nothing happens before; nullopt: never.
  [[nodiscard]] std::optional<Timestamp> wakes_at(Timestamp now) const;

 private:
  struct Peer {
    NodeAddress address;
    std::optional<Timestamp> left_at;  // in doubt since
  };
  struct Plan {
    Timestamp at;
    Step step = Step::ask;
    std::size_t peer = 0;  // to connect to
    bool is_in_order = false;
  };
  [[nodiscard]] std::optional<Plan> plan(Timestamp now) const;
  [[nodiscard]] bool is_in_doubt(std::size_t peer, Timestamp now) const;
  [[nodiscard]] std::int64_t pace() const { return tries_ < quick_tries ? pace_us : slow_pace_us; }
  [[nodiscard]] Plan next_in_order(Timestamp at) const;
  [[nodiscard]] std::optional<std::size_t> find(const NodeAddress& address) const;
  [[nodiscard]] std::vector<NodeAddress> pairs(const std::vector<NodeAddress>& keys,
                                               std::size_t& first_count) const;
  void connect_as(const Plan& plan, Timestamp now);

  std::vector<std::string> endpoints_;
  std::int64_t silence_us_;
  std::vector<Peer> peers_;
  std::size_t first_count_ = 0;  // the peers in order; the spares are behind them
  std::size_t at_ = 0;           // the current peer
  std::size_t order_ = 0;        // of the first ones, the last that served, or was tried in order
  std::size_t in_order_ = 0;     // tries in order since the last spare
  std::size_t spare_count_ = 0;  // the spares that were tried
  std::size_t redirects_ = 0;    // in a row
  std::size_t tries_ = 0;        // questions and connections since the table was served

  // Of the current connection.
  std::optional<Timestamp> connected_at_;  // when it was chosen; nullopt: at the start
  std::optional<Timestamp> owes_since_;    // it owes an answer
  bool has_answered_ = false;
  bool is_gone_ = false;
  bool is_passed_over_ = false;
  std::optional<Timestamp> waiting_since_;  // people must do something
  std::optional<Timestamp> refused_at_;     // the last refusal that was not followed by a question
  std::optional<Timestamp> refused_since_;  // the first one
  std::optional<std::size_t> writer_;       // the peer that it named as the writer
};

}  // namespace linkmeter
