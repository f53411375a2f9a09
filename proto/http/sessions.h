// WebSessions: who is signed in at which browser, and how often an address may try. The session's
// cookie says who it is; its token, which no other site can read, says that the page itself asks.
//
// Laws: both are random, compared in constant time, and never told to anybody else. A session ends
// after ten idle minutes, and twelve hours after it began, however much it is used. A badge has at
// most four: then its own that was idle longest ends. No sign-in ends a session of another badge:
// without room for one more, it is refused. Too many wrong PINs from one address, and too many
// right ones of one badge, are refused before a PIN is looked at. One thread; no clock of its own.
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
  std::uint64_t number = 0;  // never used twice; no secret
  std::string badge;
  std::string cookie;
  std::string token;
  std::string peer;  // from where it was used last
  std::chrono::microseconds used{};
  std::chrono::microseconds opened{};
};

class WebSessions {
 public:
  static constexpr std::chrono::seconds idle_max{600};
  static constexpr std::chrono::hours lifetime_max{12};
  static constexpr std::size_t per_badge_max = 4;
  static constexpr std::size_t right_pins_max = 30;  // of one badge, a minute
  static constexpr std::chrono::seconds failures_within = MinuteCounts::within;
  static constexpr std::size_t failures_max = 10;
  static constexpr std::size_t sessions_max_default = 1'024;
  static constexpr std::size_t addresses_max = MinuteCounts::keys_max;

  // Cookies know no ports: programs of one machine need names of their own. What no cookie's name
  // may hold becomes a stroke.
  explicit WebSessions(std::string_view cookie_name = "linkmeter",
                       std::size_t sessions_max = sessions_max_default);

  // How long until this address may try to sign in again; nullopt: now.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const std::string& peer,
                                                            std::chrono::microseconds uptime);
  // A sign-in counts as failed from when it is asked for until forgive(): so many at once are too
  // many, too.
  void note_failure(const std::string& peer, std::chrono::microseconds uptime);
  void forgive(const std::string& peer);
  // Right PINs of a badge, of sign-ins and acts: each one costs as much work as a wrong one.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of_right_pin(
      const std::string& badge, std::chrono::microseconds uptime);
  void note_right_pin(const std::string& badge, std::chrono::microseconds uptime);

  // A new session; the one that the browser had is over. nullptr: there is no room for one more.
  // Throws Fault without random numbers.
  const WebSession* open(const std::string& badge, const WebRequest& request,
                         std::chrono::microseconds uptime);
  // The session of the request's cookie, used now; nullptr: none, or over.
  const WebSession* find(const WebRequest& request, std::chrono::microseconds uptime);
  // The same, not used by it: a page that asks by itself keeps nobody signed in.
  [[nodiscard]] const WebSession* look(const WebRequest& request,
                                       std::chrono::microseconds uptime) const;
  // nullptr, or what is wrong with the token of the request: "token_missing", "token_wrong".
  static const char* token_mistake(const WebSession& session, const WebRequest& request);
  // The header that gives the browser its cookie, or takes it away.
  [[nodiscard]] std::string cookie_of(const WebSession& session, bool secure) const;
  [[nodiscard]] std::string no_cookie(bool secure) const;

  // Ends those for whom `is_ended` is true, or that are over; their numbers.
  std::vector<std::uint64_t> end(std::chrono::microseconds uptime,
                                 const std::function<bool(const WebSession&)>& is_ended = {});
  [[nodiscard]] std::size_t count() const { return sessions_.size(); }
  [[nodiscard]] bool has(std::uint64_t number) const { return sessions_.contains(number); }
  [[nodiscard]] const std::string& cookie_name() const { return cookie_name_; }
  // For the server: whom it keeps places for. It is another one whenever version() is.
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

// May a page of ours have sent it? Its Host is an address, localhost or one of `hosts`, and its
// Origin, where it says one, is that very host.
bool is_own_origin(const WebRequest& request, const std::vector<std::string>& hosts);

}  // namespace linkmeter
