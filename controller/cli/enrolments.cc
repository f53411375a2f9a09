#include <algorithm>
#include <iomanip>
#include <iostream>
#include <system_error>

#include "controller/cli/asking.h"
#include "controller/cli/commands.h"
#include "controller/cli/or_null.h"
#include "meters/edge/credentials.h"
#include "meters/edge/fault.h"

namespace linkmeter::cli {

int enroll(const Asker& asker, EnrolmentKind kind, const std::string& name,
           const std::filesystem::path& out) {
  require_controller(asker.from);
  const std::filesystem::path file(out.empty() ? credentials_file_name(name) : out.string());
  const Credentials made{std::string(linkmeter::name(kind)), name, make_key_pair(),
                         controller_key(asker.from)};
  write_credentials(file, made);
  try {
    const int code = ask(asker, Propose{Enrol{{kind, name, made.keys.public_key}}});
    if (!asker.json) {
      std::cout << "once it is confirmed, carry " << file.string() << " to " << made.kind << " "
                << name << '\n';
    }
    return code;
  } catch (const Unanswered& unanswered) {
    throw Fault(std::string(unanswered.what()) + "; " + file.string() +
                " stays: if it is proposed and confirmed, its key is the one");
  } catch (const Fault&) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);  // nobody will ever enrol this key
    throw;
  }
}

int enrolments(const Source& from, bool as_json) {
  const State state = current_state(*open_data(from));
  Json all = Json::array();
  std::size_t widest = 4;
  for (const auto& [name, enrolment] : state.enrolments().all()) {
    all.push_back({{"kind", linkmeter::name(enrolment.kind)},
                   {"name", enrolment.name},
                   {"key", enrolment.key}});
    widest = std::max(widest, enrolment.name.size());
  }
  if (as_json) {
    std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    return 0;
  }
  std::cout << "kind    " << std::left << std::setw(static_cast<int>(widest) + 2) << "name"
            << "public key\n";
  for (const auto& [name, enrolment] : state.enrolments().all()) {
    std::cout << std::left << std::setw(8) << linkmeter::name(enrolment.kind)
              << std::setw(static_cast<int>(widest) + 2) << enrolment.name << enrolment.key << '\n';
  }
  return 0;
}

}  // namespace linkmeter::cli
