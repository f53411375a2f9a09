#include "controller/worker_threads.h"

#include <chrono>

#include "controller/accounting/day/reports.h"
#include "controller/store/data_folder.h"

namespace linkmeter {

WorkerThreads::WorkerThreads(const Core& core)
    : slip_printer(core.options.data, core.stored, core.floor.timezone),
      day_reports(core.options.data, core.stored, report_maker()),
      signer(core.options.signer.empty() ? journal_key_path(core.options.data).string()
                                         : core.options.signer,
             std::chrono::seconds(core.options.sign_seconds)) {}

}  // namespace linkmeter
