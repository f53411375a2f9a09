#include "controller/staff_access.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "controller/options.h"
#include "controller/store/state_snapshot.h"
#include "controller/web/web_command.h"
#include "proto/host/certificate.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

// nullptr: the controller serves no pages. If nobody requested an address and the default one is
// taken, the meters run without pages. Throws Fault if a requested address cannot be used.
std::unique_ptr<PagesService> open_pages(const Core& core, const OpenSockets& sockets,
                                         WorkerThreads& workers) {
  const auto [address, is_asked_for] = pages_address(core.options.web, core.floor.endpoints);
  if (address.is_none) return nullptr;
  WebServer::Setup setup{address};
  if (address.secure) {
    setup.certificate = pages_certificate(core.options);
    spdlog::info("certificate sha256={}", certificate_fingerprint(*setup.certificate));
  }
  const HttpApi::Subjects subjects{core.controller, core.stored, workers.slip_printer,
                                   workers.day_reports, core.days.calendar()};
  try {
    auto pages = std::make_unique<PagesService>(setup, subjects, sockets.presence,
                                                core.floor.notices, core.options.data / "signs");
    spdlog::info("pages at {}", pages->url());
    return pages;
  } catch (const Fault& fault) {
    if (is_asked_for) throw;
    spdlog::warn("no pages: {}; choose another address with --web, or none", fault.what());
    return nullptr;
  }
}

}  // namespace

StaffAccess::StaffAccess(Core& core, OpenSockets& sockets, WorkerThreads& workers)
    : pages(open_pages(core, sockets, workers)), origins(core.controller) {
  const std::filesystem::path& data = core.options.data;
  std::vector<PinRequestSource*> sources = {&sockets.operators, &sockets.panels};
  origins.add(data / "tables.homes", sockets.panels.tries(), core.now());
  if (pages) {
    pages->serve(core.now());  // so that the first request finds current values
    sources.push_back(&pages->api());
    origins.add(data / "pages.homes", pages->api().tries(), core.now());
  }
  if (!core.options.staff_socket.empty()) {
    staff_socket.emplace(core.options.staff_socket, core.options.staff_group);
    spdlog::info("staff socket={}", core.options.staff_socket.string());
    const auto snapshot = [&core] {
      return encode(snapshot_of(core.journal, core.own.keys.public_key));
    };
    staff.emplace(*staff_socket, snapshot, core.controller);
    sources.push_back(&*staff);
    origins.add(data / "staff.homes", staff->tries(), core.now());
  }
  authenticator.emplace(std::move(sources), core.pin_keys());
}

void set_counts(Metrics& metrics, const OpenSockets& sockets, const StaffAccess& people) {
  metrics.set_connections_refused(sockets.admitted_keys.refused_connections());
  metrics.set_connections_refused("wrong_frames", sockets.tables.dropped_count());
  if (people.staff) metrics.set_connections_refused("staff_excess", people.staff->refused_count());
  if (people.pages) metrics.set_web(people.pages->counts());
}

}  // namespace linkmeter
