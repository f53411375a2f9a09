// KeyReplacement: settles replaced keys in a running controller (KeyRotation::settle()), and lets
// every user of such a key read it again.
//
// Law: a key that a turn put in force is installed and used before that turn's replies are sent.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "controller/integrity/key_rotation.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "meters/facts/house_key.h"

namespace linkmeter {

class KeyReplacement final : public Service {
 public:
  static constexpr std::chrono::minutes interval{1};

  // Both must outlive this.
  KeyReplacement(const KeyRotation& rotation, const Controller& controller)
      : rotation_(rotation), controller_(controller) {}

  // `use_new_key` is called after the file of a key of this kind was replaced.
  void on_replaced(KeyKind kind, std::function<void()> use_new_key) {
    users_[kind] = std::move(use_new_key);
  }
  // Call after a turn with requests of people, before their replies. Throws Fault.
  void settle(Timestamp now);
  // Once a minute: a proposal expires without a turn, and then its key file is removed.
  void serve(Moment now) override;

 private:
  const KeyRotation& rotation_;
  const Controller& controller_;
  std::map<KeyKind, std::function<void()>> users_;
  std::optional<std::chrono::microseconds> due_;
};

}  // namespace linkmeter
