#include "controller/sockets/status_replies.h"

#include <string>

#include "proto/codec/wire_codec.h"

namespace linkmeter {

void StatusReplies::serve(Moment now) {
  const auto status = [&] {
    return encode(presence_.status(controller_.state().floor(), now.as_of));
  };
  for (const std::string& asker : operators_.take_status_requests()) {
    operators_.reply({asker, status()});
  }
  if (staff_ == nullptr) return;
  for (const std::uint64_t asker : staff_->take_status_requests()) staff_->reply(asker, status());
}

}  // namespace linkmeter
