#include "proto/http/sessions.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/host/web_address.h"

namespace linkmeter {
namespace {

using std::chrono::microseconds;

constexpr std::size_t secret_bytes = 32;

std::string random_secret() {
  std::array<unsigned char, secret_bytes> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw Fault("no random numbers for a session");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xfU];
  }
  return text;
}

bool is_same_secret(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

// "[::1]:6059" -> "::1".
std::string host_of(const std::string& host_and_port) {
  if (host_and_port.starts_with('[')) {
    const std::size_t end = host_and_port.find(']');
    return end == std::string::npos ? "" : host_and_port.substr(1, end - 1);
  }
  return host_and_port.substr(0, host_and_port.find(':'));
}

}  // namespace

std::optional<std::chrono::seconds> WebSessions::wait_of(const std::string& peer,
                                                         microseconds uptime) {
  return failures_.wait_of(peer, uptime);
}

void WebSessions::note_failure(const std::string& peer, microseconds uptime) {
  failures_.note(peer, uptime);
}

void WebSessions::forgive(const std::string& peer) { failures_.take_back(peer); }

std::optional<std::chrono::seconds> WebSessions::wait_of_right_pin(const std::string& badge,
                                                                   microseconds uptime) {
  return right_pins_.wait_of(badge, uptime);
}

void WebSessions::note_right_pin(const std::string& badge, microseconds uptime) {
  right_pins_.note(badge, uptime);
}

const WebSession* WebSessions::open(const std::string& badge, const WebRequest& request,
                                    microseconds uptime) {
  if (const WebSession* before = look(request, uptime)) sessions_.erase(before->number);
  end(uptime);
  std::size_t own = 0;
  auto oldest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    if (at->second.badge != badge) continue;
    ++own;
    if (oldest == sessions_.end() || at->second.used < oldest->second.used) oldest = at;
  }
  ++version_;
  if (own >= per_badge_max || (sessions_.size() >= sessions_max_ && own > 0)) {
    sessions_.erase(oldest);
  } else if (sessions_.size() >= sessions_max_) {
    return nullptr;
  }
  const std::uint64_t number = ++last_number_;
  return &(sessions_[number] = WebSession{number, badge, random_secret(), random_secret(),
                                          request.peer, uptime, uptime});
}

WebSessions::WebSessions(std::string_view cookie_name, std::size_t sessions_max)
    : cookie_name_(cookie_name), sessions_max_(sessions_max) {
  for (char& letter : cookie_name_) {
    const bool is_plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z');
    if (!is_plain) letter = '-';
  }
}

const WebSession* WebSessions::look(const WebRequest& request, microseconds uptime) const {
  const auto cookie = request.cookies.find(cookie_name_);
  if (cookie == request.cookies.end()) return nullptr;
  const WebSession* found = nullptr;
  // Compares every session, so that the time reveals nothing.
  for (const auto& [number, session] : sessions_) {
    if (is_same_secret(session.cookie, cookie->second)) found = &session;
  }
  return found != nullptr && !is_over(*found, uptime) ? found : nullptr;
}

const WebSession* WebSessions::find(const WebRequest& request, microseconds uptime) {
  const WebSession* found = look(request, uptime);
  if (found == nullptr) return nullptr;
  WebSession& session = sessions_.at(found->number);
  session.used = uptime;
  if (session.peer != request.peer) ++version_;
  session.peer = request.peer;
  return found;
}

SignedInClients WebSessions::known() const {
  SignedInClients known;
  for (const auto& [number, session] : sessions_) {
    known.cookies.insert(sha256(session.cookie));
    known.peers.insert(session.peer);
  }
  return known;
}

const char* WebSessions::token_mistake(const WebSession& session, const WebRequest& request) {
  const std::string token = request.header("x-linkmeter-token");
  if (token.empty()) return "token_missing";
  return is_same_secret(session.token, token) ? nullptr : "token_wrong";
}

std::string WebSessions::cookie_of(const WebSession& session, bool secure) const {
  return cookie_name_ + "=" + session.cookie + "; HttpOnly; SameSite=Strict; Path=/" +
         (secure ? "; Secure" : "");
}

std::string WebSessions::no_cookie(bool secure) const {
  return cookie_name_ + "=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0" +
         (secure ? "; Secure" : "");
}

std::vector<std::uint64_t> WebSessions::end(
    microseconds uptime, const std::function<bool(const WebSession&)>& is_ended) {
  std::vector<std::uint64_t> ended;
  std::erase_if(sessions_, [&](const auto& one) {
    const WebSession& session = one.second;
    if (!is_over(session, uptime) && !(is_ended && is_ended(session))) return false;
    ended.push_back(session.number);
    ++version_;
    return true;
  });
  return ended;
}

bool is_own_origin(const WebRequest& request, const std::vector<std::string>& hosts) {
  const std::string said = lower(request.header("host"));
  const std::string host = host_of(said);
  const bool is_known = is_address(host) || host == "localhost" ||
                        std::any_of(hosts.begin(), hosts.end(),
                                    [&host](const std::string& own) { return lower(own) == host; });
  if (!is_known) return false;
  const std::string origin = lower(request.header("origin"));
  return origin.empty() || origin == (request.secure ? "https://" : "http://") + said;
}

}  // namespace linkmeter
