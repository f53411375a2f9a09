// Prints what a stopped agent has seen: "ENTRY HASH ACKNOWLEDGED STORED", the journal's head of its
// last acknowledgement, the number of the last acknowledged message, and of the last stored one.
#include <cstdio>
#include <exception>

#include "table-agent/link/lmdb_outbox.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("outbox_witness FOLDER TABLE\n", stderr);
    return 2;
  }
  try {
    const linkmeter::LmdbOutbox outbox(arguments[1], linkmeter::TableId(arguments[2]));
    const linkmeter::Head head = outbox.witness();
    std::printf("%llu ", static_cast<unsigned long long>(head.entry.value()));
    for (const std::uint8_t byte : head.hash) std::printf("%02x", unsigned{byte});
    const std::uint64_t acknowledged =
        outbox.last_number().value() - outbox.unacknowledged().size();
    std::printf(" %llu %llu\n", static_cast<unsigned long long>(acknowledged),
                static_cast<unsigned long long>(outbox.last_number().value()));
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "outbox_witness: %s\n", fault.what());
    return 1;
  }
}
