// Fault: a failure of the environment (disk, map, lock, network). It is an exception at the edges;
// main() catches it and prints its text. It is never part of a decision.
#pragma once

#include <stdexcept>

namespace linkmeter {

class Fault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace linkmeter
