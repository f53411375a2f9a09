// AccountingApi: what people read who keep the books: gaming days and their reports, explanations
// of meters, the journal, and what people did.
//
// Law: nothing reads the journal between two turns. A handler takes what it needs from the state,
// and the AccountingWorker reads the journal on its own thread.
#pragma once

#include <functional>
#include <vector>

#include "controller/accounting/day/day_report_worker.h"
#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/turn/controller.h"
#include "controller/web/accounting_views.h"
#include "controller/web/accounting_worker.h"
#include "controller/web/router.h"
#include "proto/http/server.h"

namespace linkmeter {

class AccountingApi {
 public:
  // All of them must outlive this. `calendar`: when the running day ends.
  AccountingApi(const State& state, const Journal& journal, DayReportWorker& reports,
                const Calendar& calendar, WebServer& server);

  [[nodiscard]] std::vector<Router::Route> routes();
  // Ends the query in progress. Queries that wait are not answered.
  void stop() { worker_.stop(); }

 private:
  WebReply meters(WebCall& call);
  WebReply claims(WebCall& call);
  WebReply days(WebCall& call);
  WebReply day(WebCall& call);
  WebReply explanation(WebCall& call);
  WebReply history(WebCall& call);
  WebReply journal(WebCall& call);
  WebReply acts(WebCall& call);
  WebReply configurations(WebCall& call);
  WebReply distribution(WebCall& call);
  // Leaves the query for the worker.
  WebReply ask(const WebCall& call, AccountingWorker::Work work);
  // `with_report`: ask for the day's report, if the day is not closed.
  [[nodiscard]] DayStatus status_of_day(const DayRecord& record, bool with_report);

  const State& state_;
  const Journal& journal_;
  DayReportWorker& reports_;
  const Calendar& calendar_;
  AccountingWorker worker_;
};

}  // namespace linkmeter
