#include "controller/integrity/health_monitor.h"

#include <spdlog/spdlog.h>

#include <utility>
#include <vector>

#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "proto/host/command_line.h"

namespace linkmeter {

HealthMonitor::HealthMonitor(Controller& controller, const Journal& journal, Clock& clock,
                             Terms terms)
    : controller_(controller),
      journal_(journal),
      clock_(clock),
      terms_(std::move(terms)),
      recount_(terms_.recount_round) {
  if (!terms_.is_proved) background_audit_.emplace(journal_, journal_.head(), controller_.state());
}

std::set<LinkIndex> HealthMonitor::serve() {
  std::set<LinkIndex> changed;
  check_space(changed);
  recount(changed);
  watch_verification();
  return changed;
}

const std::string& HealthMonitor::watch_standby() {
  if (!fault_.empty()) return fault_;
  fault_ = new_fault();
  if (!fault_.empty()) difference_at_ = clock_.now();
  return fault_;
}

std::string HealthMonitor::new_fault() {
  const State& state = controller_.state();
  if (const auto link = recount_.due(clock_.uptime(), state.floor().links.size())) {
    if (auto wrong = mismatch(state, journal_, *link)) {
      return state.floor().link(*link).id.text() + ": " + *wrong;
    }
  }
  if (!background_audit_) return "";
  if (const auto line = background_audit_->take_progress()) spdlog::info("{}", *line);
  const auto result = background_audit_->take_result();
  if (!result) return "";
  if (!result->trouble.empty()) return "the journal cannot be verified: " + result->trouble;
  if (!result->failures.empty()) {
    return "the journal failed verification: " + result->failures.front().words;
  }
  verified_at_ = clock_.now();
  return "";
}

void HealthMonitor::check_space(std::set<LinkIndex>& changed) {
  const JournalSpace in_map = journal_.room();
  const DiskSpace room = free_bytes_on(terms_.data, in_map.bytes_free, in_map.used_fraction);
  const auto reason = shortage(room, terms_.margins);
  if (!reason) return;
  const State& state = controller_.state();
  std::vector<SelfSuspension> suspensions;
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    const LinkIndex link(index);
    if (state.link(link).suspended.empty()) suspensions.push_back({link, *reason});
  }
  if (suspensions.empty()) return;
  spdlog::error("suspend links={} reason=\"{}\"", suspensions.size(), *reason);
  changed.merge(controller_.suspend(suspensions, clock_.now()).changed);
}

void HealthMonitor::recount(std::set<LinkIndex>& changed) {
  const State& state = controller_.state();
  const auto link = recount_.due(clock_.uptime(), state.floor().links.size());
  if (!link) return;
  auto wrong = mismatch(state, journal_, *link);
  if (!wrong) return;
  spdlog::error("suspend link={} reason=\"{}\"", state.floor().link(*link).id.text(), *wrong);
  difference_at_ = clock_.now();
  changed.merge(controller_.recover(*link, *wrong, *difference_at_, terms_.alive).changed);
  // recover() replayed all entries: the audit would report what is already repaired
  background_audit_.reset();
}

std::optional<BackgroundAudit::Progress> HealthMonitor::verified() const {
  return background_audit_ ? std::optional(background_audit_->progress()) : std::nullopt;
}

void HealthMonitor::watch_verification() {
  if (!background_audit_) return;
  if (const auto line = background_audit_->take_progress()) spdlog::info("{}", *line);
  auto result = background_audit_->take_result();
  if (!result) return;
  // The result is unknown, so no entry records it; the next start runs a full check first.
  if (!result->trouble.empty()) throw Fault("the journal cannot be verified: " + result->trouble);
  std::vector<SelfChecked::Failure>& failures = result->failures;
  for (SelfChecked::Failure& failure : failures) {
    failure.words = sanitize_text(failure.words, limits::check_words_max);
  }
  const Timestamp now = clock_.now();
  static_cast<void>(controller_.record_check(failures, terms_.manifest, program_version(), now,
                                             Clock::is_synchronised()));
  if (!failures.empty()) throw Fault("the journal failed verification: " + failures.front().words);
  verified_at_ = now;
  spdlog::info("verified: all entries up to the start are valid and give the stored state");
}

}  // namespace linkmeter
