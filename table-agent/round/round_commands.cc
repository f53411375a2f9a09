#include "table-agent/round/round_commands.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "proto/codec/event_text.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

RoundCommands::RoundCommands(const std::vector<StoredMessage>& unacknowledged,
                             const RoundId& round) {
  for (const StoredMessage& message : unacknowledged) {
    auto decoded = decode_from_table(message.bytes);
    auto* said = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
    if (said != nullptr && round_of(said->command) == round) {
      add(message.number, std::move(said->command));
    }
  }
}

void RoundCommands::add(MessageNumber number, TableCommand command) {
  commands_.emplace(number, std::move(command));
}

std::optional<TableCommand> RoundCommands::take(MessageNumber number) {
  auto found = commands_.extract(number);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

bool RoundCommands::has_lock() const {
  return std::any_of(commands_.begin(), commands_.end(), [](const auto& said) {
    return std::holds_alternative<LockRound>(said.second);
  });
}

bool RoundCommands::has_pot() const {
  return std::any_of(commands_.begin(), commands_.end(),
                     [](const auto& said) { return std::holds_alternative<PlayPot>(said.second); });
}

bool RoundCommands::has_end() const {
  return std::any_of(commands_.begin(), commands_.end(), [](const auto& said) {
    const auto* voided = std::get_if<VoidRound>(&said.second);
    return std::holds_alternative<CloseRound>(said.second) || (voided != nullptr && !voided->seat);
  });
}

}  // namespace linkmeter
