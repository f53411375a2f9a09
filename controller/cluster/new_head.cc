#include "controller/cluster/new_head.h"

#include "proto/codec/head_text.h"
#include "proto/host/fault.h"

namespace linkmeter {

bool put_head(Etcd& etcd, const ClusterKeys& keys, const ClusterWatch& watch,
              const NewHead& terms) {
  const auto old = watch.read_head();
  if (!old) return false;
  const Head own = watch.position();
  if (*old && (!terms.contains || **old == own)) return true;
  const std::string key = keys.head();
  EtcdTransaction transaction{{{keys.writer(), 0, {}}}, {{key, keys.proof().seal(key, text(own))}}};
  if (!*old) {
    transaction.conditions = {{key, 0, {}}};
  } else if ((*old)->entry < own.entry && terms.contains(**old)) {
    transaction.conditions.push_back({key, {}, keys.proof().seal(key, text(**old))});
    transaction.deletions = {keys.turns_before(own.entry.next()),
                             keys.parts_before(own.entry.next()),
                             {keys.handover()}};
  } else {
    throw Fault("etcd has entry " + text(**old) + ", which is not in this journal: another node " +
                "wrote it after this one had left the cluster");
  }
  terms.before_put();
  // Else something has changed: it is looked at again.
  const auto put = etcd.commit(transaction);
  return put && put->is_done;
}

}  // namespace linkmeter
