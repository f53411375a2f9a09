#include "controller/auth/pin_worker.h"

#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "controller/auth/pin.h"
#include "meters/values/invariant.h"
#include "proto/host/secret.h"

namespace linkmeter {

void PinWorker::ask(Asked request) {
  INVARIANT(!worker_.is_busy());
  asked_ = std::move(request);
  worker_.begin(Worker<Found>::Job([this] { return look(); }));
}

std::optional<PinWorker::Found> PinWorker::find() {
  try {
    return worker_.take();
  } catch (const std::exception&) {
    Found failed;
    failed.failure = std::current_exception();
    return failed;
  }
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
  // Also if the check fails.
  const std::unique_ptr<Asked, void (*)(Asked*)> forgetting(&asked_, [](Asked* request) {
    if (request->new_pin) forget(*request->new_pin);
    forget(request->pin);
  });
  Found found;
  found.is_good = asked_.hash_only || verify_pin();
  if (asked_.new_pin && found.is_good && !asked_.new_pin->empty()) hash_new_pin(found);
  return found;
}

}  // namespace linkmeter
