// Node fault: what one controller (node) says cannot be followed by this table: it lacks what the
// table has seen, or does not take the table at all. It changes nothing: neither the outbox nor
// what the table has seen. In a house with several controllers the table passes over this one and
// asks the others; with one controller it is a fault like any other.
#pragma once

#include <string>

#include "proto/host/fault.h"

namespace linkmeter {

inline constexpr const char* lacks_rounds = "lacks rounds of this table";

class NodeFault : public Fault {
 public:
  // `words`: for dealers, behind the controller's name: "does not know this table".
  NodeFault(const std::string& text, const char* words) : Fault(text), words_(words) {}
  [[nodiscard]] const char* words() const { return words_; }

 private:
  const char* words_;
};

}  // namespace linkmeter
