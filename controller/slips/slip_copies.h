// SlipCopies: runs the SlipPrinter in the event loop, and journals the SHA-256 of each slip's
// stored copy. A copy that cannot be stored is retried, and the log says why.
#pragma once

#include <optional>

#include "controller/slips/slip_printer.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"

namespace linkmeter {

class SlipCopies final : public Service {
 public:
  // Both must outlive this.
  SlipCopies(Controller& controller, SlipPrinter& printer)
      : controller_(controller), printer_(printer) {}

  [[nodiscard]] std::optional<int> descriptor() const override { return printer_.descriptor(); }
  void serve(Moment now) override;

 private:
  Controller& controller_;
  SlipPrinter& printer_;
};

}  // namespace linkmeter
