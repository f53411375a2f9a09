#include "controller/integrity/key_replacement.h"

#include <spdlog/spdlog.h>

namespace linkmeter {

void KeyReplacement::settle(Timestamp now) {
  for (const KeyKind kind : rotation_.settle(controller_.state(), now, /*is_start=*/false)) {
    spdlog::info("the {} key is replaced", name(kind));
    const auto user = users_.find(kind);
    if (user != users_.end()) user->second();
  }
}

void KeyReplacement::serve(Moment now) {
  if (!due_) due_ = now.uptime + interval;
  if (now.uptime < *due_) return;
  settle(now.as_of);
  due_ = now.uptime + interval;
}

}  // namespace linkmeter
