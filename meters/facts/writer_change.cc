#include "meters/facts/writer_change.h"

#include "meters/values/enum_names.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

constexpr EnumNames<WriterReason::started, WriterReason::left> writer_reason_names{
    "started", "expired", "handover", "left"};

std::string takeover_cause(WriterReason reason) {
  switch (reason) {
    case WriterReason::started: return "there was no writer";
    case WriterReason::expired: return "the lease ended";
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

std::string sentence(const WriterChanged& changed) {
  const std::string after = changed.before.empty() ? "" : " after " + changed.before;
  return changed.node + " is the writer" + after + " (" + takeover_cause(changed.reason) + "); " +
         tenths_text(changed.gap_us) + " without a writer";
}

}  // namespace linkmeter
