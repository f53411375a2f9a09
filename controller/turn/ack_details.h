// Acknowledgement details: what a table learns about the entry of its message beyond acceptance:
// the expected number of chips if the round is blocked, and the awards. They are computed from the
// entry alone, so a repeated message gets the same details.
#pragma once

#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// Adds the details to the acknowledgement. `floor` names the links.
void add_details(const Entry& entry, const Floor& floor, Acknowledgement& acknowledgement);

// Adds the details of the entry that an earlier copy of this message became, read from the journal.
// If it is not in the journal yet, the next repeat gets them.
void add_repeat_details(const TableMessage& repeat, const Journal& journal, const Floor& floor,
                        Acknowledgement& again);

// The notice of an award to its table.
AwardNotice award_notice(const Award& award, const Floor& floor);
// The notices of the first reported_awards_max awards.
std::vector<AwardNotice> award_notices(const std::vector<Award>& awards, const Floor& floor);

// The frames that carry the acknowledgements, in order, each within the maximum frame length.
std::vector<std::string> frames_of(Acknowledgements acknowledgements);

}  // namespace linkmeter
