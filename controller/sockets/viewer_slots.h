// ViewerPlaces: the connections to the feed, and which of them ends where there are too many.
//
// Laws: a connection that has only been accepted is its address's; nobody knows whose it is before
// its CURVE handshake, and ZeroMQ tells no earlier than with its first subscription. From then on
// it is its key's, at its address. Both kinds have places of their own, so a crowd that arrives
// takes none from who is inside. Where the places of a kind are full, the one with the most of them
// loses its oldest; the newcomer itself ends only where nobody has more than it. So no address
// keeps others from arriving, and no key keeps others from the feed. A key has a number of places
// of its own, and its addresses share them in the same way: a sign that reconnects after a pulled
// cable takes the place of its own half-dead connection. No lock and no clock.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace linkmeter {

class ViewerPlaces {
 public:
  // `of_key_max` is how many connections with one key may have subscribed, `subscribed_max` with
  // all keys.
  ViewerPlaces(std::size_t arriving_max, std::size_t subscribed_max, std::size_t of_key_max)
      : arriving_(arriving_max), subscribed_(subscribed_max), of_key_max_(of_key_max) {}

  // The connection, by its descriptor, was accepted. Gives the connection that has lost its place
  // for it, which may be the same one, and whose end need not be told here.
  [[nodiscard]] std::optional<int> arrived(int connection, const std::string& address);
  // It has subscribed to something, with this key. The same. One that did so before, or is not
  // known here, changes nothing.
  [[nodiscard]] std::optional<int> subscribed(int connection, const std::string& key);
  void ended(int connection);
  [[nodiscard]] std::size_t count() const { return connections_.size(); }

 private:
  struct Kind {
    explicit Kind(std::size_t most) : size_max(most) {}
    std::size_t size_max;
    std::size_t size = 0;
    std::map<std::string, std::deque<int>> by_owner;  // the oldest first; no list is empty
  };
  struct Connection {
    bool has_subscribed = false;
    std::string address;
    std::string key;  // "" until it has subscribed
    // Whose it is among those that have subscribed.
    [[nodiscard]] std::string owner() const { return key + " " + address; }
  };
  static void add(Kind& kind, int connection, const std::string& owner);
  static void take_out(Kind& kind, int connection, const std::string& owner);
  // The one that has to go, where there are too many after a newcomer of this owner.
  static std::optional<int> excess(const Kind& kind, const std::string& owner);

  Kind arriving_, subscribed_;
  std::size_t of_key_max_;
  std::map<std::string, Kind> by_key_;  // of those that have subscribed, by address; none is empty
  std::map<int, Connection> connections_;
};

}  // namespace linkmeter
