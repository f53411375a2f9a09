// Table credentials: where an agent looks for what it connects with. The file that was carried to
// it comes first; on the controller's own machine, under the same user, the controller's data
// folder is found by its endpoint (local_registry.h), so nothing need be carried.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "proto/host/credentials.h"

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
  // where the given one is not there; after the first time, when a file may be on its way to its
  // place, that is told and there are none.
  std::optional<Credentials> operator()();

 private:
  std::optional<Credentials> find();
  [[nodiscard]] Credentials carried(const std::filesystem::path& file) const;

  std::string table_;
  Places places_;
  std::function<void(const std::string&)> tell_;
  bool told_ = false;
  bool is_first_ = true;
  std::string told_wrong_;  // last
};

}  // namespace linkmeter
