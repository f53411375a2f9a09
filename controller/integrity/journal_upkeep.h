// JournalUpkeep: maintains the running controller's journal once a minute. It warns in the log when
// 80 % of the journal's map is used, and at each further per cent.
#pragma once

#include <chrono>
#include <optional>

#include "controller/store/journal.h"
#include "controller/turn/service.h"

namespace linkmeter {

class JournalUpkeep final : public Service {
 public:
  static constexpr std::chrono::minutes maintenance_interval{1};

  // `journal` must outlive this.
  explicit JournalUpkeep(Journal& journal) : journal_(journal) {}
  void serve(Moment now) override;

 private:
  Journal& journal_;
  double warning_due_ = 0.8;  // the used fraction at which the next warning is due
  std::optional<std::chrono::microseconds> maintenance_due_;
};

}  // namespace linkmeter
