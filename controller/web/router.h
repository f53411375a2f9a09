// Router: finds the handler of a request, and says who may ask. A new page is one row and one
// function.
//
// Laws: paths are compared after percent-decoding, byte by byte, so "/api/me/" is not "/api/me". A
// variable, as {table} in "/api/tables/{table}/rounds", stands for any text: also for none, and for
// one with slashes, because ids may have slashes. Its handler checks it. A variable ends where the
// pattern's next text first occurs; the last variable takes all up to the pattern's last text. If
// several rows match, the one with the shortest first variable is chosen, so "/slips/{slip}.pdf"
// comes before "/slips/{slip}", and a row without variables before both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/time/moment.h"
#include "controller/view/json.h"
#include "meters/values/person.h"
#include "proto/http/message.h"
#include "proto/http/sessions.h"

namespace linkmeter {

// Who may ask, and on which thread the handler runs. A POST only needs a session: the turn decides
// whether the person may do what it asks for.
enum class Access : std::uint8_t {
  everyone,              // on the server's thread: uses only what was published
  sign_in,               // everyone, on the loop's thread
  signed_in,             // everyone with a session, even if the PIN must be changed first
  claims,                // people with a right that concerns claims, and oversight
  accounting,            // accountants, finance managers and auditors
  claims_or_accounting,  // both of these
};

// Whether the roles of a signed-in person are enough.
bool allows(Access access, const Person& person);

// The variables of a pattern, as the path has them.
class PathVariables {
 public:
  // REQUIRES: the pattern has a variable of this name.
  [[nodiscard]] const std::string& text(std::string_view name) const;
  // nullopt: it is not a whole number in decimal digits (number.h).
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const;

 private:
  friend std::optional<PathVariables> match_path(std::string_view pattern, std::string_view path);
  friend class Router;
  std::vector<std::pair<std::string_view, std::string>> values_;  // names are the pattern's
};

// nullopt: the path does not match. The pattern must outlive the result.
std::optional<PathVariables> match_path(std::string_view pattern, std::string_view path);

// One request, as its handler gets it.
struct WebCall {
  WebRequest request;
  RequestId ticket;
  PathVariables path = {};
  // On the loop's thread only:
  Moment now = {};
  const WebSession* session = nullptr;  // nullptr with Access::sign_in
  const Json* body = nullptr;           // of a POST: an object
};

class Router {
 public:
  // May move parts of the call. Deferred: it has left the ticket with somebody who answers it.
  using Handler = std::function<WebReply(WebCall&)>;
  struct Route {
    std::string_view method;
    std::string_view pattern;
    Access access = Access::claims;
    Handler handler;
  };
  struct Match {
    const Route* route = nullptr;
    PathVariables path;
  };

  // REQUIRES: no row with the same method and pattern; called before the first find().
  void add(std::vector<Route> routes);
  // nullopt: no row matches. From any thread.
  [[nodiscard]] std::optional<Match> find(std::string_view method, std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

// The handler that calls a member of `service`, which must outlive the router.
template <class Service>
Router::Handler handler(Service* service, WebReply (Service::*member)(WebCall&)) {
  return [service, member](WebCall& call) { return (service->*member)(call); };
}

}  // namespace linkmeter
