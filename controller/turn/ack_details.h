// Told: what a table is told of the entry that its message became, beside yes or no: the right
// number of chips where it blocked its round, and the awards that it brought. It is read off the
// entry alone, so a repeat of the message is told the same as the first time.
#pragma once

#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// Adds it to the acknowledgement. Of more than told_awards_max awards the first are told. `floor`
// names the links.
void tell(const Entry& entry, const Floor& floor, Acknowledgement& acknowledgement);

// Adds what is told of the entry that an earlier message with these words became, read from the
// journal; one that is not there yet is told of when it is asked for the next time.
void tell_again(const TableMessage& repeat, const Journal& journal, const Floor& floor,
                Acknowledgement& again);

// An award of an entry, as its table is told of it.
AwardNotice told_award(const Award& award, const Floor& floor);

// The frames that carry the acknowledgements, in their order, none of them longer than a frame may
// be.
std::vector<std::string> frames_of(Acknowledgements acknowledgements);

}  // namespace linkmeter
