// SlipsApi: slips as JSON, and their stored copies as PDF.
//
// Law: a page shows what the stored copy says, read from the copy itself.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/slips/slip_printer.h"
#include "controller/turn/controller.h"
#include "controller/web/claims_api.h"
#include "controller/web/router.h"
#include "meters/state/slip.h"

namespace linkmeter {

class SlipsApi {
 public:
  // All of them must outlive this.
  SlipsApi(const Controller& controller, const ClaimsApi& claims, SlipPrinter& slip_printer)
      : controller_(controller), claims_(claims), slip_printer_(slip_printer) {}

  [[nodiscard]] std::vector<Router::Route> routes();

 private:
  WebReply slip(WebCall& call);
  WebReply copy(WebCall& call);
  // The slip of the call's path; nullptr: unknown.
  [[nodiscard]] const Slip* find(const WebCall& call) const;

  const Controller& controller_;
  const ClaimsApi& claims_;
  SlipPrinter& slip_printer_;
};

}  // namespace linkmeter
