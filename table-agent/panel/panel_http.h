// PanelHttp: the panel of a table over HTTP (table-agent/panel/README.md): its page, sign-in, the
// actions of signed-in people, and the view as server-sent events.
//
// Laws: without a session, only the page, the table's name and public state, and whether it is
// linked are visible. A PIN is passed on and forgotten; wrong PINs are counted as login_throttle.h
// says. A session ends with a sign-out, after ten minutes without use, when the agent ends, or
// when the controller reports that its person's roles or PIN have changed. The session's thread
// takes all requests; a descriptor wakes it, so nothing polls.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/host/file_descriptor.h"
#include "proto/http/login_throttle.h"
#include "proto/http/server.h"
#include "proto/http/sessions.h"
#include "table-agent/panel/panel_transport.h"

namespace linkmeter {

class PanelHttp final : public PanelTransport {
 public:
  static constexpr std::size_t words_max = 256;  // that the session has not taken

  // Listens at once. `trusted_origins`: the file that keeps people's trusted origins at this panel
  // over a restart (login_throttle.h); "": nothing is kept. Throws Fault.
  PanelHttp(const WebServer::Setup& setup, const TableId& table,
            std::filesystem::path trusted_origins = {});
  PanelHttp(const PanelHttp&) = delete;
  PanelHttp& operator=(const PanelHttp&) = delete;
  ~PanelHttp() override;

  [[nodiscard]] std::string url() const { return server_->url(); }

  [[nodiscard]] std::vector<PanelRequest> take() override;
  [[nodiscard]] int descriptor() const override { return woken_.get(); }
  void answer(std::uint64_t ticket, const PanelAnswer& answer) override;
  void complete_sign_in(std::uint64_t ticket, const TableSignedIn& person) override;
  [[nodiscard]] std::vector<PanelPerson> signed_in_people() override;
  void end(const Badge& badge) override;
  void show(const std::string& view) override;

 private:
  // A waiting request, with what its answer needs.
  struct Waiting {
    WebRequest request;  // without its body if it has a PIN
    std::string action;  // of a dealer's action; "": a sign-in
    // For a request with a PIN: the badge, and the origin of the attempt.
    Badge badge = {};
    std::string from = {};  // "badge/D-1", "D-1 at 10.0.0.1", "10.0.0.1"; "": no PIN
    bool is_untrusted_origin = false;
  };

  // These run on the server's thread with the mutex held.
  WebReply handle(const WebRequest& request, RequestId ticket);
  WebReply handle_get(const WebRequest& request);
  WebReply sign_in(const WebRequest& request, RequestId ticket);
  // For a request with a PIN: returns the answer if the person must wait. Otherwise it counts as a
  // wrong PIN until settle().
  std::optional<WebResponse> try_pin(const WebRequest& request, const WebSession* session,
                                     Waiting& waiting);
  // Records whether the PIN was right; nullopt: not known.
  void settle(const Waiting& waiting, std::optional<bool> is_right);
  WebReply sign_out(const WebRequest& request);
  WebReply touch(const WebRequest& request, RequestId ticket);
  // Hands the request to the session's thread, which answers it later. `session`: of the person who
  // signs; nullptr: none.
  WebReply later(const WebRequest& request, const WebSession* session, Waiting waiting,
                 PanelRequest word);

  [[nodiscard]] WebResponse me(const WebSession& session) const;
  void store_trusted_origins();
  void end_sessions(const std::function<bool(const WebSession&)>& is_over = {});

  std::mutex mutex_;  // guards all members below except the server
  WebSessions sessions_;
  LoginThrottle tries_;
  std::filesystem::path origins_file_;
  std::uint64_t kept_version_ = 0;  // the trusted_origins_version() of the file
  // The version of the sessions that the server has.
  std::uint64_t sent_version_ = 0;
  std::map<std::uint64_t, TableSignedIn> people_;  // by session
  std::map<std::uint64_t, Waiting> waiting_;       // by ticket
  std::vector<PanelRequest> words_;
  std::string public_;  // the table's public state
  std::uint64_t sequence_ = 0;
  std::vector<std::string> hosts_;
  bool is_secure_ = false;
  FileDescriptor woken_;
  std::unique_ptr<WebServer> server_;  // last: its thread uses all members above
};

}  // namespace linkmeter
