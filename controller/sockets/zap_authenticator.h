// Admission: who may connect at all. Every socket that listens is CURVE's, and asks here (ZAP, RFC
// 27), whose key may come in by which door; it answers beside the turn, in a thread of its own, so
// that a crowd at the door does not slow who is inside. A message carries the key that its
// connection proved (Intake), and the turn looks again whose it is.
//
// Laws: nobody without CURVE and without a key on the list of that door is let in, and the feed
// tells nothing to a key that was taken off its list. It counts the connections that it refuses.
// A viewer only subscribes, and ZeroMQ keeps each subscription in memory: a connection to the feed
// that says more than a viewer has to say is ended (ViewerBounds). What many connections say at
// once can still occupy the feed's thread, so a key is let in only so often (ViewerRate), and
// nobody while that thread is late; ZeroMQ's viewers then try again by themselves. Where there are
// too many, the one with the most loses its oldest (ViewerPlaces). REQUIRES: the guarded sockets
// are closed before this is destroyed, and the context after it.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/viewer_rate.h"
#include "meters/values/enrolment.h"
#include "proto/host/credentials.h"

namespace linkmeter {

class Admission {
 public:
  // The doors, each with its own list.
  enum class Door : std::uint8_t { tables, feed, control };
  static constexpr std::size_t doors = 3;
  // Since the start, over all doors.
  struct Counts {
    std::uint64_t connected = 0;          // connections taken from the network
    std::uint64_t admitted = 0;           // of them, let in
    std::uint64_t key_unknown = 0;        // CURVE, and a key that is not on the list
    std::uint64_t without_key = 0;        // ZeroMQ without CURVE
    std::uint64_t handshake_failed = 0;   // CURVE, and tampered with
    std::uint64_t handshake_expired = 0;  // half open: for too long, or cut short
    // Connections that ended, admitted or not; who speaks no ZeroMQ at all shows only here.
    std::uint64_t disconnected = 0;
    // Connections to the feed beyond the ViewerBounds: ended, or not let in.
    std::uint64_t viewers_ended = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
    // Of two admissions together.
    friend Counts operator+(const Counts& left, const Counts& right);
  };

  // What connections to the feed may say. Bytes are those of TCP, with CURVE's handshake; what a
  // connection may say grows back by bytes_per_second.
  struct ViewerBounds {
    std::size_t connections_max = 1'024;                 // that have subscribed
    std::size_t connections_of_key_max = 32;             // of them, with one key
    std::size_t arriving_max = 512;                      // beside them (ViewerPlaces)
    std::chrono::milliseconds arriving_time_max{5'000};  // to the first subscription
    ViewerRate::Bound rate_of_key{32, std::chrono::milliseconds(500)};
    ViewerRate::Bound rate_of_all{16, std::chrono::milliseconds(6)};
    std::chrono::milliseconds late_after{500};  // the feed's thread without a round
    // Of one connection: the minimum and what two subscriptions to every topic take, at most the
    // maximum.
    std::uint64_t bytes_min = std::uint64_t{3} << 10U;
    std::uint64_t bytes_max = std::uint64_t{256} << 10U;
    std::uint64_t all_bytes_max = std::uint64_t{4} << 20U;  // of all together
    std::uint64_t bytes_per_second = 256;
    std::uint32_t unknown_topics_max = 16;   // of one connection: topics that no link has
    std::chrono::milliseconds interval{50};  // between two looks at the bytes
  };
  static const ViewerBounds viewer_bounds;

  // `keys` are the controller's own. Throws Fault. `context` must outlive this.
  Admission(zmq::context_t& context, KeyPair keys, std::string operator_key,
            const ViewerBounds& viewers = viewer_bounds);
  ~Admission();
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  // Makes the socket a CURVE server behind this door. REQUIRES: before it is bound.
  void guard(zmq::socket_ref socket, Door door);
  // Lets in exactly these from now on. If somebody is no longer among them, every connection to the
  // feed is ended, and who is still enrolled comes back: a feed only speaks, so nothing else would
  // stop it. A table that is inside stays there; the turn refuses whatever it says.
  void admit(const Enrolments& enrolments);

  // A connection to the feed, by its descriptor, has asked for a topic with its key. Any thread.
  void note_subscription(int connection, const std::string& key, bool is_known_topic);
  // The feed's topics: how many bytes their names have together, and how many they are. Before the
  // feed's socket is bound.
  void expect_topics(std::uint64_t bytes, std::size_t count);
  // The feed's thread begins a round: while it does not, nobody else is let in. Any thread.
  void note_feed_round();
  // Lets in the operator's tool with this key alone from now on.
  void admit_operator(const std::string& key);

  [[nodiscard]] Counts counts() const;
  // What is to be logged since the last call: a few lines a second, however many are at the door,
  // and how many more there were. Throws Fault if its thread has ended: nobody comes in any more.
  [[nodiscard]] std::vector<std::string> take_news();

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace linkmeter
