#include "controller/web/responses.h"

#include <spdlog/spdlog.h>

namespace linkmeter {

WebResponse json_response(const Json& body) {
  WebResponse response;
  response.body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

int status_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::pin_wrong:
    case Refusal::person_unknown:
    case Refusal::person_locked: return 401;
    case Refusal::right_missing:
    case Refusal::same_hand:
    case Refusal::same_person:
    case Refusal::same_department:
    case Refusal::pin_to_be_changed: return 403;
    case Refusal::claim_unknown:
    case Refusal::slip_unknown:
    case Refusal::table_unknown:
    case Refusal::round_unknown:
    case Refusal::pot_unknown:
    case Refusal::link_unknown:
    case Refusal::day_unknown:
    case Refusal::item_unknown:
    case Refusal::entry_unknown: return 404;
    case Refusal::message_malformed:
    case Refusal::pin_malformed:
    case Refusal::pin_too_simple:
    case Refusal::name_malformed: return 400;
    default: return 409;
  }
}

WebResponse refusal_response(Refusal refusal) {
  return web_refusal(status_of(refusal), std::string(name(refusal)),
                     std::string(sentence(refusal)));
}

WebResponse malformed(const std::string& key, const std::string& what) {
  return web_refusal(400, key + "_malformed", "\"" + key + "\" must be " + what);
}

WebResponse not_found() {
  return web_refusal(404, "not_found", "there is nothing at this address");
}

WebResponse not_signed_in() {
  return web_refusal(401, "not_signed_in", "sign in with badge and PIN");
}

WebResponse web_busy() {
  WebResponse busy = web_refusal(503, "busy", "the controller is busy; try again");
  busy.headers.emplace_back("Retry-After", "2");
  return busy;
}

WebResponse not_read(const std::exception& error) {
  spdlog::error("a page could not be read: {}", error.what());
  return web_refusal(500, "not_read", "this could not be read; the log says why");
}

}  // namespace linkmeter
