// SessionService: people sign in and out at a browser, and sessions end.
//
// Laws: a session begins with the person's PIN. It ends when the person is removed or locked, or
// has other roles; and when the PIN changes, by any person, because the holder may only have
// known the old PIN. Only the session at which people change their own PIN continues. A session's
// event stream ends with it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/web/login_queue.h"
#include "controller/web/router.h"
#include "meters/state/state.h"
#include "meters/values/person.h"
#include "proto/http/server.h"
#include "proto/http/sessions.h"

namespace linkmeter {

class SessionService {
 public:
  // All of them must outlive this. Pages show the time in `zone`.
  SessionService(const State& state, WebSessions& sessions, LoginQueue& logins, std::string zone,
                 WebServer& server)
      : state_(state),
        sessions_(sessions),
        logins_(logins),
        zone_(std::move(zone)),
        server_(server) {}

  [[nodiscard]] std::vector<Router::Route> routes();

  // Ends the sessions that are over. Call it after every turn that may have changed a person.
  void end(Moment now);
  // The person changed their own PIN at this request's session, so that session continues.
  void keep_after_pin_change(const WebRequest& request, const Badge& badge, Moment now);
  // Tells the server who is signed in, if that changed.
  void update_server();

  // A topic that the session's streams have, and no other session's; nothing is published on it.
  static std::string topic_of(std::uint64_t session) {
    return "session/" + std::to_string(session);
  }

 private:
  // The person at the sign-in.
  struct SignedIn {
    std::set<Role> roles;
    std::string pin;  // as the state keeps it
  };

  WebReply sign_in(WebCall& call);
  WebReply sign_out(WebCall& call);
  WebReply me(WebCall& call);
  WebResponse open(const WebRequest& request, const Badge& badge, Moment now);
  [[nodiscard]] Json me_json(const WebSession& session) const;
  void forget_session(std::uint64_t session);

  const State& state_;
  WebSessions& sessions_;
  LoginQueue& logins_;
  std::string zone_;
  WebServer& server_;
  std::map<std::uint64_t, SignedIn> signed_in_;  // by session
  std::uint64_t server_version_ = 0;             // of the sessions that the server knows
};

}  // namespace linkmeter
