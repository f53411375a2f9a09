// WorkerThreads: the controller's work on other threads: slips, day reports, signatures.
#pragma once

#include "controller/accounting/day/day_report_worker.h"
#include "controller/core.h"
#include "controller/integrity/journal_signer.h"
#include "controller/slips/slip_printer.h"

namespace linkmeter {

struct WorkerThreads {
  SlipPrinter slip_printer;
  DayReportWorker day_reports;
  JournalSigner signer;

  // `core` must outlive this.
  explicit WorkerThreads(const Core& core);
};

}  // namespace linkmeter
