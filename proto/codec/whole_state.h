// Whole state: all rows of a state, and the difference to stored rows.
#pragma once

#include <vector>

#include "meters/state/state.h"
#include "proto/codec/state_codec.h"

namespace linkmeter {

// In key order, as read_state() reads them.
std::vector<Row> rows_of(const State& state);

// The rows to write and to erase so that `stored` becomes `right`. REQUIRES: both in key order.
std::vector<Row> rows_to_mend(const std::vector<Row>& stored, const std::vector<Row>& right);

}  // namespace linkmeter
