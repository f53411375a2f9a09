// PanelSignIns: who signs in at the panel of a table. It takes these words out of what the tables
// sent, before the turn, and answers them after it.
//
// Laws: only over the key of a table; so many wait of one table, and of all, the others are not
// answered. A person is at home at a table from which his right PIN came within the week; anywhere
// else, and where the table itself says that he is not, his wrong PINs only make him wait
// (login_throttle.h). So whoever has a table's key locks nobody but those who work at that table.
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
#include "controller/turn/controller.h"
#include "controller/turn/message.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"
#include "proto/http/login_throttle.h"

namespace linkmeter {

class PanelSignIns final : public LoginSource {
 public:
  static constexpr std::size_t waiting_max = 64;
  static constexpr std::size_t waiting_of_table_max = 4;

  // Takes the sign-ins out of what was received; what is none of a table's stays. The answers to
  // those who have to wait.
  [[nodiscard]] std::vector<Reply> take(std::vector<Received>& received, const State& state,
                                        std::chrono::microseconds uptime);
  std::optional<LoginRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return !waiting_.empty(); }

  // Whose PINs were tried, and from which tables: for what outlasts a restart, and for the journal.
  [[nodiscard]] LoginThrottle& tries() { return tries_; }

  // REQUIRES: `told` is of a table.
  Reply answer(const Controller::Told& told, const State& state, std::chrono::microseconds uptime);

 private:
  struct Waiting {
    TableIndex table;
    LoginRequest asked;
  };
  // Nullopt: none that must wait.
  std::optional<Reply> take(TableSignIn sign_in, const std::string& peer, TableIndex table,
                            const State& state, std::chrono::microseconds uptime);
  [[nodiscard]] LoginThrottle& tries_of(const Badge& badge, const State& state);

  std::deque<Waiting> waiting_;
  // When a table's sign-in was taken last, by count: tables take turns.
  std::map<TableIndex, std::uint64_t> served_;
  std::uint64_t served_count_ = 0;
  LoginThrottle tries_, tries_at_nobody_;  // apart: made-up badges push no real one out
  struct Place {
    std::string table;
    bool is_strange = false;
  };
  // Of the tries that are on their way, by the table's connection and question.
  std::map<std::pair<std::string, std::uint64_t>, Place> places_;
};

}  // namespace linkmeter
