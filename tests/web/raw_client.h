// A client of HTTP that sends whatever bytes it is told to, over a plain socket.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/host/file_descriptor.h"
#include "proto/http/server.h"

namespace linkmeter {

class RawClient {
 public:
  // `address`: from which of this machine's it comes, e.g. "127.0.0.2".
  explicit RawClient(const std::string& url, const std::string& address = "127.0.0.1",
                     int receive_buffer_bytes = 0);

  // False: the other end is gone.
  bool send(std::string_view bytes);
  // Up to the text, and with it; what came until the end, if the text does not. Throws Fault when
  // nothing comes for long.
  std::string read_until(std::string_view text);
  // One response with a Content-Length.
  std::string read_response();
  // Everything until the other end closes.
  std::string read_all();
  // send() and read_response().
  std::string ask(std::string_view bytes);
  [[nodiscard]] int socket() const { return socket_.get(); }
  // Nothing more is read, and the other end is told with a reset.
  void reset();

 private:
  // False at the end.
  bool receive();

  FileDescriptor socket_;
  std::string waiting_;
};

std::uint16_t port_of(const std::string& url);
// "GET PATH HTTP/1.1" with a Host and these lines.
std::string get(const std::string& path, const std::string& lines = "");
std::string post(const std::string& path, const std::string& body, const std::string& lines = "");
// 200 of "HTTP/1.1 200 OK...", 0 of what is no response.
int status_of(const std::string& response);
std::string header_of(const std::string& response, const std::string& name);
std::string body_of(const std::string& response);

// At a free port of this machine.
WebServer::Setup local_setup();

}  // namespace linkmeter
