// LoginOrigins: keeps the trusted origins of logins (login_throttle.h) over a restart, and journals
// how many wrong PINs came from untrusted ones. Each socket that accepts logins has its own
// LoginThrottle and its own file DIR/NAME.homes.
//
// Laws: a change is saved within a minute, and at the end of the program. The counts of wrong PINs
// become one entry an hour, and one at the end. A file that cannot be read or written, or a loss of
// power, costs people no more than a longer wait before their next login.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "proto/http/login_throttle.h"

namespace linkmeter {

class LoginOrigins final : public Service {
 public:
  static constexpr std::chrono::minutes save_interval{1};
  static constexpr std::chrono::hours entry_interval{1};

  // `controller` must outlive this.
  explicit LoginOrigins(Controller& controller) : controller_(controller) {}

  // Loads the origins that the last run saved in `file`. `tries` must outlive this.
  void add(const std::filesystem::path& file, LoginThrottle& tries, Moment now);
  void serve(Moment now) override;
  // Call after the last turn: saves and journals what serve() would do later.
  void finish(Moment now);

 private:
  struct OriginFile {
    std::filesystem::path file;
    LoginThrottle* tries = nullptr;
    std::uint64_t saved_version = 0;
    std::chrono::microseconds due{};  // until then a change is saved only by finish()
  };
  void save(Moment now, bool is_end);
  void journal_counts(Moment now, bool is_end);

  Controller& controller_;
  std::vector<OriginFile> files_;
  std::optional<std::chrono::microseconds> entry_due_;  // nullopt: there are no counts
};

}  // namespace linkmeter
