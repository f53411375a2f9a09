// Release: the name of this program's release, and the version of its state rows. They are in one
// file so that a test can link the same program as another release.
#pragma once

#include <cstdint>
#include <string_view>

namespace linkmeter {

struct Release {
  std::string_view name;  // "0.2.0"
  // The version of the formats of state rows and journal (proto/codec/journal_codec.h). A program
  // that finds rows of another version rebuilds all rows from the journal.
  std::uint32_t state_version = 0;
};

const Release& this_release();

}  // namespace linkmeter
