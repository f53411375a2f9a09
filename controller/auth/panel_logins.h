// PanelLogins: logins at the panels of tables. It takes them out of the messages from tables before
// the turn, and replies after it.
//
// Laws: a login is accepted only over a table's key. The queue is bounded for each table and in
// total; logins over the bound get no reply. A table is a trusted origin of a person whose right
// PIN came from it within the last week. Anywhere else, and if the table itself reports an
// untrusted origin, wrong PINs only delay the next try (login_throttle.h). So a stolen table key
// can lock only people who work at that table.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/auth/authenticator.h"
#include "controller/auth/login_tries.h"
#include "controller/turn/controller.h"
#include "controller/turn/message.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class PanelLogins final : public PinRequestSource {
 public:
  static constexpr std::size_t waiting_max = 64;
  static constexpr std::size_t waiting_of_table_max = 4;

  // Removes the logins from `received`; all other messages stay. Returns the replies to people who
  // must wait.
  [[nodiscard]] std::vector<Reply> take(std::vector<InboundMessage>& received, const State& state,
                                        std::chrono::microseconds uptime);
  std::optional<PinRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return !waiting_.empty(); }

  // The persons whose PINs were tried, with the tables that the tries came from; for the journal,
  // and kept over a restart.
  [[nodiscard]] LoginThrottle& tries() { return tries_.of_persons(); }

  // REQUIRES: `reply` is for a table.
  Reply answer(const Controller::SocketReply& reply, const State& state,
               std::chrono::microseconds uptime);

 private:
  // The table's connection and the number of its question.
  using TableQuestion = std::pair<std::string, std::uint64_t>;
  struct Waiting {
    TableIndex table;
    PinRequest asked;
  };
  // nullopt: the person need not wait.
  std::optional<Reply> take(TableSignIn sign_in, const std::string& peer, TableIndex table,
                            const State& state, std::chrono::microseconds uptime);

  std::deque<Waiting> waiting_;
  // The count at which a table was last served. Tables take turns.
  std::map<TableIndex, std::uint64_t> served_;
  std::uint64_t served_count_ = 0;
  LoginTries tries_;
  // Logins in progress.
  std::map<TableQuestion, LoginTries::Tried> tried_;
};

}  // namespace linkmeter
