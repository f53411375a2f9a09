#include "controller/web/operator_api.h"

#include <utility>
#include <variant>

#include "controller/web/responses.h"

namespace linkmeter {

std::vector<Router::Route> OperatorApi::routes() {
  std::vector<Router::Route> routes;
  for (const CommandRoute& row : command_routes()) {
    routes.push_back(
        {"POST", row.pattern, Access::signed_in, [this, read = row.read](WebCall& call) {
           CommandOrRefusal command = read(call.path, *call.body, state_);
           if (auto* no = std::get_if<WebResponse>(&command)) return WebReply(std::move(*no));
           return submit(call, std::move(std::get<WebCommand>(command)));
         }});
  }
  return routes;
}

WebReply OperatorApi::submit(WebCall& call, WebCommand command) {
  const Json& body = *call.body;
  const std::string other = body_text(body, "badge");
  const bool changes_pin = std::holds_alternative<ChangePin>(command.act);
  PinRequest asked{
      OperatorRequest{
          {}, Badge(other.empty() ? call.session->badge : other), false, std::move(command.act)},
      body_text(body, "pin"), body_text(body, "new_pin"), body_text(body, "witness_pin")};
  return logins_.add(
      call, std::move(asked),
      [this, changes_pin, claim = command.claim](const WebRequest& request,
                                                 const Controller::SocketReply& reply, Moment now) {
        if (changes_pin) sessions_.keep_after_pin_change(request, reply.by, now);
        return accepted(reply.reply, claim, now);
      });
}

WebResponse OperatorApi::accepted(const ControlReply& reply, ClaimNumber number, Moment now) const {
  Json body{{"entry", reply.entry.value()}, {"text", reply.text}};
  if (reply.slip != SlipNumber()) body["slip"] = reply.slip.value();
  const Claim* claim = state_.find_claim(number);
  body["claim"] = claim == nullptr ? Json() : claims_.detail(*claim, now);
  return json_response(body);
}

}  // namespace linkmeter
