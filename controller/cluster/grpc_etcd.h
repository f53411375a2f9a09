// GrpcEtcd: an etcd cluster over gRPC, for etcd 3.4 and later.
//
// Laws: a call goes to the member that answered last; after members(), to the one that most members
// take for the leader, if it is configured and healthy. If that one does not answer, or knows no
// leader, the next call goes to the next member. Within its deadline, a call tries other members
// itself if it does no harm when it is done twice: reads, renewals and ends of leases, compactions.
// A transaction or a new lease is sent once.
//
// TLS: beyond this machine only https. Both sides show certificates if the settings name one.
// Files are read once, when the object is made.
//
// A watch ends with EtcdError::unknown if its member is silent for the deadline: it asks the member
// for a sign of life in between. While nobody takes its events, it stops receiving at 16 MiB. After
// something came it receives more only 20 ms later, so that many small changes come together.
// An answer of more than 128 MiB is refused: a large range is read in parts.
//
// Only grpc_etcd.cc includes gRPC and the generated code of proto/etcd.proto.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "controller/cluster/etcd.h"
#include "controller/cluster/etcd_settings.h"

namespace linkmeter {

class GrpcEtcd final : public Etcd {
 public:
  // Connects to nobody yet. Throws Fault if a setting or a file is wrong.
  // REQUIRES: made after ShutdownSignal, because gRPC starts threads.
  explicit GrpcEtcd(const EtcdSettings& settings);
  GrpcEtcd(const GrpcEtcd&) = delete;
  GrpcEtcd& operator=(const GrpcEtcd&) = delete;
  ~GrpcEtcd() override;

  [[nodiscard]] EtcdResult<EtcdValues> read(const EtcdRange& range, std::size_t limit = 0) override;
  [[nodiscard]] EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction) override;
  [[nodiscard]] EtcdResult<EtcdRevision> compact(EtcdRevision revision) override;
  [[nodiscard]] EtcdResult<EtcdLease> grant_lease(std::chrono::seconds time) override;
  [[nodiscard]] EtcdResult<std::chrono::seconds> renew_lease(EtcdLease lease) override;
  [[nodiscard]] EtcdResult<bool> end_lease(EtcdLease lease) override;
  [[nodiscard]] std::unique_ptr<EtcdWatch> watch(const EtcdRange& range,
                                                 EtcdRevision from) override;
  [[nodiscard]] EtcdResult<std::vector<EtcdMember>> members() override;

 private:
  class Connections;
  class Watch;
  std::unique_ptr<Connections> connections_;
};

}  // namespace linkmeter
