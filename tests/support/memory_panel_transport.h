// MemoryPanelTransport: the transport of a panel in a test. Requests and answers are in memory.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "table-agent/panel/panel.h"

namespace linkmeter {

class MemoryPanelTransport final : public PanelTransport {
 public:
  std::vector<PanelRequest> take() override { return std::exchange(words, {}); }
  [[nodiscard]] int descriptor() const override { return woken; }
  void answer(std::uint64_t ticket, const PanelAnswer& answer) override {
    answers[ticket] = answer.why;
    shown_before[ticket] = pictures.empty() ? "" : pictures.back();
    if (on_answer) on_answer();
  }
  void complete_sign_in(std::uint64_t ticket, const TableSignedIn& person) override {
    people[ticket] = person;
    if (on_answer) on_answer();
  }
  void show(const std::string& picture) override { pictures.push_back(picture); }

  std::vector<PanelRequest> words;
  int woken = -1;
  std::function<void()> on_answer = {};
  std::map<std::uint64_t, std::string> answers;
  // The view that was shown when the answer was given.
  std::map<std::uint64_t, std::string> shown_before;
  std::map<std::uint64_t, TableSignedIn> people;
  std::vector<std::string> pictures;
};

inline DealerAction touch_of(const std::string& text, const char* by = "D-1") {
  auto touch = std::get<DealerAction>(parse_dealer_action(R"({"touch":)" + text + "}"));
  sign(touch, Badge(by));
  return touch;
}

}  // namespace linkmeter
