// JournalSigning: runs the JournalSigner in the event loop, and journals each signature. A missing
// signer stops nothing; the log says once that the journal is not signed, and once that it is
// again.
#pragma once

#include <optional>
#include <string>

#include "controller/integrity/journal_signer.h"
#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"

namespace linkmeter {

class JournalSigning final : public Service {
 public:
  // All must outlive this. `journal` is the one that the controller commits to.
  JournalSigning(Controller& controller, const Journal& journal, JournalSigner& signer)
      : controller_(controller), journal_(journal), signer_(signer) {}

  [[nodiscard]] std::optional<int> descriptor() const override { return signer_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds /*uptime*/) const override {
    return signer_.due();
  }
  void serve(Moment now) override;

  // Whether the last attempt to sign succeeded; true before the first one.
  [[nodiscard]] bool works() const { return signer_.trouble().empty(); }
  // The time of the last signature since the start; nullopt: none.
  [[nodiscard]] std::optional<Timestamp> signed_at() const { return signed_at_; }

 private:
  Controller& controller_;
  const Journal& journal_;
  JournalSigner& signer_;
  std::optional<Timestamp> signed_at_;
};

}  // namespace linkmeter
