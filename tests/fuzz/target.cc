#include "tests/fuzz/target.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>

namespace linkmeter::fuzz {

const std::vector<Target>& targets() {
  // Protobuf would print a complaint about every input.
  static auto* const talks = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(talks);
  static const std::vector<Target> all{
      {"bundle", judge_bundle, 200},
      {"certificate", judge_certificate, 200},
      {"chapter", judge_chapter, 500},
      {"command-line", judge_command_line, 500},
      {"control", judge_control},
      {"credentials", judge_credentials},
      {"csv", judge_csv},
      {"dealer-action", judge_dealer_action},
      {"decision", judge_decision},
      {"device", judge_device},
      {"file-manifest", judge_file_manifest},
      {"floor-file", judge_floor_file, 200},
      {"from-table", judge_from_table},
      {"hand", judge_hand},
      {"import", judge_import, 500},
      {"journal", judge_journal},
      {"manifest", judge_manifest, 500},
      {"outbox", judge_outbox, 200},
      {"place", judge_place},
      {"restore-marker", judge_restore_marker},
      {"script", judge_script},
      {"seal-key", judge_seal_key, 500},
      {"segment", judge_segment},
      {"sign-feed", judge_sign_feed},
      {"sign-record", judge_sign_record},
      {"state-row", judge_state_row, 200},
      {"table-agent", judge_table_agent},
      {"texts", judge_texts},
      {"to-table", judge_to_table},
      {"totals", judge_totals},
      {"web", judge_web},
      {"web-command", judge_web_command},
      {"witness", judge_witness},
  };
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found = std::find_if(targets().begin(), targets().end(),
                                  [name](const Target& target) { return target.name == name; });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace linkmeter::fuzz
