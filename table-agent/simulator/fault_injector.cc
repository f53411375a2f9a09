#include "table-agent/simulator/fault_injector.h"

#include <utility>

namespace linkmeter {

std::string FaultInjector::held_back() { return std::exchange(held_back_, {}); }

std::string FaultInjector::through(const std::string& line, DeviceAccount& account) {
  constexpr std::uint64_t lost = 15, damaged = 15, held = 20, doubled = 20, let_go = 200;
  if (happens(lost)) {
    ++account.lost;
    return {};
  }
  std::string sent = line;
  if (happens(damaged)) {
    ++account.damaged;
    char& hit = sent[chance_.below(sent.size() - 1)];
    hit = static_cast<char>(static_cast<unsigned char>(hit) ^ (1U << chance_.below(7)));
  }
  if (happens(held)) {
    ++account.held_back;
    held_back_ += sent;
    return {};
  }
  if (happens(doubled)) {
    ++account.doubled;
    sent += sent;
  }
  if (happens(let_go)) sent += held_back();
  return sent;
}

}  // namespace linkmeter
