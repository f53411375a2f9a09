// PanelBench: a dealer at a panel in a test. Actions are JSON texts, answers are names. It works
// with or without a device. Controller and table are those of DeviceBench (C4-01 of small_floor.h:
// six seats, one $5 progressive), or any other table.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "table-agent/panel/panel_view.h"
#include "tests/support/device_bench.h"

namespace linkmeter {

class MemoryPanel final : public PanelInbox {
 public:
  std::uint64_t put(DealerAction touch) {
    waiting_.push_back({++last_, std::move(touch)});
    return last_;
  }
  std::optional<Asked> next() override {
    if (waiting_.empty()) return std::nullopt;
    Asked asked = std::move(waiting_.front());
    waiting_.pop_front();
    return asked;
  }
  void answer(std::uint64_t ticket, const PanelAnswer& answer) override {
    ++answer_count;
    answers[ticket] = answer;
  }

  std::map<std::uint64_t, PanelAnswer> answers;
  int answer_count = 0;

 private:
  std::deque<Asked> waiting_;
  std::uint64_t last_ = 0;
};

// The result of an action without an answer yet.
inline constexpr const char* no_answer_yet = "(none yet)";

class PanelBench {
 public:
  explicit PanelBench(bool has_device = false, std::optional<TableOffers> table = {})
      : bench(DeviceBench::Driven{&panel, has_device, std::move(table)}) {
    bench.turn();
  }

  // Submits {"do":"count","chips":2} with a new id and the current round; a turn follows. Returns
  // "" if done, otherwise the reason.
  std::string touch(const std::string& text) { return touch_as("t" + std::to_string(++id_), text); }
  std::string touch_as(const std::string& id, const std::string& text) {
    const std::uint64_t ticket = put(id, text);
    bench.turn();
    return answer_to(ticket);
  }
  std::uint64_t put(const std::string& id, const std::string& text) {
    const RoundId round = scene().round_id();
    std::string body = R"({"touch":{"id":")" + id + R"(",)";
    const bool names_none =
        text.find("\"round\"") != std::string::npos || text.find("open_bets") != std::string::npos;
    if (!round.empty() && !names_none) {
      body += R"("round":")" + round.text() + R"(",)";
    }
    auto parsed = parse_dealer_action(body + text.substr(1) + "}");
    if (const auto* error = std::get_if<DealerActionError>(&parsed))
      throw std::runtime_error(error->message);
    auto& touch = std::get<DealerAction>(parsed);
    sign(touch, Badge("D-1"));
    return panel.put(std::move(touch));
  }
  std::string answer_to(std::uint64_t ticket) {
    const auto found = panel.answers.find(ticket);
    return found == panel.answers.end() ? no_answer_yet : found->second.why;
  }
  std::string words_to(std::uint64_t ticket) { return panel.answers.at(ticket).words; }

  [[nodiscard]] PanelState scene() const {
    const RoundMachine& machine = *bench.play().machine();
    PanelState scene{machine.table(), machine.round()};
    scene.machine = &machine;
    scene.betting = machine.betting();
    scene.sensors = bench.play().sensors();
    scene.locked_by = bench.surroundings.locked_by;
    return scene;
  }
  [[nodiscard]] std::string picture() const { return panel_view_json(scene(), "Demo Casino"); }

  // A round of chips at these seats, counted and accepted.
  void deal(const std::vector<int>& seats) {
    touch(R"({"do":"open_bets"})");
    for (const int seat : seats) place(seat);
    touch(R"({"do":"close_bets"})");
    touch(R"({"do":"count","chips":)" + std::to_string(seats.size()) + "}");
    bench.answer();
  }
  std::string place(int seat) {
    return touch(R"({"do":"place","seat":)" + std::to_string(seat) +
                 R"(,"wager":"crazy-4/five-card","amount":"5.00"})");
  }

  MemoryPanel panel;
  DeviceBench bench;

 private:
  int id_ = 0;
};

}  // namespace linkmeter
