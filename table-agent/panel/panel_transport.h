// Panel edge: what carries a panel's words between a page and the agent: HTTP, or a test. Its other
// side runs on threads of its own; here words come and answers go.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "proto/codec/wire_codec.h"
#include "table-agent/panel/panel_port.h"

namespace linkmeter {

// Somebody wants to sign in. The PIN is forgotten as soon as the controller is asked.
struct PanelSignIn {
  std::uint64_t ticket = 0;
  Badge badge;
  std::string pin;
  bool is_strange = false;  // not at home at that browser (login_throttle.h)
};
// Somebody who is signed in touched.
struct PanelActionRequest {
  std::uint64_t ticket = 0;
  DealerAction touch;
};
// A touch that is signed by a PIN of its own: a resolve, or a void of what has pending claims.
struct PanelSigned {
  std::uint64_t ticket = 0;
  DealerAction touch;
  Badge badge;
  std::string pin;
  bool is_strange = false;
};
using PanelRequest = std::variant<PanelSignIn, PanelActionRequest, PanelSigned>;

class PanelTransport {
 public:
  PanelTransport() = default;
  PanelTransport(const PanelTransport&) = delete;
  PanelTransport& operator=(const PanelTransport&) = delete;
  virtual ~PanelTransport() = default;

  // Everything that has come and was not taken.
  [[nodiscard]] virtual std::vector<PanelRequest> take() = 0;
  // Readable while take() has something.
  [[nodiscard]] virtual int descriptor() const = 0;

  virtual void answer(std::uint64_t ticket, const PanelAnswer& answer) = 0;
  // The controller knows the person: he is signed in at this panel.
  virtual void let_in(std::uint64_t ticket, const TableSignedIn& person) = 0;
  // Who is signed in, at most panel_people_max.
  [[nodiscard]] virtual std::vector<PanelPerson> who_is_in() { return {}; }
  // He is no longer what he was when he signed in: he is signed out.
  virtual void end(const Badge& badge) { static_cast<void>(badge); }
  // What everybody sees who is signed in.
  virtual void show(const std::string& picture) = 0;
};

}  // namespace linkmeter
