#include "tests/fuzz/target.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>

namespace linkmeter::fuzz {

const std::vector<Target>& targets() {
  // Protobuf would say of every input what it does not like about it.
  static auto* const talks = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(talks);
  static const std::vector<Target> all{
      {"bundle", judge_bundle, 200},
      {"chapter", judge_chapter, 500},
      {"control", judge_control},
      {"csv", judge_csv},
      {"device", judge_device},
      {"floor-file", judge_floor_file, 200},
      {"from-table", judge_from_table},
      {"import", judge_import, 500},
      {"journal", judge_journal},
      {"manifest", judge_manifest, 500},
      {"papers", judge_papers, 500},
      {"script", judge_script},
      {"segment", judge_segment},
      {"state-row", judge_state_row, 200},
      {"texts", judge_texts},
      {"to-table", judge_to_table},
      {"totals", judge_totals},
      {"touch", judge_touch},
      {"web", judge_web},
      {"web-act", judge_web_act},
  };
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found = std::find_if(targets().begin(), targets().end(),
                                  [name](const Target& target) { return target.name == name; });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace linkmeter::fuzz
