#include "tests/web/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr timeval patience{20, 0};

sockaddr_in place(const std::string& address, std::uint16_t port) {
  sockaddr_in made{};
  made.sin_family = AF_INET;
  made.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &made.sin_addr);
  return made;
}

bool is_end_of_headers(const std::string& text, std::size_t& end) {
  end = text.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  end += 4;
  return true;
}

}  // namespace

std::uint16_t port_of(const std::string& url) {
  return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

RawClient::RawClient(const std::string& url, const std::string& address, int receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer_bytes > 0) {
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                 sizeof receive_buffer_bytes);
  }
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const sockaddr_in from = place(address, 0), to = place("127.0.0.1", port_of(url));
  if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0 ||
      ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    throw Fault(std::string("cannot connect: ") + std::strerror(errno));
  }
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool RawClient::receive() {
  std::array<char, 16'384> bytes{};
  const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw Fault("nothing came for long");
  if (got <= 0) return false;
  waiting_.append(bytes.data(), static_cast<std::size_t>(got));
  return true;
}

std::string RawClient::read_until(std::string_view text) {
  std::size_t found = 0;
  while ((found = waiting_.find(text)) == std::string::npos) {
    if (receive()) continue;
    return std::exchange(waiting_, "");
  }
  const std::size_t end = found + text.size();
  std::string taken = waiting_.substr(0, end);
  waiting_.erase(0, end);
  return taken;
}

std::string RawClient::read_all() {
  while (receive()) continue;
  return std::exchange(waiting_, "");
}

std::string RawClient::read_response() {
  std::size_t end = 0;
  while (!is_end_of_headers(waiting_, end)) {
    if (!receive()) return std::exchange(waiting_, "");
  }
  const std::string length = header_of(waiting_, "Content-Length");
  end += length.empty() ? 0 : static_cast<std::size_t>(std::stoul(length));
  while (waiting_.size() < end) {
    if (!receive()) return std::exchange(waiting_, "");
  }
  std::string taken = waiting_.substr(0, end);
  waiting_.erase(0, end);
  return taken;
}

std::string RawClient::ask(std::string_view bytes) {
  send(bytes);
  return read_response();
}

void RawClient::reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_ = FileDescriptor();
}

std::string get(const std::string& path, const std::string& lines) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n";
}

std::string post(const std::string& path, const std::string& body, const std::string& lines) {
  return "POST " + path +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         lines + "\r\n" + body;
}

int status_of(const std::string& response) {
  if (!response.starts_with("HTTP/1.1 ") || response.size() < 12) return 0;
  return std::stoi(response.substr(9, 3));
}

std::string header_of(const std::string& response, const std::string& name) {
  const std::string head = response.substr(0, response.find("\r\n\r\n"));
  const auto same = [](char left, char right) {
    return std::tolower(static_cast<unsigned char>(left)) ==
           std::tolower(static_cast<unsigned char>(right));
  };
  const std::string line = "\r\n" + name + ": ";
  const auto found = std::search(head.begin(), head.end(), line.begin(), line.end(), same);
  if (found == head.end()) return "";
  const auto begin = found + static_cast<std::ptrdiff_t>(line.size());
  return {begin, std::find(begin, head.end(), '\r')};
}

std::string body_of(const std::string& response) {
  const std::size_t end = response.find("\r\n\r\n");
  return end == std::string::npos ? "" : response.substr(end + 4);
}

WebServer::Setup local_setup() { return {*WebAddress::parse("http://127.0.0.1:0")}; }

}  // namespace linkmeter
