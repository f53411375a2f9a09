// StatusReplies: answers requests for the status of the tables (wire_codec.h). Such a request needs
// no PIN and no turn. Its reply shows the tables as they are after the turn of the same round.
#pragma once

#include "controller/sockets/control_socket.h"
#include "controller/sockets/staff_requests.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"

namespace linkmeter {

class StatusReplies final : public Service {
 public:
  // All must outlive this. `staff`: nullptr if there is no staff socket.
  StatusReplies(const Controller& controller, const TablePresence& presence,
                ControlSocket& operators, StaffRequests* staff)
      : controller_(controller), presence_(presence), operators_(operators), staff_(staff) {}

  void serve(Moment now) override;

 private:
  const Controller& controller_;
  const TablePresence& presence_;
  ControlSocket& operators_;
  StaffRequests* staff_;
};

}  // namespace linkmeter
