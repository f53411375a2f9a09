// PanelInbox: the actions of a table's dealer on their way to the round driver, and the answers.
#pragma once

#include <cstdint>
#include <optional>

#include "table-agent/round/dealer_action.h"

namespace linkmeter {

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

}  // namespace linkmeter
