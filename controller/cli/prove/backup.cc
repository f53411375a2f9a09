#include "controller/accounting/evidence/backup.h"

#include <iostream>

#include "controller/cli/prove/evidence.h"
#include "controller/cli/shell/leftovers.h"
#include "controller/cli/shell/text_table.h"
#include "controller/time/clock.h"
#include "meters/values/hex.h"
#include "proto/codec/head_text.h"

namespace linkmeter::cli {
namespace {

void print_copy(const BackupResult& made, const EvidenceOptions& asked, const std::string& said) {
  if (asked.json) {
    print_json({{"head", head_json(made.head)}, {"files", made.files}, {"bytes", made.bytes}});
    return;
  }
  std::cout << said << ": " << made.files << " files, " << made.bytes << " bytes, up to entry "
            << made.head.entry.value() << ", head " << hex(made.head.hash) << '\n';
}

}  // namespace

int backup(const EvidenceOptions& asked) {
  report_leftovers(asked.folder);
  BackupResult made;
  {
    StepProgress progress("done");
    made = back_up(asked.data, asked.folder, Clock().now(), progress.steps());
  }
  print_copy(made, asked, asked.folder.string() + ": backed up");
  return 0;
}

int restore_backup(const EvidenceOptions& asked) {
  report_leftovers(asked.data);
  BackupResult made;
  {
    StepProgress progress("done");
    made = restore(asked.folder, asked.data, Clock().now(), progress.steps());
  }
  print_copy(made, asked, asked.data.string() + ": restored and audited");
  if (!asked.json) {
    std::cout
        << "Later entries are not in it. The next controller that starts on it records that, and "
           "every "
           "link\nis suspended; no table is taken up before two managers accept it: linkmeter "
           "history accept --by BADGE\nThen each table sends again what it sent after "
        << text(made.head) << '\n';
  }
  return 0;
}

}  // namespace linkmeter::cli
