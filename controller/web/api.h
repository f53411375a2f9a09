// HttpApi: the controller's pages between the server's thread and the loop of turns. What hangs on
// nothing but what was published is answered on the server's thread; what needs the state waits for
// the loop, which takes a few requests between two turns; what needs a PIN goes on to the
// Authenticator and to the turn, like every act of a person.
//
// Laws: so many requests wait, the next is told that there is too much to do; the loop takes so
// many between two turns, so that nobody's asking keeps a table waiting; no page acts for a person
// without his PIN, whatever session it has; nothing of a claim is read without a session of
// somebody who has to do with claims. Wrong PINs are counted as login_throttle.h says, and places
// among those that wait for the Authenticator are kept for who is signed in or at home; badges take
// turns there, signed in or not, and right PINs of one badge are rated, so nobody keeps the others
// out. What was answered "not known yet" is not begun afterwards.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/accounting/day/day_report_worker.h"
#include "controller/auth/authenticator.h"
#include "controller/signs/sign_image_worker.h"
#include "controller/slips/slip_printer.h"
#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/view/json.h"
#include "controller/web/accounting_views.h"
#include "controller/web/accounting_worker.h"
#include "controller/web/fair_queue.h"
#include "proto/host/file_descriptor.h"
#include "proto/http/login_throttle.h"
#include "proto/http/server.h"
#include "proto/http/sessions.h"
#include "proto/http/static_files.h"

namespace linkmeter {

class HttpApi final : public LoginSource {
 public:
  // Of one: of a session, or of an address without one.
  static constexpr FairQueueBounds waiting_bounds{128, 128, 64};
  static constexpr std::size_t taken_per_loop_max = 4;
  // Of one: of a badge that is signed in or at home, or of an address.
  static constexpr FairQueueBounds pins_bounds{40, 24, 8};
  static constexpr FairQueueBounds listings_bounds{16, 0, 4};  // of one badge
  static constexpr std::size_t listed_per_loop_max = 4;        // claims

  // Listens at once. Throws Fault. What it is given must outlive this, and the floor's links are
  // those of `controller` for ever.
  HttpApi(const WebServer::Setup& setup, const Controller& controller, const Journal& journal,
          std::vector<std::string> own_hosts);
  ~HttpApi() override {
    stills_.stop();
    accounts_->stop();
  }
  HttpApi(const HttpApi&) = delete;
  HttpApi& operator=(const HttpApi&) = delete;

  [[nodiscard]] WebServer& server() { return *server_; }
  // Where GET /slips/N.pdf finds the stored copies. REQUIRES: called before the first serve(); the
  // press outlives this.
  void set_slip_printer(SlipPrinter& press) { slip_printer_ = &press; }

  // Where the reports of gaming days are, and when the running one ends. REQUIRES: likewise.
  void set_days(DayReportWorker& worker, const Calendar& calendar) {
    day_report_worker_ = &worker;
    calendar_ = &calendar;
  }

  // Readable while requests wait for serve().
  [[nodiscard]] int descriptor() const { return wake_.get(); }
  // Takes some of what waits: answers it, or leaves it for the Authenticator.
  void serve(Moment now);
  // More waits than one serve() takes.
  [[nodiscard]] bool has_more() const { return has_more_; }

  std::optional<LoginRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return !pins_.empty(); }
  // What became of a request with a PIN. REQUIRES: `told` is of the web.
  void answer(const Controller::Told& told, Moment now);
  // A person may be another one now: sessions that were his end.
  void end_sessions(Moment now);
  // Whose PINs were tried, and from which addresses: for what outlasts a restart, and for the
  // journal.
  [[nodiscard]] LoginThrottle& tries() { return tries_; }

 private:
  struct Waiting {
    RequestId ticket;
    WebRequest request;
    std::string badge = {};  // who is signed in, once the session was looked for
  };
  // An act that is on its way through PIN and turn.
  struct Acting {
    RequestId ticket;
    WebRequest request;       // without its body
    ClaimNumber claim;        // that it is about; 0: none
    LoginRequest asked;       // until the Authenticator has it
    std::string from;         // whose tries they are: "badge/F-1", "F-1 at 10.0.0.1", "10.0.0.1"
    bool is_strange = false;  // tries_ counts it
    Badge untrusted_witness;  // whose PIN is given too, away from home: tries_ counts it
  };
  // What its person was when a session began. It ends when the PIN changes, by this
  // person or by others: the one who opened it may have known the old PIN only.
  struct Began {
    std::set<Role> roles;
    std::string pin;  // as the state keeps it
  };
  // A list of claims that is made a few at a time.
  struct Listing {
    RequestId ticket;
    std::deque<ClaimNumber> left;
    Json list;
  };
  struct Signed {
    const Person* person = nullptr;
    const WebSession* session = nullptr;
  };

  WebReply take(const WebRequest& request, RequestId ticket);  // on the server's thread
  std::optional<WebReply> public_reply(const WebRequest& request, RequestId ticket);
  std::optional<WebReply> page(const WebRequest& request) const;
  WebReply open_signs(const WebRequest& request) const;
  // One frame of a sign, as a picture.
  WebReply still(const std::string& link, const WebRequest& request, RequestId ticket);
  WebResponse meters() const;

  void serve_one(Waiting waiting, Moment now);
  void read(Waiting waiting, Moment now);  // get(), or the answer that it cannot be read
  static WebResponse not_read(const std::exception& error);
  void get(Waiting& waiting, Moment now);
  void post(Waiting waiting, Moment now);
  void sign_in(Waiting waiting, const Json& body, Moment now);
  void act(Waiting waiting, const Json& body, const WebSession& session, Moment now);
  // Leaves it for the Authenticator, or says why not.
  void ask_pin(Waiting waiting, LoginRequest asked, ClaimNumber claim, const WebSession* session,
               Moment now);
  // Tells that there is too much to do. REQUIRES: its PIN was not looked at.
  void drop(Acting acting);
  [[nodiscard]] LoginThrottle& tries_of(const Badge& badge);
  // What its PIN turned out to be.
  void settle(const Acting& acting, const Badge& by, Refusal refusal, Moment now);
  void settle_witness(const Acting& acting, Refusal refusal, Moment now);
  // Whom the server keeps places for, if that changed.
  void tell_server();
  void answer(RequestId ticket, WebResponse response) {
    server_->answer(ticket, std::move(response));
  }
  void note_own_pin(const WebRequest& request, const Badge& badge, Moment now);
  WebResponse signed_in(const WebRequest& request, const Badge& badge, Moment now);
  [[nodiscard]] Json me(const WebSession& session) const;
  // Answers, or begins a listing.
  void claims(const Waiting& waiting);
  void go_on_listing(Moment now);
  bool list_next(Listing& listing, Moment now);
  [[nodiscard]] WebResponse claim(const std::string& number, Moment now) const;
  [[nodiscard]] WebResponse slip(const std::string& number, Moment now) const;
  [[nodiscard]] WebResponse stored_slip(const std::string& number) const;
  [[nodiscard]] WebResponse accounting() const;
  // accounting_api.cc. REQUIRES: somebody who keeps the books.
  void read_accounts(const Waiting& waiting, Moment now);
  void ask_accounts(const Waiting& waiting, AccountingWorker::Work work);
  void tell_open_claims(const Waiting& waiting, Moment now);
  [[nodiscard]] DayTold told_of(const DayRecord& record, bool looks);
  void tell_days(const Waiting& waiting);
  void tell_day(const Waiting& waiting, const std::string& name);
  void explanation_page(const Waiting& waiting);
  void tell_history(const Waiting& waiting, const std::string& link);
  void tell_journal(const Waiting& waiting);
  void tell_acts(const Waiting& waiting);
  void tell_distribution(const Waiting& waiting);
  [[nodiscard]] WebResponse rounds(const std::string& table) const;
  [[nodiscard]] Json whole(const Claim& claim, Moment now) const;
  [[nodiscard]] const State& state() const { return controller_.state(); }
  void end_stream_of(std::uint64_t session);

  const Controller& controller_;
  const Journal& journal_;
  std::vector<std::string> own_hosts_;
  SlipPrinter* slip_printer_ = nullptr;
  DayReportWorker* day_report_worker_ = nullptr;
  const Calendar* calendar_ = nullptr;
  StaticFiles pages_;
  std::set<std::string> links_;  // ids; read on the server's thread
  FileDescriptor wake_;
  std::mutex waiting_mutex_;
  FairQueue<Waiting> waiting_{waiting_bounds};
  bool has_more_ = false;
  WebSessions sessions_;
  std::uint64_t told_version_ = 0;             // of the sessions, that the server knows
  LoginThrottle tries_, unknown_badge_tries_;  // apart: made-up badges push no real one out
  std::optional<Listing> listing_;             // that is being made
  FairQueue<Listing> listings_{listings_bounds};
  std::map<std::uint64_t, Began> began_;  // by session
  FairQueue<Acting> pins_{pins_bounds};
  std::map<std::string, Acting> acting_;        // by ticket, as the turn calls it
  std::atomic<bool> is_made_ = false;           // before that a request comes too early
  SignImageWorker stills_;                      // answers by the server: stops before it
  std::unique_ptr<AccountingWorker> accounts_;  // likewise
  std::unique_ptr<WebServer> server_;           // last: its thread ends first
};

}  // namespace linkmeter
