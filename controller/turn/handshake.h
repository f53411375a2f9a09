// Welcome: who stands at the door: is it the table that it says, with the terms that are in force;
// and what a table is told of its links there.
#pragma once

#include <string>
#include <vector>

#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// The answer to a Hello over a connection with this key, but for the journal's head. A connection
// that was let in once is not for ever: whose key it is, is asked of every message.
Welcome welcome_of(const State& state, const FloorRules& rules, const std::string& key,
                   const Hello& hello);

// Why nothing may be said for the table over a connection with this key; none: it may.
Refusal authorize_sender(const State& state, const std::string& key, const TableId& table);

// Of the table's links, all that are suspended. REQUIRES: the floor has the table.
std::vector<SuspendedLink> suspended_at(const State& state, const TableId& table);

// Of its funds of pots, all that collect no more and have not ended: no contribution is taken of a
// pot, and it can still win. REQUIRES: the floor has the table.
std::vector<LinkId> stopped_at(const State& state, const TableId& table);

// The answer as one frame; open rounds that it has no room for are left out, the oldest first.
std::string frame_of(Welcome answer);

// The answer as one frame; claims that it has no room for are left out, the oldest first.
std::string frame_of(HeartbeatAnswer answer);

}  // namespace linkmeter
