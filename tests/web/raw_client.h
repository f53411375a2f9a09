// RawClient: an HTTP client that sends any bytes over a plain socket.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/host/file_descriptor.h"
#include "proto/http/server.h"

namespace linkmeter {

class RawClient {
 public:
  // `address`: the local address that it connects from, for example "127.0.0.2".
  explicit RawClient(const std::string& url, const std::string& address = "127.0.0.1",
                     int receive_buffer_bytes = 0);

  // Returns false if the other end is gone.
  bool send(std::string_view bytes);
  // Reads up to and including the text; if the text does not come, everything until the end. Throws
  // Fault if nothing arrives for long.
  std::string read_until(std::string_view text);
  // Reads one response with a Content-Length.
  std::string read_response();
  // Reads everything until the other end closes.
  std::string read_all();
  // send() and read_response().
  std::string ask(std::string_view bytes);
  [[nodiscard]] int socket() const { return socket_.get(); }
  // Stops reading and resets the connection.
  void reset();

 private:
  // Returns false at the end.
  bool receive();

  FileDescriptor socket_;
  std::string waiting_;
};

std::uint16_t port_of(const std::string& url);
// "GET PATH HTTP/1.1" with a Host and these header lines.
std::string get(const std::string& path, const std::string& lines = "");
std::string post(const std::string& path, const std::string& body, const std::string& lines = "");
// 200 for "HTTP/1.1 200 OK...", 0 for a text that is no response.
int status_of(const std::string& response);
std::string header_of(const std::string& response, const std::string& name);
std::string body_of(const std::string& response);

// On a free port of this machine.
WebServer::Setup local_setup();

}  // namespace linkmeter
