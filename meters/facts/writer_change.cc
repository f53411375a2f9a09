#include "meters/facts/writer_change.h"

#include "meters/values/enum_names.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/time_text.h"

namespace linkmeter {

namespace {

constexpr EnumNames<WriterReason::started, WriterReason::left> writer_reason_names{
    "started", "expired", "handover", "left"};

std::string takeover_cause(WriterReason reason) {
  switch (reason) {
    case WriterReason::started: return "there was no writer";
    case WriterReason::expired: return "gone";
    case WriterReason::handover: return "handed over";
    case WriterReason::left: return "alone, without the cluster";
  }
  return "";
}

// "3.2 s"
std::string tenths_text(std::int64_t microseconds) {
  constexpr std::int64_t tenth_us = 100'000, tenths_per_second = 10;
  const std::int64_t tenths = microseconds / tenth_us;
  return std::to_string(tenths / tenths_per_second) + "." +
         std::to_string(tenths % tenths_per_second) + " s";
}

}  // namespace

std::string_view name(WriterReason reason) { return writer_reason_names.of(reason); }

std::optional<std::string> writer_violation(const std::optional<WriterChanged>& last,
                                            const WriterChanged& changed) {
  if (!is_well_formed_name(changed.node)) return "a writer without a name";
  if (changed.epoch <= (last ? last->epoch : 0)) return "a later writer has taken over";
  if (changed.epoch > limits::writer_epoch_max) return "an epoch that cannot be";
  if (changed.before != (last ? last->node : "")) return "another writer was before it";
  if (changed.gap_us < 0 || changed.gap_us > limits::writer_gap_us_max) {
    return "a time without a writer that cannot be";
  }
  return std::nullopt;
}

bool may_write_alone(const std::optional<WriterChanged>& last, const std::string& node) {
  return !last || (last->reason == WriterReason::left && last->node == node);
}

std::optional<std::string> leave_violation(const Enrolments& enrolments,
                                           const std::optional<WriterChanged>& last,
                                           EntryNumber last_entry, const LeaveCluster& leave) {
  if (enrolments.find(EnrolmentKind::node, leave.node) == nullptr) {
    return "a node that is not enrolled";
  }
  if (last && last->epoch >= limits::writer_epoch_max) return "no epoch can follow";
  if (leave.head == EntryNumber() || leave.head > last_entry) return "an entry that is not there";
  return std::nullopt;
}

WriterChanged writer_after(const std::optional<WriterChanged>& last, const LeaveCluster& leave) {
  return {leave.node, last ? last->epoch + 1 : 1, WriterReason::left, last ? last->node : "", 0};
}

std::string summary(const LeaveCluster& leave) {
  return "node " + leave.node + " leaves the cluster and goes on alone after entry " +
         std::to_string(leave.head.value()) + " of " + utc_text(leave.head_at) +
         (leave.has_caught_up ? "" : ", the last of a backup: it lacks what came after");
}

std::string sentence(const WriterChanged& changed) {
  const std::string after = changed.before.empty() ? "" : " after " + changed.before;
  return changed.node + " is the writer" + after + " (" + takeover_cause(changed.reason) + "); " +
         tenths_text(changed.gap_us) + " without a writer";
}

}  // namespace linkmeter
