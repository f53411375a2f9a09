// ServerBounds: the limits of a WebServer for connections, streams and requests.
#pragma once

#include <chrono>
#include <cstddef>

namespace linkmeter {

struct ServerBounds {
  std::size_t connections_max = 1'024;
  std::size_t connections_kept = 64;  // in addition, for addresses where somebody is signed in
  std::size_t connections_per_address_max = 64;
  std::size_t streams_max = 600;
  std::size_t streams_kept = 64;  // in addition, for signed-in clients
  std::size_t streams_per_address_max = 48;
  std::size_t streams_per_session_max = 16;
  unsigned requests_per_second = 50;  // by address or session, sustained
  unsigned requests_burst = 200;      // at once
  // Limits by address do not apply to this machine. All its addresses then count as one when room
  // is made for others.
  bool spares_loopback = true;
  std::size_t body_bytes_max = std::size_t{64} << 10U;
  std::size_t target_bytes_max = 2'048;              // path and query
  std::size_t headers_bytes_max = 8'192;             // of names and values
  std::chrono::milliseconds headers_within{10'000};  // of connecting
  std::chrono::milliseconds request_within{15'000};  // of connecting
  std::chrono::milliseconds idle_max{20'000};        // between two requests
  std::chrono::milliseconds answer_within{30'000};   // a Deferred; then the response is 503
  std::chrono::milliseconds sending_max{60'000};     // a response that is not a stream
  std::chrono::milliseconds heartbeat{5'000};        // on a stream without events
};

}  // namespace linkmeter
