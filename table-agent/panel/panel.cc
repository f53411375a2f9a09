#include "table-agent/panel/panel.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "proto/host/secret.h"
#include "table-agent/panel/panel_driver.h"
#include "table-agent/panel/panel_view.h"

namespace linkmeter {

namespace {

constexpr std::string_view runs_rounds = "run_rounds";
constexpr std::string_view resolves_counts = "resolve_counts";
constexpr std::string_view validates_claims = "validate_claims";
constexpr std::array<std::string_view, 4> panel_rights = {runs_rounds, resolves_counts,
                                                          validates_claims, "verify_bad_beats"};

bool has(const std::vector<std::string>& rights, std::string_view right) {
  return std::find(rights.begin(), rights.end(), right) != rights.end();
}

template <class Command>
bool says(const DealerAction& touch) {
  const auto* submitted = std::get_if<touch::Submit>(&touch.word);
  return submitted != nullptr && std::holds_alternative<Command>(submitted->command);
}

}  // namespace

bool may_act(const std::vector<std::string>& rights, const DealerAction& touch) {
  if (std::holds_alternative<touch::CallFloor>(touch.word)) return may_sign_in(rights);
  return has(rights, runs_rounds) && !says<ResolveCount>(touch);
}

bool may_sign(const std::vector<std::string>& rights, const DealerAction& touch) {
  return (says<ResolveCount>(touch) && has(rights, resolves_counts)) ||
         (says<VoidRound>(touch) && has(rights, validates_claims));
}

bool may_sign_in(const std::vector<std::string>& rights) {
  return std::any_of(panel_rights.begin(), panel_rights.end(),
                     [&rights](std::string_view right) { return has(rights, right); });
}

Panel::Panel(PanelTransport& edge, std::string house, Intervals intervals)
    : edge_(edge), house_(std::move(house)), intervals_(intervals) {}

Panel::~Panel() {
  give_answers();
  for (const Asked& request : actions_) refuse(request.ticket, "stopping");
  for (const std::uint64_t ticket : taken_) refuse(ticket, "stopping");
  for (const auto& [number, question] : questions_) refuse(question.ticket, "stopping");
}

void Panel::update(Timestamp now, bool is_linked, bool only_shows) {
  now_ = now;
  only_shows_ = only_shows;
  for (PanelRequest& request : edge_.take()) take(std::move(request), is_linked);
  for (auto question = questions_.begin(); question != questions_.end();) {
    if (is_linked && !has_passed(question->second.since, intervals_.answer_us, now)) {
      ++question;
      continue;
    }
    refuse(question->second.ticket, is_linked ? "no_answer" : "no_controller");
    question = questions_.erase(question);
  }
  if (!is_linked) {
    for (std::string& frame : frames_) forget(frame);
    frames_.clear();
  }
}

void Panel::take(PanelRequest request, bool is_linked) {
  if (!request.signature) return touch(request.ticket, std::move(*request.touch));
  PanelSignature& signature = *request.signature;
  if (!is_linked || questions_.size() >= asked_max) {
    forget(signature.pin);
    return refuse(request.ticket, is_linked ? "busy" : "no_controller");
  }
  TableSignIn sign_in{++last_question_, signature.badge, std::move(signature.pin),
                      signature.is_untrusted_origin};
  frames_.push_back(encode(sign_in));
  forget(sign_in.pin);
  questions_.emplace(last_question_, Question{request.ticket, now_, std::move(request.touch)});
}

std::vector<std::string> Panel::to_send() { return std::exchange(frames_, {}); }

void Panel::on_reply(const TableSignedIn& answer) {
  auto found = questions_.extract(answer.question);
  if (found.empty()) return;  // too late
  Question& question = found.mapped();
  if (answer.wait_s > 0) {
    return edge_.answer(
        question.ticket,
        {"too_many_failures", "too many wrong PINs: wait " + std::to_string(answer.wait_s) + " s"});
  }
  if (answer.refusal != Refusal::none) return refuse(question.ticket, name(answer.refusal));
  if (!question.touch) {
    if (!may_sign_in(answer.rights)) return refuse(question.ticket, "right_missing");
    return edge_.complete_sign_in(question.ticket, answer);
  }
  if (!may_sign(answer.rights, *question.touch)) return refuse(question.ticket, "right_missing");
  sign(*question.touch, answer.badge);
  touch(question.ticket, std::move(*question.touch));
}

void Panel::touch(std::uint64_t ticket, DealerAction touch) {
  if (const auto* call = std::get_if<touch::CallFloor>(&touch.word)) {
    calls_floor_ = call->calls;
    return answer(ticket, {});
  }
  if (only_shows_) return refuse(ticket, "read_only");
  if (actions_.size() >= actions_max) return refuse(ticket, "busy");
  actions_.push_back({ticket, std::move(touch)});
}

void Panel::refuse(std::uint64_t ticket, std::string_view why) {
  edge_.answer(ticket, {std::string(why), panel_words(why)});
}

std::optional<PanelInbox::Asked> Panel::next() {
  if (actions_.empty()) return std::nullopt;
  Asked first = std::move(actions_.front());
  actions_.pop_front();
  taken_.insert(first.ticket);
  return first;
}

void Panel::answer(std::uint64_t ticket, const PanelAnswer& answer) {
  taken_.erase(ticket);
  answers_.emplace_back(ticket, answer);
}

void Panel::give_answers() {
  for (const auto& [ticket, answer] : std::exchange(answers_, {})) edge_.answer(ticket, answer);
}

void Panel::show(const PanelState& scene, Timestamp now) {
  const bool is_due = has_passed(shown_at_, intervals_.view_interval_max_us, now);
  // A table that plays by itself changes faster than people can read.
  is_dirty_ = scene.only_shows() && answers_.empty() &&
              !has_passed(shown_at_, intervals_.view_interval_min_us, now);
  if (is_dirty_) return;
  std::string view = panel_view_json(scene, house_);
  if (is_due || view != shown_) {
    edge_.show(view);
    shown_ = std::move(view);
    shown_at_ = now;
  }
  give_answers();
}

std::optional<Timestamp> Panel::wakes_at() const {
  Timestamp next = shown_at_.after(is_dirty_ ? intervals_.view_interval_min_us
                                             : intervals_.view_interval_max_us);
  for (const auto& [number, question] : questions_) {
    next = std::min(next, question.since.after(intervals_.answer_us));
  }
  return next;
}

}  // namespace linkmeter
