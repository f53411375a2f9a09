// Release: the name of this program's release, and the version of the state rows that it keeps.
// Both stand in one file, so that a test can link the same program as another release.
#pragma once

#include <cstdint>
#include <string_view>

namespace linkmeter {

struct Release {
  std::string_view name;  // "0.2.0"
  // Of the rows' format and of the journal's (proto/codec/journal_codec.h). A program that finds
  // rows of another version makes all of them anew from the journal.
  std::uint32_t state_version = 0;
};

const Release& this_release();

}  // namespace linkmeter
