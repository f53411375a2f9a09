// LoginQueue: requests of pages whose PINs wait for the Authenticator, and the limits that apply
// before a PIN is verified.
//
// Laws: no page acts for a person without the person's PIN, whatever session it has. Wrong PINs are
// counted as login_throttle.h says. The queue keeps places for requests of people who are signed in
// or at a trusted origin. Badges take turns, signed in or not, and a badge's right PINs are limited
// per minute too, so nobody keeps other people out. A request that was answered "outcome unknown"
// is not carried out afterwards.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "controller/auth/authenticator.h"
#include "controller/auth/login_tries.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/web/fair_queue.h"
#include "controller/web/router.h"
#include "meters/state/state.h"
#include "proto/http/server.h"
#include "proto/http/sessions.h"

namespace linkmeter {

class LoginQueue final : public PinRequestSource {
 public:
  // The places of one asker: a badge that is signed in or at a trusted origin, or an address.
  static constexpr FairQueueBounds bounds{40, 24, 8};
  // Makes the response to a request that the turn accepted.
  using OnAccepted = std::function<WebResponse(const WebRequest& request,
                                               const Controller::SocketReply& reply, Moment now)>;

  // All of them must outlive this.
  LoginQueue(const State& state, WebSessions& sessions, WebServer& server)
      : state_(state), sessions_(sessions), server_(server) {}

  // Queues the request, or says why it does not wait. Takes call.request, and leaves no PIN in
  // `request`.
  WebReply add(WebCall& call, PinRequest&& request, OnAccepted on_accepted);

  std::optional<PinRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return !waiting_.empty(); }
  // The result of a request that next() gave. REQUIRES: reply.source is web.
  void answer(const Controller::SocketReply& reply, Moment now);

  // The wrong PINs of known badges: for the journal, and for the file that outlasts a restart.
  [[nodiscard]] LoginThrottle& throttle() { return throttle_.of_persons(); }

 private:
  struct Pending {
    RequestId ticket;
    WebRequest request;  // without its body
    OnAccepted on_accepted;
    PinRequest asked;       // until the Authenticator has it
    std::string limit_key;  // of WebSessions: "badge/F-1", "F-1 at 10.0.0.1", "10.0.0.1"
    LoginTries::Tried pins;
  };

  // Counts the PINs as tries, or says why the request must wait.
  std::optional<WebResponse> begin(const WebCall& call, PinRequest& request, Pending& pending);
  [[nodiscard]] std::string limit_key(const WebCall& call, const Badge& badge,
                                      bool is_trusted) const;
  // Answers that the controller is busy. REQUIRES: the PIN was not verified.
  void drop(Pending pending);
  // Counts the PINs of the request, once it is known whether they were right.
  void settle(const Pending& pending, const Badge& by, Refusal refusal, Moment now);

  const State& state_;
  WebSessions& sessions_;  // also limits PINs per minute
  WebServer& server_;
  LoginTries throttle_;
  FairQueue<Pending> waiting_{bounds};
  std::map<std::string, Pending> in_progress_;  // by the peer that the turn's reply names
};

}  // namespace linkmeter
