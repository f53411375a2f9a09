// StaffAccess: how people reach a controller: the pages and the staff socket, each only if it is
// wanted, and the logins of all sockets.
#pragma once

#include <memory>
#include <optional>

#include "controller/auth/authenticator.h"
#include "controller/auth/login_origins.h"
#include "controller/core.h"
#include "controller/open_sockets.h"
#include "controller/sockets/staff_requests.h"
#include "controller/sockets/staff_socket.h"
#include "controller/telemetry/metrics.h"
#include "controller/web/pages_service.h"
#include "controller/worker_threads.h"

namespace linkmeter {

struct StaffAccess {
  std::unique_ptr<PagesService> pages;  // nullptr: none
  std::optional<StaffSocket> staff_socket;
  std::optional<StaffRequests> staff;
  LoginOrigins origins;
  std::optional<Authenticator> authenticator;

  // All must outlive this. Throws Fault if a requested address cannot be used.
  StaffAccess(Core& core, OpenSockets& sockets, WorkerThreads& workers);
};

// Refused connections, and what the pages served.
void set_counts(Metrics& metrics, const OpenSockets& sockets, const StaffAccess& people);

}  // namespace linkmeter
