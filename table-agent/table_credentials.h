// Table credentials: where an agent looks for what it connects with. The file that was carried to
// it comes first; on the controller's own machine, under the same user, the controller's data folder
// is found by its endpoint (local_register.h), so nothing need be carried.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "meters/edge/credentials.h"

namespace linkmeter {

class TableCredentials {
 public:
  struct Places {
    std::filesystem::path given;  // --credentials; "": not given
    std::filesystem::path data;   // the agent's own folder
    std::string endpoint;
  };

  // `tell` is for one line, once, while there are none yet.
  TableCredentials(std::string table, Places places, std::function<void(const std::string&)> tell);

  // As they are now. Throws Fault where a file that was carried is no credentials of this table, or
  // where the given one is not there.
  std::optional<Credentials> operator()();

 private:
  [[nodiscard]] Credentials carried(const std::filesystem::path& file) const;

  std::string table_;
  Places places_;
  std::function<void(const std::string&)> tell_;
  bool told_ = false;
};

}  // namespace linkmeter
