// The headers of ours in which CHECK is that of meters/values/check.h: a unit of several files of
// test cases begins with them. Its first file brings doctest, and with it doctest's CHECK, to all
// that the others are the first to include.
#pragma once

#include "meters/balances/posting.h"
#include "meters/game/card.h"
#include "meters/values/amount.h"
#include "meters/values/check.h"
#include "meters/values/rate.h"
#include "tests/journal/lmdb_store.h"
#include "tests/support/keys.h"
#include "tests/support/scoped_directory.h"

#include <doctest/doctest.h>

// A structured binding cannot be captured by a lambda of clang 14; a reference to it can.
#undef CAPTURE
#define LINKMETER_CAPTURE(name, value) \
  const auto& name = value;            \
  DOCTEST_INFO(#value " := ", name)
#define CAPTURE(value) LINKMETER_CAPTURE(DOCTEST_ANONYMOUS(captured_), value)
