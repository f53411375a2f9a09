// Responses that several services of HttpApi give.
#pragma once

#include <exception>
#include <string>

#include "controller/view/json.h"
#include "meters/values/refusal.h"
#include "proto/http/message.h"

namespace linkmeter {

// Invalid UTF-8 is replaced.
WebResponse json_response(const Json& body);

// The status of a request that was refused for this reason.
int status_of(Refusal refusal);
// {"error":NAME,"message":SENTENCE} with that status.
WebResponse refusal_response(Refusal refusal);
// 400 "KEY_malformed". `what`: what the value of `key` must be.
WebResponse malformed(const std::string& key, const std::string& what);
// 404: no page, or no such thing for this method.
WebResponse not_found();
// 401.
WebResponse not_signed_in();
// 503: a bounded queue is full.
WebResponse web_busy();
// 500. Logs `error`, which may name files and entries, and which the client does not see.
WebResponse not_read(const std::exception& error);

}  // namespace linkmeter
