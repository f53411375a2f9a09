// OperatorApi: the commands of people at pages. Each needs a PIN and goes through the turn, as
// every command of a person does.
#pragma once

#include <vector>

#include "controller/turn/controller.h"
#include "controller/web/claims_api.h"
#include "controller/web/login_queue.h"
#include "controller/web/router.h"
#include "controller/web/session_service.h"
#include "controller/web/web_command.h"
#include "meters/state/state.h"

namespace linkmeter {

class OperatorApi {
 public:
  // All of them must outlive this.
  OperatorApi(const State& state, const ClaimsApi& claims, SessionService& sessions,
              LoginQueue& logins)
      : state_(state), claims_(claims), sessions_(sessions), logins_(logins) {}

  // One of each command_routes().
  [[nodiscard]] std::vector<Router::Route> routes();

 private:
  // The command waits for its PIN: the session's, unless the body names another badge.
  WebReply submit(WebCall& call, WebCommand command);
  [[nodiscard]] WebResponse accepted(const ControlReply& reply, ClaimNumber claim,
                                     Moment now) const;

  const State& state_;
  const ClaimsApi& claims_;
  SessionService& sessions_;
  LoginQueue& logins_;
};

}  // namespace linkmeter
