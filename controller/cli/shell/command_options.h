// The options of the operators' commands. A command reads those that it declares.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "controller/cli/shell/source.h"

namespace linkmeter::cli {

struct CommandOptions {
  Source from;
  std::string by;
  bool json = false;
  std::string badge, name, department;
  std::vector<std::string> roles;
  std::uint64_t number = 0;  // of a claim, proposal or entry
  std::string reason, note, source;
  std::string round, cards;
  unsigned seat = 0;
  bool folded = false, no_hand = false;
  std::string place, board, magic, showdown;
  std::vector<std::string> hands;
  int lucky = -1;
  std::filesystem::path floor, catalogue;
  std::string table, viewer;
  std::filesystem::path out;
  std::filesystem::path key;
  bool posted = false, cleared = false;
  bool open_items = false;
  bool lost = false;  // the key in force
  bool all = false;   // every suspended link
  std::string link, level = "main", to, to_level = "main", amount;
  std::string day, item, difference, kind, witness, report;
  std::string notice, recording, notified;
  std::vector<std::string> seen;
  std::vector<std::string> tables;
  std::string verified, kept, shown, carried_by, accounted_by;
  bool uncounted = false;
  bool new_codes = false;
};

}  // namespace linkmeter::cli
