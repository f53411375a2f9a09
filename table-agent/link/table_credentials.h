// Table credentials: finds the key file with which an agent connects. A file that people copied to
// the agent comes first. On the controller's own machine, under the same user, the agent finds the
// data folder of a controller by its endpoint (local_registry.h), and nothing must be copied.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proto/host/credentials.h"

namespace linkmeter {

class TableCredentials {
 public:
  struct Places {
    std::filesystem::path given;  // --credentials; "": not given
    std::filesystem::path data;   // the agent's own folder
    std::vector<std::string> endpoints;
  };

  // `log` gets one line if there are no credentials yet, and one for each new error.
  TableCredentials(std::string table, Places places, std::function<void(const std::string&)> log);

  // The current credentials; nullopt: none. The first call throws Fault if the file is not this
  // table's, or if --credentials names a file that does not exist. Later calls log that error and
  // return nullopt, because the file may be in the middle of being copied.
  std::optional<Credentials> operator()();

 private:
  std::optional<Credentials> find();
  [[nodiscard]] Credentials read(const std::filesystem::path& file) const;

  std::string table_;
  Places places_;
  std::function<void(const std::string&)> log_;
  bool logged_missing_ = false;
  bool is_first_ = true;
  std::string logged_error_;  // the last one
};

}  // namespace linkmeter
