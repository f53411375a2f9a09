// Round commands: what the play of a table has said of its round and has no answer to. They are
// in the outbox; here they are commands again, so that an answer can be understood.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/link/outbox.h"

namespace linkmeter {

class RoundCommands {
 public:
  // Of what the outbox holds, what is of this round.
  RoundCommands(const std::vector<StoredMessage>& unacknowledged, const RoundId& round);

  void add(MessageNumber number, TableCommand command);
  // The command of this message, which has its answer now; nullopt: none of these.
  std::optional<TableCommand> take(MessageNumber number);
  [[nodiscard]] bool has_lock() const;
  [[nodiscard]] bool has_pot() const;
  // A close or a void.
  [[nodiscard]] bool has_end() const;

 private:
  std::map<MessageNumber, TableCommand> commands_;
};

}  // namespace linkmeter
