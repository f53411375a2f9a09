// Panel: a table's dealer panel. It stands between the dealer's page (panel_transport.h), the
// session and the round driver. It asks the controller over the link about sign-ins, passes the
// dealer's actions to the round driver, and sends the state of the table to the page.
//
// Laws: a PIN is sent to the controller and then forgotten; it is never stored or logged. Without a
// controller nobody can sign in; people who are signed in stay so. Every request is answered, even
// if the controller did not answer or the agent stops. After an answer, a page reads a view at
// least as new: the round driver's answer is sent after the view that shows its effect. A resolve,
// and a void of a round or hand with pending claims, needs the signature of a person with the
// right, at that moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/values/timestamp.h"
#include "table-agent/panel/panel_state.h"
#include "table-agent/panel/panel_transport.h"

namespace linkmeter {

class Panel final : public PanelInbox {
 public:
  struct Intervals {
    std::int64_t answer_us = 5'000'000;             // for the controller to answer a sign-in
    std::int64_t view_interval_max_us = 1'000'000;  // the longest time between two views
    // The shortest time between two views of a table that plays by itself.
    std::int64_t view_interval_min_us = 50'000;
  };
  static constexpr std::size_t asked_max = 32;  // sign-ins that wait for the controller
  static constexpr std::size_t actions_max = 64;

  // `house` and the transport must outlive the panel.
  Panel(PanelTransport& edge, std::string house, Intervals intervals);
  Panel(PanelTransport& edge, std::string house) : Panel(edge, std::move(house), Intervals()) {}
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  ~Panel() override;

  // ---- the session ----
  // Called in every turn, before the round driver: takes the requests that arrived. `is_linked`:
  // the controller answers. `only_shows`: actions are not accepted here.
  void update(Timestamp now, bool is_linked, bool only_shows);
  // Returns each frame for the controller once.
  [[nodiscard]] std::vector<std::string> to_send();
  void on_reply(const TableSignedIn& answer);
  // Sent to the controller, which reports people whose roles or PIN have changed.
  [[nodiscard]] std::vector<PanelPerson> signed_in_people() { return edge_.signed_in_people(); }
  void end(const std::vector<Badge>& people) {
    for (const Badge& badge : people) edge_.end(badge);
  }
  // Sends the view if it has changed, is due, or is awaited; then sends the answers.
  void show(const PanelState& scene, Timestamp now);
  [[nodiscard]] int descriptor() const { return edge_.descriptor(); }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const;
  [[nodiscard]] bool calls_floor() const { return calls_floor_; }

  // ---- the round driver ----
  [[nodiscard]] std::optional<Asked> next() override;
  void answer(std::uint64_t ticket, const PanelAnswer& answer) override;

 private:
  // A question to the controller: a sign-in, or the signature of an action.
  struct Question {
    std::uint64_t ticket = 0;
    Timestamp since;
    std::optional<DealerAction> touch;
  };

  void take(PanelRequest request, bool is_linked);
  void touch(std::uint64_t ticket, DealerAction touch);
  void refuse(std::uint64_t ticket, std::string_view why);
  void give_answers();

  PanelTransport& edge_;
  std::string house_;
  Intervals intervals_;
  Timestamp now_;
  bool only_shows_ = false;
  std::deque<Asked> actions_;
  std::set<std::uint64_t> taken_;  // taken by the round driver, not answered yet
  // Kept until the view is sent.
  std::vector<std::pair<std::uint64_t, PanelAnswer>> answers_;
  std::vector<std::string> frames_;
  std::uint64_t last_question_ = 0;
  std::map<std::uint64_t, Question> questions_;
  bool calls_floor_ = false;
  std::string shown_;
  Timestamp shown_at_;
  bool is_dirty_ = false;  // a change waits to be sent
};

// Whether a person with these rights may do this at a panel. A sign-in needs any one of them.
bool may_act(const std::vector<std::string>& rights, const DealerAction& touch);
// Whether a person with these rights may sign it with his own PIN beside the signed-in person: only
// resolve and void.
bool may_sign(const std::vector<std::string>& rights, const DealerAction& touch);
bool may_sign_in(const std::vector<std::string>& rights);

}  // namespace linkmeter
