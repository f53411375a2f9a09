// Panel port: the touches of a table's dealer as they come to its play, and the answers to them;
// whatever carries them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "table-agent/round/dealer_action.h"

namespace linkmeter {

// "": it was done; else why not: the name of a refusal or of what the device line says too, and a
// sentence.
struct PanelAnswer {
  std::string why = {};
  std::string words = {};
  friend bool operator==(const PanelAnswer&, const PanelAnswer&) = default;
};

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

  // The next touch that nobody has taken; nullopt: none now. Every one is to be answered, once.
  [[nodiscard]] virtual std::optional<Asked> next() = 0;
  virtual void answer(std::uint64_t ticket, const PanelAnswer& answer) = 0;
};

}  // namespace linkmeter
