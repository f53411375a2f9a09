// WebSessions: the sessions of people at browsers, and the limits on PINs per minute. The cookie of
// a session identifies it. Its token, which no other site can read, proves that a request comes
// from the page itself.
//
// Laws: both are random, compared in constant time, and sent to the session's browser only. A
// session ends after ten idle minutes, and at the latest twelve hours after it began. A badge has
// at most four sessions: the next sign-in ends its own longest idle one. A sign-in never ends
// another badge's session; if there is no room, it is refused. Too many wrong PINs from one
// address, and too many right ones of one badge, are refused before a PIN is verified. One thread;
// no clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/http/message.h"
#include "proto/http/minute_counts.h"

namespace linkmeter {

struct WebSession {
  std::uint64_t number = 0;  // never used twice; not secret
  std::string badge;
  std::string cookie;
  std::string token;
  std::string peer;  // the address that used it last
  std::chrono::microseconds used{};
  std::chrono::microseconds opened{};
};

class WebSessions {
 public:
  static constexpr std::chrono::seconds idle_max{600};
  static constexpr std::chrono::hours lifetime_max{12};
  static constexpr std::size_t per_badge_max = 4;
  static constexpr std::size_t right_pins_max = 30;  // of one badge, within a minute
  static constexpr std::chrono::seconds failures_within = MinuteCounts::within;
  static constexpr std::size_t failures_max = 10;
  static constexpr std::size_t sessions_max_default = 1'024;
  static constexpr std::size_t addresses_max = MinuteCounts::keys_max;

  // A browser sends cookies to every port of a host, so each program of a machine needs its own
  // name. Characters that the name of a cookie may not have become '-'.
  explicit WebSessions(std::string_view cookie_name = "linkmeter",
                       std::size_t sessions_max = sessions_max_default);

  // How long until this address may try a PIN again; nullopt: now.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const std::string& peer,
                                                            std::chrono::microseconds uptime);
  // A PIN counts as wrong from when it is tried until forgive(), so parallel tries do not exceed
  // the limit.
  void note_failure(const std::string& peer, std::chrono::microseconds uptime);
  void forgive(const std::string& peer);
  // Right PINs of a badge, of sign-ins and commands: each costs as much work as a wrong one.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of_right_pin(
      const std::string& badge, std::chrono::microseconds uptime);
  void note_right_pin(const std::string& badge, std::chrono::microseconds uptime);

  // Opens a session, and ends the one that the browser had. nullptr: there is no room. Throws Fault
  // if there are no random numbers.
  const WebSession* open(const std::string& badge, const WebRequest& request,
                         std::chrono::microseconds uptime);
  // The session of the request's cookie, which counts as used now; nullptr: none, or it is over.
  const WebSession* find(const WebRequest& request, std::chrono::microseconds uptime);
  // The same, but it does not count as used: a page that polls keeps nobody signed in.
  [[nodiscard]] const WebSession* look(const WebRequest& request,
                                       std::chrono::microseconds uptime) const;
  // "token_missing" or "token_wrong"; nullptr: the request has the session's token.
  static const char* token_mistake(const WebSession& session, const WebRequest& request);
  // The value of Set-Cookie that gives the browser its cookie, or removes it.
  [[nodiscard]] std::string cookie_of(const WebSession& session, bool secure) const;
  [[nodiscard]] std::string no_cookie(bool secure) const;

  // Ends the sessions that are over, or for which `is_ended` is true. Returns their numbers.
  std::vector<std::uint64_t> end(std::chrono::microseconds uptime,
                                 const std::function<bool(const WebSession&)>& is_ended = {});
  [[nodiscard]] std::size_t count() const { return sessions_.size(); }
  [[nodiscard]] bool has(std::uint64_t number) const { return sessions_.contains(number); }
  [[nodiscard]] const std::string& cookie_name() const { return cookie_name_; }
  // The signed-in clients, for the server. It changes only if version() does.
  [[nodiscard]] SignedInClients known() const;
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  [[nodiscard]] static bool is_over(const WebSession& session, std::chrono::microseconds uptime) {
    return uptime >= session.used + idle_max || uptime >= session.opened + lifetime_max;
  }

  std::string cookie_name_;
  std::size_t sessions_max_;
  std::map<std::uint64_t, WebSession> sessions_;
  std::uint64_t last_number_ = 0;
  std::uint64_t version_ = 0;
  MinuteCounts failures_{failures_max};      // by address
  MinuteCounts right_pins_{right_pins_max};  // by badge
};

// Whether a page of this server may have sent the request: its Host is an address, localhost or one
// of `hosts`, and its Origin, if it has one, is that host.
bool is_own_origin(const WebRequest& request, const std::vector<std::string>& hosts);

}  // namespace linkmeter
