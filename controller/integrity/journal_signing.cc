#include "controller/integrity/journal_signing.h"

#include <spdlog/spdlog.h>

namespace linkmeter {

void JournalSigning::serve(Moment now) {
  if (const auto signing = signer_.serve(controller_.state(), journal_.head(), now.uptime)) {
    signed_at_ = now.as_of;
    controller_.note_signed(*signing, now.as_of);
  }
  const auto news = signer_.take_news();
  if (news && !news->empty()) spdlog::error("the journal is not signed: {}", *news);
  if (news && news->empty()) spdlog::info("the journal is signed again");
}

}  // namespace linkmeter
