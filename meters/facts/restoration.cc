#include "meters/facts/restoration.h"

#include "meters/values/hex.h"
#include "meters/values/time_text.h"

namespace linkmeter {

AcceptHistory Restoration::to_accept() const {
  return {entry, fact.ended_with, fact.hash, fact.restored_at};
}

std::string suspension_reason(EntryNumber restored, const HistoryRestored& fact) {
  return "restored from a backup up to entry " + std::to_string(fact.ended_with.value()) +
         ", which two managers have not accepted yet (entry " + std::to_string(restored.value()) +
         ")";
}

std::string summary(const AcceptHistory& accept) {
  return "accept the history restored with entry " + std::to_string(accept.restored.value()) +
         ": up to entry " + std::to_string(accept.ended_with.value()) + ", " + hex(accept.hash) +
         ", at " + utc_text(accept.restored_at) + (accept.note.empty() ? "" : ", " + accept.note);
}

}  // namespace linkmeter
