// WebDoor: who is connected, from where and how long; whom a limit keeps out; and whose time is
// over. No clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "meters/edge/web_server.h"

struct sockaddr;

namespace linkmeter {

// "10.1.2.3"; of an IPv4 address in an IPv6 socket too.
std::string web_peer(const sockaddr* address);

// One connection, and until when what it does now may take.
struct WebConnection {
  using Moment = std::chrono::steady_clock::time_point;
  int socket = -1;
  std::string peer;
  Moment since;
  Moment deadline;
  const char* waiting_for = "headers";  // what is late after it, for the counts
  bool has_deadline = true;
  bool is_first = true;  // request
  bool is_cut = false;

  void expect(const char* what, Moment until);
  void expect_nothing() { has_deadline = false; }
};

class WebDoor {
 public:
  using Moment = WebConnection::Moment;
  explicit WebDoor(const WebServer::Bounds& bounds) : bounds_(bounds) {}

  // May one more connect from there? nullptr, or the limit that says no.
  [[nodiscard]] const char* refusal(const std::string& peer) const;
  WebConnection* opened(int socket, std::string peer, Moment now);
  void closed(WebConnection* connection);
  // The connections whose time is over, each once.
  std::vector<WebConnection*> late(Moment now);
  [[nodiscard]] std::size_t count() const { return connections_.size(); }

 private:
  const WebServer::Bounds& bounds_;
  std::map<WebConnection*, std::unique_ptr<WebConnection>> connections_;
  std::map<std::string, std::size_t> by_peer_;
};

}  // namespace linkmeter
