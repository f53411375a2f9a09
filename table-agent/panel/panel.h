// Panel: a table's dealer panel, between the page of a dealer (panel_transport.h), the session and
// the play: who signs in is asked of the controller over the link, what is touched goes to the
// play, and what the table looks like goes to the page.
//
// Laws: a PIN is asked of the controller and forgotten; it is never stored or told. Without a
// controller nobody signs in; who is signed in stays. Every request is answered, also where the
// controller did not answer, or the agent is being stopped. After the answer a page reads a
// picture at least as new: what the play answers is given when the picture that shows it is out.
// A resolve, and a void of what has pending claims, are signed at that moment by a person with the
// right to it.
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
    std::int64_t answer_us = 5'000'000;   // the controller's, to a sign-in
    std::int64_t picture_us = 1'000'000;  // a picture comes at least so often,
    std::int64_t watch_us = 50'000;       // and of a table that plays by itself at most so often
  };
  static constexpr std::size_t asked_max = 32;  // sign-ins that wait for the controller
  static constexpr std::size_t touches_max = 64;

  // `house` and the edge are for as long as this lives.
  Panel(PanelTransport& edge, std::string house, Intervals intervals);
  Panel(PanelTransport& edge, std::string house) : Panel(edge, std::move(house), Intervals()) {}
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  ~Panel() override;

  // ---- the session ----
  // In every turn, before the play: takes what has come. `is_linked`: the controller answers.
  // `only_shows`: nobody takes touches here.
  void update(Timestamp now, bool is_linked, bool only_shows);
  // The frames that ask the controller, once.
  [[nodiscard]] std::vector<std::string> to_send();
  void on_reply(const TableSignedIn& answer);
  // For the controller, which tells who is no longer what he was.
  [[nodiscard]] std::vector<PanelPerson> who_is_in() { return edge_.who_is_in(); }
  void end(const std::vector<Badge>& people) {
    for (const Badge& badge : people) edge_.end(badge);
  }
  // Shows the scene, where it has changed, or is due, or somebody waits for it; then gives the
  // answers.
  void show(const PanelState& scene, Timestamp now);
  [[nodiscard]] int descriptor() const { return edge_.descriptor(); }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const;
  [[nodiscard]] bool calls_floor() const { return calls_floor_; }

  // ---- the play ----
  [[nodiscard]] std::optional<Asked> next() override;
  void answer(std::uint64_t ticket, const PanelAnswer& answer) override;

 private:
  // A question to the controller: a sign-in, or who signs a touch.
  struct Question {
    std::uint64_t ticket = 0;
    Timestamp since;
    std::optional<DealerAction> touch;
  };

  void take(PanelSignIn word, bool is_linked);
  void take(PanelActionRequest word, bool is_linked);
  void take(PanelSigned word, bool is_linked);
  void ask(TableSignIn asked, Question question, bool is_linked);
  void touch(std::uint64_t ticket, DealerAction touch);
  void refuse(std::uint64_t ticket, std::string_view why);
  void give_answers();

  PanelTransport& edge_;
  std::string house_;
  Intervals intervals_;
  Timestamp now_;
  bool only_shows_ = false;
  std::deque<Asked> touches_;
  std::set<std::uint64_t> taken_;  // by the play, which has not answered them
  // Until the picture is out.
  std::vector<std::pair<std::uint64_t, PanelAnswer>> answers_;
  std::vector<std::string> frames_;
  std::uint64_t last_question_ = 0;
  std::map<std::uint64_t, Question> questions_;
  bool calls_floor_ = false;
  std::string shown_;
  Timestamp shown_at_;
  bool is_dirty_ = false;  // a change waits for its moment
};

// May a person with these rights do this at a panel? For a sign-in alone, any of them is enough.
bool may_touch(const std::vector<std::string>& rights, const DealerAction& touch);
// And sign it with his own PIN, beside the person who is signed in? Resolve and void alone.
bool may_sign(const std::vector<std::string>& rights, const DealerAction& touch);
bool may_sign_in(const std::vector<std::string>& rights);

}  // namespace linkmeter
