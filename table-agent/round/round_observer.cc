#include "table-agent/round/round_observer.h"

#include <variant>

#include "proto/codec/round_script.h"

namespace linkmeter {

void RoundObserver::on_submitted(MessageNumber number, const TableCommand& command) {
  const auto* lock = std::get_if<LockRound>(&command);
  const bool begins = lock != nullptr || std::holds_alternative<PlayPot>(command);
  if (begins) {
    const LockRound none{round_of(command), {}, {}, Badge()};
    round_ = round_.next(lock != nullptr ? *lock : none);
    round_.named = round_of(command);
  } else if (round_of(command) == round_.id()) {
    round_ = round_.after(command, "", number);
  } else {
    return;  // of an earlier round, which is still open
  }
  commands_.add(number, command);
}

void RoundObserver::on_reply(const Answered& answered) {
  const auto command = commands_.take(answered.number);
  if (command && round_of(*command) == round_.id()) round_.on_reply(*command, answered);
}

}  // namespace linkmeter
