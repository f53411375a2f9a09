// Fault: the world failed us (disk, map, lock, network): an exception at the edges, caught in
// main() and told to people as it is. Never part of a decision.
#pragma once

#include <stdexcept>

namespace linkmeter {

class Fault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace linkmeter
