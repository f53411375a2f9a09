// ViewerSlots: the connections to the feed, and which one to close when there are too many.
//
// Laws: a new connection is assigned to its address: its key is unknown before the CURVE handshake,
// and ZeroMQ reports it no earlier than with the first subscription. From then on the connection is
// assigned to its key and address. The two kinds have separate slots, so new connections take none
// from subscribed ones. If the slots of a kind are full, the owner with the most connections loses
// its oldest; the new connection itself is closed only if no owner has more. So no address keeps
// others from arriving, and no key keeps others from the feed. A key has a number of slots of its
// own, which its addresses share in the same way: a sign that reconnects after a pulled cable
// replaces its own half-dead connection. ViewerSlots has no lock and no clock.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace linkmeter {

class ViewerSlots {
 public:
  // `of_key_max`: subscribed connections with one key. `subscribed_max`: with all keys.
  ViewerSlots(std::size_t arriving_max, std::size_t subscribed_max, std::size_t of_key_max)
      : arriving_(arriving_max), subscribed_(subscribed_max), of_key_max_(of_key_max) {}

  // The connection with this descriptor was accepted. Returns the connection that must be closed
  // for it, possibly the same one. Its end need not be reported here.
  [[nodiscard]] std::optional<int> arrived(int connection, const std::string& address);
  // The connection has subscribed with this key. Returns the connection that must be closed for it.
  // Does nothing if it had subscribed before, or is unknown.
  [[nodiscard]] std::optional<int> subscribed(int connection, const std::string& key);
  void ended(int connection);
  [[nodiscard]] std::size_t count() const { return connections_.size(); }

 private:
  struct Kind {
    explicit Kind(std::size_t most) : size_max(most) {}
    std::size_t size_max;
    std::size_t size = 0;
    std::map<std::string, std::deque<int>> by_owner;  // oldest first; no list is empty
  };
  struct Connection {
    bool has_subscribed = false;
    std::string address;
    std::string key;  // "" until it has subscribed
    // Its owner among the subscribed ones.
    [[nodiscard]] std::string owner() const { return key + " " + address; }
  };
  static void add(Kind& kind, int connection, const std::string& owner);
  static void take_out(Kind& kind, int connection, const std::string& owner);
  // The connection to close if a new one of this owner exceeds the bound.
  static std::optional<int> excess(const Kind& kind, const std::string& owner);

  Kind arriving_, subscribed_;
  std::size_t of_key_max_;
  std::map<std::string, Kind> by_key_;  // subscribed ones, by address; none is empty
  std::map<int, Connection> connections_;
};

}  // namespace linkmeter
