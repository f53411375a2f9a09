#include "controller/slips/slip_copies.h"

#include <spdlog/spdlog.h>

namespace linkmeter {

void SlipCopies::serve(Moment now) {
  const auto copy = printer_.serve(controller_.state(), controller_.rules(), now.uptime);
  if (const std::string trouble = printer_.take_trouble(); !trouble.empty()) {
    spdlog::error("a slip's copy cannot be stored; retrying: {}", trouble);
  }
  // The entry changes no link, so there is nothing to show.
  if (copy) static_cast<void>(controller_.store({*copy}, now.as_of));
}

}  // namespace linkmeter
