// ClusterPlant: a deliberate mistake in the commit protocol of a simulated cluster. The judge must
// detect each of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace linkmeter {

enum class ClusterPlant : std::uint8_t {
  none,
  no_writer_fence,        // transactions do not require the writer's epoch
  no_head_condition,      // nor the entry before
  answered_before_etcd,   // replies leave when the turn was decided
  stored_before_etcd,     // the own journal comes first
  lease_not_checked,      // a writer answers without a look at its lease
  later_lease_believed,   // or it takes any lease of its node for the writer's
  trimmed_too_early,      // a running node's head is ignored
  written_while_missing,  // a node writes although it lacks entries
  origin_not_verified,    // a node follows what somebody who is no node put into etcd
  handover_not_verified,  // or believes such a handover
};

struct ClusterCanary {
  ClusterPlant plant = ClusterPlant::none;
  std::string_view name;
  std::string_view judge;  // that must detect it (cluster_judge.h), or several
};

inline constexpr ClusterCanary cluster_canaries[] = {
    {ClusterPlant::no_writer_fence, "no fence", "fence"},
    {ClusterPlant::no_head_condition, "no condition on the head", "log"},
    {ClusterPlant::answered_before_etcd, "answered before etcd has it", "reply"},
    {ClusterPlant::stored_before_etcd, "stored before etcd has it", "node"},
    {ClusterPlant::lease_not_checked, "answered without a look at the lease", "head"},
    {ClusterPlant::later_lease_believed, "answered under a later lease", "head"},
    {ClusterPlant::trimmed_too_early, "trimmed although a running node lacks it", "trim"},
    {ClusterPlant::written_while_missing, "written although entries are missing", "role"},
    {ClusterPlant::origin_not_verified, "proof of origin not verified", "node"},
    {ClusterPlant::handover_not_verified, "proof of a handover not verified", "fence"},
};

}  // namespace linkmeter
