// WebSessions: who is signed in at which browser, and how often an address may try. The session's
// cookie says who it is; its token, which no other site can read, says that the page itself asks.
//
// Laws: both are random, compared in constant time, and never told to anybody else; a session that
// was idle for ten minutes is over; there is room for so many, then the one that was idle longest
// goes. Too many failed sign-ins from one address are refused before a PIN is looked at. One
// thread; no clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/edge/web_request.h"

namespace linkmeter {

struct WebSession {
  std::uint64_t number = 0;  // never used twice; no secret
  std::string badge;
  std::string cookie;
  std::string token;
  std::string peer;  // from where it was used last
  std::chrono::microseconds used{};
};

class WebSessions {
 public:
  static constexpr std::chrono::seconds idle_max{600};
  static constexpr std::chrono::seconds failures_within{60};
  static constexpr std::size_t failures_max = 10;
  static constexpr std::size_t sessions_max_default = 1'024;
  static constexpr std::size_t addresses_max = 4'096;

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

  // A new session; the one that the browser had is over. Throws Fault without random numbers.
  const WebSession& open(const std::string& badge, const WebRequest& request,
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

  // Ends those for whom `is_over` is true, or that were idle; their numbers.
  std::vector<std::uint64_t> end(std::chrono::microseconds uptime,
                                 const std::function<bool(const WebSession&)>& is_over = {});
  [[nodiscard]] std::size_t count() const { return sessions_.size(); }
  [[nodiscard]] bool has(std::uint64_t number) const { return sessions_.contains(number); }
  [[nodiscard]] const std::string& cookie_name() const { return cookie_name_; }
  // For the server: whom it keeps places for. It is another one whenever version() is.
  [[nodiscard]] WebKnown known() const;
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  std::string cookie_name_;
  std::size_t sessions_max_;
  std::map<std::uint64_t, WebSession> sessions_;
  std::uint64_t last_number_ = 0;
  std::uint64_t version_ = 0;
  std::map<std::string, std::deque<std::chrono::microseconds>> failures_;  // by address
};

// May a page of ours have sent it? Its Host is an address, localhost or one of `hosts`, and its
// Origin, where it says one, is that very host.
bool is_own_origin(const WebRequest& request, const std::vector<std::string>& hosts);

}  // namespace linkmeter
