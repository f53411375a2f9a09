// CAPTURE_BINDING: doctest's CAPTURE for a structured binding. CAPTURE makes a lambda, and clang 14
// cannot capture a structured binding in a lambda; it can capture a reference to one.
#pragma once

#include <doctest/doctest.h>

#define LINKMETER_CAPTURE_BINDING(name, value) \
  const auto& name = value;                    \
  DOCTEST_INFO(#value " := ", name)
#define CAPTURE_BINDING(value) LINKMETER_CAPTURE_BINDING(DOCTEST_ANONYMOUS(captured_), value)
