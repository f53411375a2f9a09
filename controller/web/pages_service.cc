#include "controller/web/pages_service.h"

#include <algorithm>
#include <utility>

#include "controller/signs/sign_record.h"
#include "controller/view/json.h"
#include "meters/values/invariant.h"
#include "meters/values/time_text.h"
#include "proto/host/certificate.h"

namespace linkmeter {
namespace {

// The names by which browsers may call this server.
std::vector<std::string> hosts_of(const WebServer::Setup& setup) {
  std::vector<std::string> hosts = own_hosts();
  hosts.push_back(setup.address.host);
  if (setup.certificate) {
    for (std::string& name : names_of(*setup.certificate)) hosts.push_back(std::move(name));
  }
  return hosts;
}

}  // namespace

PagesService::PagesService(const WebServer::Setup& setup, const HttpApi::Subjects& subjects,
                           const TablePresence& presence, Notices notices,
                           const std::filesystem::path& serial_signs)
    : serial_signs_(serial_signs),
      api_(setup, subjects, hosts_of(setup)),
      publisher_(subjects.controller.state(), subjects.controller.rules(), presence,
                 std::move(notices),
                 [this](const std::string& topic, const std::string& event, std::string data,
                        std::uint64_t id) {
                   // What a node says of the nodes is of this moment, however far it is behind.
                   const bool is_of_nodes = topic == SignPublisher::nodes_topic;
                   api_.server().publish(topic, event, std::move(data), id,
                                         is_of_nodes ? std::chrono::microseconds(0) : behind_);
                 }) {
  publisher_.set_serial_signs([this](Timestamp as_of) { return serial_signs_json(as_of); });
}

void PagesService::set_cluster(std::function<Json()> cluster) {
  if (!cluster) api_.server().end_topic(SignPublisher::nodes_topic);
  publisher_.set_cluster(std::move(cluster));
}

Json PagesService::serial_signs_json(Timestamp as_of) const {
  Json signs = Json::array();
  for (const SignRecord& record : serial_signs_.records()) {
    const std::string error = sign_fault(record, as_of);
    const bool was_sent = record.sent_at != Timestamp();
    signs.push_back(Json{{"sign", record.sign},
                         {"link", record.link},
                         {"state", error.empty() ? "ok" : "failed"},
                         {"sent_at", was_sent ? Json(text(record.sent_at)) : Json()},
                         {"age_ms", was_sent ? Json(age_ms(record.sent_at, as_of)) : Json()},
                         {"error", text_or_null(error)}});
  }
  return signs;
}

Moment PagesService::shown(Moment now) {
  behind_ = now.behind;
  return {now.shown_as_of(), now.uptime, now.behind};
}

void PagesService::on_turn(const CommittedTurn& done) {
  publisher_.note(done.turn.changed, done.turn.raised, shown(done.now));
  if (!done.turn.miscounted.empty()) publisher_.note_floor();
  publisher_.note(done.turn.calls_floor);
  for (const Controller::SocketReply& reply : done.turn.socket_replies) {
    if (reply.source == RequestSource::web) api_.answer(reply, done.now);
  }
  if (done.requests > 0) api_.end_sessions(done.now);
}

void PagesService::serve(Moment now) {
  publisher_.serve(shown(now));
  api_.serve(now);
  if (now.uptime < idle_look_due_) return;
  idle_look_due_ = now.uptime + idle_look_interval;
  api_.end_sessions(now);
}

std::optional<std::chrono::microseconds> PagesService::due(std::chrono::microseconds uptime) const {
  if (api_.has_more()) return uptime;
  return uptime + publisher_.time_until_due(uptime);
}

PagesAddress pages_address(const std::string& option, const Endpoints& endpoints) {
  const bool is_asked_for = !option.empty() || !endpoints.web.empty();
  const std::string text = !option.empty()          ? option
                           : !endpoints.web.empty() ? endpoints.web
                                                    : std::string(web_default);
  const auto address = WebAddress::parse(text);
  INVARIANT(address.has_value());  // options and floor file were validated
  return {*address, is_asked_for};
}

}  // namespace linkmeter
