// HttpApi: everything that the controller serves over HTTP. It owns the server, the router with its
// services, and the queue between the server's thread and the loop of turns.
//
// A request that needs only what was published is answered on the server's thread (PublicPages).
// Every other request waits for the loop. A request that acts for a person then waits for the
// Authenticator (LoginQueue) and for the turn, as every command of a person does.
//
// Laws: the queue is bounded, and a request that finds it full is answered that the controller is
// busy. The loop takes a bounded number of requests between two turns, so no number of requests
// delays a table. Askers take turns (FairQueue). Nothing of the books or of a claim is read without
// a session of a person who may (Access). A POST is only taken from a page of this server, with the
// session's token. A request that was answered "outcome unknown" is not carried out afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/day/day_report_worker.h"
#include "controller/auth/authenticator.h"
#include "controller/slips/slip_printer.h"
#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/web/accounting_api.h"
#include "controller/web/claims_api.h"
#include "controller/web/fair_queue.h"
#include "controller/web/login_queue.h"
#include "controller/web/operator_api.h"
#include "controller/web/public_pages.h"
#include "controller/web/router.h"
#include "controller/web/session_service.h"
#include "controller/web/slips_api.h"
#include "proto/host/wakeup.h"
#include "proto/http/server.h"
#include "proto/http/sessions.h"

namespace linkmeter {

class HttpApi final : public PinRequestSource {
 public:
  // The places of one asker: a session, or an address without one.
  static constexpr FairQueueBounds waiting_bounds{128, 128, 64};
  static constexpr std::size_t taken_per_loop_max = 4;

  // What the pages show. All must outlive this. The links of the controller's floor never change.
  struct Subjects {
    const Controller& controller;
    const Journal& journal;
    SlipPrinter& slip_printer;  // its zone is the one in which pages show the time
    DayReportWorker& day_reports;
    const Calendar& calendar;  // when the running day ends
  };

  // Listens at once. Throws Fault. `own_hosts`: the names by which browsers may call this server.
  HttpApi(const WebServer::Setup& setup, const Subjects& subjects,
          std::vector<std::string> own_hosts);
  ~HttpApi() override;
  HttpApi(const HttpApi&) = delete;
  HttpApi& operator=(const HttpApi&) = delete;

  [[nodiscard]] WebServer& server() { return *server_; }

  // Readable while requests wait for serve().
  [[nodiscard]] int descriptor() const { return wake_.descriptor(); }
  // Takes some of the waiting requests, and answers each or leaves it for the Authenticator.
  void serve(Moment now);
  // Whether more waits than one serve() takes.
  [[nodiscard]] bool has_more() const { return has_more_; }

  std::optional<PinRequest> next() override { return logins_.next(); }
  [[nodiscard]] bool is_waiting() const override { return logins_.is_waiting(); }
  // The turn's reply to a request that next() gave. REQUIRES: reply.source is web.
  void answer(const Controller::SocketReply& reply, Moment now) { logins_.answer(reply, now); }
  // Ends the sessions of people who have changed.
  void end_sessions(Moment now) { sessions_.end(now); }
  // The wrong PINs: for the file that outlasts a restart, and for the journal.
  [[nodiscard]] LoginThrottle& tries() { return logins_.throttle(); }

 private:
  struct Waiting {
    const Router::Route* route = nullptr;
    WebCall call;
  };

  // On the server's thread.
  WebReply take(const WebRequest& request, RequestId ticket);
  // Leaves the call for the loop.
  WebReply wait(Waiting waiting);

  // On the loop's thread.
  std::deque<Waiting> take_waiting();
  WebReply serve_one(Waiting& waiting);
  WebReply read(const Router::Route& route, WebCall& call);
  WebReply post(const Router::Route& route, WebCall& call);
  void answer(RequestId ticket, WebReply reply);

  const State& state_;
  std::vector<std::string> own_hosts_;
  Wakeup wake_;
  std::mutex waiting_mutex_;
  FairQueue<Waiting> waiting_{waiting_bounds};
  bool has_more_ = false;
  WebSessions web_sessions_;
  std::atomic<bool> is_ready_ = false;  // the members below are made: requests may come
  std::unique_ptr<WebServer> server_;   // the destructor ends it before the members below
  LoginQueue logins_;
  SessionService sessions_;
  PublicPages pages_;
  ClaimsApi claims_;
  SlipsApi slips_;
  AccountingApi accounting_;
  OperatorApi operator_;
  Router router_;
};

}  // namespace linkmeter
