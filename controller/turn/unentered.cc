#include "controller/turn/unentered.h"

namespace linkmeter {

std::optional<Unentered> refuse_unentered(const State& state, const PersonRequest& request,
                                          Timestamp now) {
  if (request.source == RequestSource::control) return std::nullopt;
  const Person* person = state.find_person(request.badge);
  const Refusal told = request.counts ? Refusal::person_locked : Refusal::pin_wrong;
  if (person != nullptr && !person->removed && person->is_locked(now)) {
    return Unentered{told, Refusal::person_locked};
  }
  if (request.counts || request.is_good) return std::nullopt;
  return Unentered{Refusal::pin_wrong, Refusal::pin_wrong};
}

}  // namespace linkmeter
