// Handshake: verifies that a table is who it claims to be and has the configuration in force, and
// builds its Welcome with the state of its links.
#pragma once

#include <string>
#include <vector>

#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// The reply to a Hello over a connection with this key, without the journal's head. Admission is
// not permanent: the owner of the key is checked for every message.
Welcome welcome_of(const State& state, const FloorRules& rules, const std::string& key,
                   const Hello& hello);

// Why a connection with this key may not send for the table. none: it may.
Refusal authorize_sender(const State& state, const std::string& key, const TableId& table);

// All suspended links of the table. REQUIRES: the floor has the table.
std::vector<SuspendedLink> suspended_at(const State& state, const TableId& table);

// All pot funds of the table that no longer collect but have not ended: contributions from pots
// stop, and the fund can still be won. REQUIRES: the floor has the table.
std::vector<LinkId> stopped_at(const State& state, const TableId& table);

// Encodes the reply as one frame. Drops open rounds that do not fit, oldest first.
std::string frame_of(Welcome answer);

// Encodes the reply as one frame. Drops claims that do not fit, oldest first.
std::string frame_of(HeartbeatAnswer answer);

}  // namespace linkmeter
