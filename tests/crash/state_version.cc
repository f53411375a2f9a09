// Sets the state rows of a stopped controller's journal to the previous version, as if the previous
// release had written them.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "controller/store/lmdb_journal.h"
#include "proto/codec/state_codec.h"
#include "proto/host/release.h"
#include "proto/state.pb.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("state_version FOLDER\n", stderr);
    return 2;
  }
  try {
    const auto journal = linkmeter::LmdbJournal::open(arguments[1]);
    const std::string row = journal->row("floor").value();
    linkmeter::state::Floor floor;
    if (!floor.ParseFromString(row.substr(linkmeter::row_checksum_size))) return 1;
    floor.set_version(linkmeter::this_release().state_version - 1);
    const std::string content = floor.SerializeAsString();
    journal->commit({}, {{"floor", linkmeter::row_checksum("floor", content) + content}});
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "state_version: %s\n", fault.what());
    return 1;
  }
}
