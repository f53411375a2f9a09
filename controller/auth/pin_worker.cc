#include "controller/auth/pin_worker.h"

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "controller/auth/pin.h"
#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"

namespace linkmeter {

PinWorker::PinWorker() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw Fault(std::string("cannot make an eventfd: ") + std::strerror(errno));
  thread_ = std::thread([this] { work(); });
}

PinWorker::~PinWorker() {
  if (asked_something_) is_found_.wait(false);
  stopping_ = true;
  is_asked_.release();
  thread_.join();
  ::close(descriptor_);
}

void PinWorker::ask(Asked asked) {
  INVARIANT(!asked_something_);
  asked_something_ = true;
  asked_ = std::move(asked);
  is_asked_.release();
}

std::optional<PinWorker::Found> PinWorker::find() {
  // First: a later result signals the descriptor again.
  eventfd_t count = 0;
  ::eventfd_read(descriptor_, &count);
  if (!is_found_.exchange(false)) return std::nullopt;
  asked_something_ = false;
  return std::move(found_);
}

bool PinWorker::verify_pin() {
  if (asked_.seal.empty() && took_.count() > 0) {
    std::this_thread::sleep_for(took_);
    return false;
  }
  const auto begun = std::chrono::steady_clock::now();
  const bool is_good = opens(asked_.pin, asked_.seal, asked_.key);
  took_ = std::chrono::steady_clock::now() - begun;
  return is_good;
}

void PinWorker::hash_new_pin(Found& found) const {
  const std::string& pin = *asked_.new_pin;
  if (asked_.replaces_it && pin == asked_.pin) {
    found.new_hash = asked_.seal;
    return;
  }
  const std::string& before = asked_.previous_hash;
  found.is_used_before =
      !before.empty() && (opens(pin, before, asked_.key) ||
                          (!asked_.other_key.empty() && opens(pin, before, asked_.other_key)));
  found.new_hash = hash_pin(pin, asked_.new_key);
  if (asked_.replaces_it) found.old_hash = hash_pin(asked_.pin, asked_.new_key);
}

PinWorker::Found PinWorker::look() {
  Found found;
  found.is_good = asked_.hash_only || verify_pin();
  if (asked_.new_pin && found.is_good && !asked_.new_pin->empty()) hash_new_pin(found);
  return found;
}

void PinWorker::work() {
  constexpr int nice_value = 5;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
  while (true) {
    is_asked_.acquire();
    if (stopping_) return;
    Found found;
    try {
      const ReadingScope reads;
      found = look();
    } catch (const std::exception&) {
      found.failure = std::current_exception();
    }
    if (asked_.new_pin) forget(*asked_.new_pin);
    forget(asked_.pin);
    found_ = std::move(found);
    is_found_ = true;
    is_found_.notify_one();
    ::eventfd_write(descriptor_, 1);
  }
}

}  // namespace linkmeter
