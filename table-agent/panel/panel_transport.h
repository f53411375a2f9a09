// PanelTransport: carries requests and answers between a panel's page and the agent: over HTTP, or
// in a test. Its other side runs on its own threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proto/codec/wire_codec.h"
#include "table-agent/round/dealer_action.h"

namespace linkmeter {

// The actions of a table's dealer on their way to the round driver, and the answers.
class PanelInbox {
 public:
  struct Asked {
    std::uint64_t ticket = 0;
    DealerAction touch;
  };

  PanelInbox() = default;
  PanelInbox(const PanelInbox&) = delete;
  PanelInbox& operator=(const PanelInbox&) = delete;
  virtual ~PanelInbox() = default;

  // Returns the next action that was not taken; nullopt: none now. Each one must be answered once.
  [[nodiscard]] virtual std::optional<Asked> next() = 0;
  virtual void answer(std::uint64_t ticket, const PanelAnswer& answer) = 0;
};

// The PIN is forgotten as soon as the controller is asked.
struct PanelSignature {
  Badge badge;
  std::string pin;
  // This browser is no trusted origin for the badge (login_throttle.h).
  bool is_untrusted_origin = false;
};
// Without an action: to sign in. Without a signature: an action of a signed-in person. With both:
// an action that is signed with a PIN of its own, a resolve or a void with pending claims.
struct PanelRequest {
  std::uint64_t ticket = 0;
  std::optional<DealerAction> touch = {};
  std::optional<PanelSignature> signature = {};
};

class PanelTransport {
 public:
  PanelTransport() = default;
  PanelTransport(const PanelTransport&) = delete;
  PanelTransport& operator=(const PanelTransport&) = delete;
  virtual ~PanelTransport() = default;

  // Returns all requests that arrived and were not taken.
  [[nodiscard]] virtual std::vector<PanelRequest> take() = 0;
  // Readable while take() has something.
  [[nodiscard]] virtual int descriptor() const = 0;

  virtual void answer(std::uint64_t ticket, const PanelAnswer& answer) = 0;
  // The controller accepts the person: he is signed in at this panel.
  virtual void complete_sign_in(std::uint64_t ticket, const TableSignedIn& person) = 0;
  // The people who are signed in, at most panel_people_max.
  [[nodiscard]] virtual std::vector<PanelPerson> signed_in_people() { return {}; }
  // Signs the person out: his roles or PIN have changed since he signed in.
  virtual void end(const Badge& badge) { static_cast<void>(badge); }
  // Shows the view to everybody who is signed in.
  virtual void show(const std::string& view) = 0;
};

}  // namespace linkmeter
