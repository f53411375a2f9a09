#include "controller/slips/slip_printer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "controller/slips/slip_document.h"
#include "controller/slips/slip_pdf.h"
#include "controller/store/hash_chain.h"
#include "meters/values/invariant.h"
#include "proto/host/fault.h"

namespace linkmeter {

SlipPrinter::SlipPrinter(const std::filesystem::path& data, const Journal& journal,
                         std::string zone)
    : journal_(journal), store_(data), zone_(std::move(zone)) {}

std::string SlipPrinter::take_error() { return std::exchange(error_, {}); }

std::variant<std::string, SlipStore::Missing> SlipPrinter::copy(const Slip& slip) {
  if (slip.state != SlipState::voided) return store_.read(slip);
  const auto made = void_copies_.find(slip.number);
  if (made != void_copies_.end()) {
    auto second = store_.read_void(slip.number, made->second);
    if (std::holds_alternative<std::string>(second)) return second;
    void_copies_.erase(made);
  }
  const auto first = store_.read(slip);
  if (const auto* missing = std::get_if<SlipStore::Missing>(&first)) return *missing;
  wanted_.insert(slip.number);
  return SlipStore::Missing::not_stored_yet;
}

std::optional<SlipCopy> SlipPrinter::note_made(const Made& made, std::chrono::microseconds uptime) {
  if (made.is_void) wanted_.erase(made.copy.slip);  // the next request wants it again
  if (!made.trouble.empty()) {
    error_ = made.trouble;
    if (!made.is_void) again_at_[made.copy.slip] = uptime + again_after;
    return std::nullopt;
  }
  if (!made.is_void) return made.copy;
  void_copies_[made.copy.slip] = made.copy.digest;
  return std::nullopt;
}

std::optional<SlipCopy> SlipPrinter::serve(const State& state, const FloorRules& rules,
                                           std::chrono::microseconds uptime) {
  find_void_slips(state);
  if (maker_.is_busy()) {
    const std::optional<Made> made = maker_.take();
    return made ? note_made(*made, uptime) : std::nullopt;
  }
  const Slip* slip = next(state, uptime);
  const bool is_void = slip == nullptr;
  if (is_void) slip = next_void(state);
  if (slip == nullptr) return std::nullopt;
  try {
    const ReadingScope reads;
    begin(slip->number, is_void,
          is_void ? void_copy(state, rules, *slip) : first_copy(state, rules, *slip));
  } catch (const std::exception& error) {
    error_ = error.what();
    if (is_void) {
      wanted_.erase(slip->number);
    } else {
      again_at_[slip->number] = uptime + again_after;
    }
  }
  return std::nullopt;
}

void SlipPrinter::begin(SlipNumber number, bool is_void, std::function<std::string()> make) {
  maker_.begin(Worker<Made>::Job([this, number, is_void, make = std::move(make)] {
    Made made{{number, {}}, is_void, ""};
    try {
      const std::string pdf = make();
      if (is_void) {
        store_.write_void(number, pdf);
      } else {
        store_.write(number, pdf);
      }
      made.copy.digest = sha256(pdf);
    } catch (const std::exception& error) {
      made.trouble = error.what();
    }
    return made;
  }));
}

std::function<std::string()> SlipPrinter::first_copy(const State& state, const FloorRules& rules,
                                                     const Slip& slip) const {
  return [document = slip_document(state, rules, journal_, slip, zone_)] {
    return slip_pdf(document);
  };
}

// Uses the facts in the first copy. A copy by an earlier release has no readable facts: then they
// are read from the journal as of the slip's issue, and are the same.
std::function<std::string()> SlipPrinter::void_copy(const State& state, const FloorRules& rules,
                                                    const Slip& slip) const {
  return [this, slip, sentences = void_sentences(state, slip, zone_),
          document = slip_document(state, rules, journal_, slip, zone_)] {
    const auto first = store_.read(slip);
    const auto* missing = std::get_if<SlipStore::Missing>(&first);
    if (missing != nullptr) throw Fault(sentence(*missing, slip.number));
    return slip_pdf(document_in(std::get<std::string>(first)).value_or(document), sentences);
  };
}

void SlipPrinter::find_void_slips(const State& state) {
  const std::vector<Slip>& slips = state.slips();
  for (; seen_ < slips.size(); ++seen_) {
    const Slip& slip = slips[seen_];
    if (slip.state == SlipState::issued) open_.insert(slip.number);
    const bool is_bare = slip.state == SlipState::voided && !store_.has_void(slip.number);
    if (is_bare) wanted_.insert(slip.number);
  }
  std::erase_if(open_, [&](SlipNumber number) {
    const SlipState is = state.find_slip(number)->state;
    if (is == SlipState::voided) wanted_.insert(number);
    return is != SlipState::issued;
  });
}

const Slip* SlipPrinter::next_void(const State& state) const {
  const auto wanted = std::find_if(wanted_.begin(), wanted_.end(), [&](SlipNumber number) {
    return state.find_slip(number)->stored.has_value();
  });
  return wanted == wanted_.end() ? nullptr : state.find_slip(*wanted);
}

const Slip* SlipPrinter::next(const State& state, std::chrono::microseconds uptime) {
  const std::vector<Slip>& slips = state.slips();
  while (looked_at_ < slips.size() && slips[looked_at_].stored) ++looked_at_;
  for (std::size_t at = looked_at_; at < slips.size(); ++at) {
    if (slips[at].stored) continue;
    const auto again = again_at_.find(slips[at].number);
    if (again == again_at_.end() || again->second <= uptime) return &slips[at];
  }
  return nullptr;
}

void SlipCopies::serve(Moment now) {
  const auto copy = printer_.serve(controller_.state(), controller_.rules(), now.uptime);
  if (const std::string error = printer_.take_error(); !error.empty()) {
    spdlog::error("a slip's copy cannot be stored; retrying: {}", error);
  }
  // The entry changes no link, so there is nothing to show.
  if (copy) static_cast<void>(controller_.store({*copy}, now.as_of));
}

}  // namespace linkmeter
