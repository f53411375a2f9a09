// Panel web: the panel of a table over HTTP (table-agent/panel/README.md): its page, sign-in, the
// touches of who is signed in, and the picture as server-sent events.
//
// Laws: whoever is not signed in sees the page, the table's name and whether it is linked, nothing
// else. A PIN is handed on and forgotten; wrong ones are counted as login_throttle.h says. A
// session is over by sign-out, after ten minutes without a touch, with the agent, and when the
// controller says that its person is no longer what he was. Everything that came is taken by the
// session's thread, woken by a descriptor: nobody polls.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
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

  // Listens at once. `homes`: the file that keeps where people are at home at this panel over a
  // restart (login_throttle.h); "": nothing is kept. Throws Fault.
  PanelHttp(const WebServer::Setup& setup, const TableId& table, std::filesystem::path homes = {});
  PanelHttp(const PanelHttp&) = delete;
  PanelHttp& operator=(const PanelHttp&) = delete;
  ~PanelHttp() override;

  [[nodiscard]] std::string url() const { return server_->url(); }

  [[nodiscard]] std::vector<PanelRequest> take() override;
  [[nodiscard]] int descriptor() const override { return woken_.get(); }
  void answer(std::uint64_t ticket, const PanelAnswer& answer) override;
  void let_in(std::uint64_t ticket, const TableSignedIn& person) override;
  [[nodiscard]] std::vector<PanelPerson> who_is_in() override;
  void end(const Badge& badge) override;
  void show(const std::string& picture) override;

 private:
  // A request that waits: what its answer needs of it.
  struct Waiting {
    WebRequest request;  // of what has a PIN, without its body
    std::string action;  // of a touch; "": a sign-in
    // Of what has a PIN: whose, and who tries.
    Badge badge = {};
    std::string from = {};  // "badge/D-1", "D-1 at 10.0.0.1", "10.0.0.1"; "": no PIN
    bool is_strange = false;
  };

  // All of these on the server's thread, the mutex held.
  WebReply handle(const WebRequest& request, RequestId ticket);
  WebReply handle_get(const WebRequest& request);
  WebReply sign_in(const WebRequest& request, RequestId ticket);
  // One with a PIN: the answer where he must wait. Else it counts as a wrong one, for now.
  std::optional<WebResponse> try_pin(const WebRequest& request, const WebSession* session,
                                     Waiting& waiting);
  // What its PIN turned out to be; nullopt: nobody knows.
  void settle(const Waiting& waiting, std::optional<bool> is_right);
  WebReply sign_out(const WebRequest& request);
  WebReply touch(const WebRequest& request, RequestId ticket);
  // With a badge and PIN of its own, from `body`.
  WebReply touch_signed(const WebRequest& request, RequestId ticket, const WebSession& session,
                        DealerAction touched, const nlohmann::json& body);
  WebReply later(RequestId ticket, Waiting waiting, PanelRequest word);

  [[nodiscard]] WebResponse me(const WebSession& session) const;
  void store_homes();
  void end_sessions(const std::function<bool(const WebSession&)>& is_over = {});

  std::mutex mutex_;  // over everything below but the server
  WebSessions sessions_;
  LoginThrottle tries_;
  std::filesystem::path homes_;
  std::uint64_t homes_kept_ = 0;                   // homes_version() that the file has
  std::uint64_t told_version_ = 0;                 // of the sessions, that the server knows
  std::map<std::uint64_t, TableSignedIn> people_;  // by session
  std::map<std::uint64_t, Waiting> waiting_;       // by ticket
  std::vector<PanelRequest> words_;
  std::string public_;  // what everybody may know of the table
  std::uint64_t sequence_ = 0;
  std::vector<std::string> hosts_;
  bool is_secure_ = false;
  FileDescriptor woken_;
  std::unique_ptr<WebServer> server_;  // last: its thread uses everything above
};

}  // namespace linkmeter
