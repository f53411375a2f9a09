#include "controller/slips/slip_press.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "controller/seal.h"
#include "controller/slips/slip_document.h"
#include "controller/slips/slip_pdf.h"
#include "meters/edge/fault.h"

namespace linkmeter {

SlipPress::SlipPress(const std::filesystem::path& data, const Journal& journal, std::string zone)
    : journal_(journal),
      store_(data),
      zone_(std::move(zone)),
      ready_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!ready_.is_open()) {
    throw Fault(std::string("cannot make an eventfd: ") + std::strerror(errno));
  }
}

// A copy that is being made is finished; the next start makes it anew and journals it.
SlipPress::~SlipPress() {
  if (making_.valid()) making_.wait();
}

std::string SlipPress::take_trouble() { return std::exchange(trouble_, {}); }

std::optional<SlipCopy> SlipPress::serve(const State& state, const FloorRules& rules,
                                         std::chrono::microseconds uptime) {
  if (making_.valid()) {
    if (making_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
    eventfd_t count = 0;
    ::eventfd_read(ready_.get(), &count);
    Made made = making_.get();
    if (made.trouble.empty()) return made.copy;
    trouble_ = std::move(made.trouble);
    again_at_[made.copy.slip] = uptime + again_after;
    return std::nullopt;
  }
  const Slip* slip = next(state, uptime);
  if (slip == nullptr) return std::nullopt;
  try {
    making_ = std::async(std::launch::async,
                         [this, number = slip->number,
                          document = slip_document(state, rules, journal_, *slip, zone_)] {
                           Made made{{number, {}}, ""};
                           try {
                             const std::string pdf = slip_pdf(document);
                             store_.write(number, pdf);
                             made.copy.digest = sha256(pdf);
                           } catch (const std::exception& error) {
                             made.trouble = error.what();
                           }
                           ::eventfd_write(ready_.get(), 1);
                           return made;
                         });
  } catch (const std::exception& error) {
    trouble_ = error.what();
    again_at_[slip->number] = uptime + again_after;
  }
  return std::nullopt;
}

const Slip* SlipPress::next(const State& state, std::chrono::microseconds uptime) {
  const std::vector<Slip>& slips = state.slips();
  while (looked_at_ < slips.size() && slips[looked_at_].stored) ++looked_at_;
  for (std::size_t at = looked_at_; at < slips.size(); ++at) {
    if (slips[at].stored) continue;
    const auto again = again_at_.find(slips[at].number);
    if (again == again_at_.end() || again->second <= uptime) return &slips[at];
  }
  return nullptr;
}

}  // namespace linkmeter
