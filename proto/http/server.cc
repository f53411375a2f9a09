#include "proto/http/server.h"

#include <utility>

#include "proto/http/server_impl.h"

namespace linkmeter {

WebServer::WebServer(const Setup& setup, Handler handler)
    : service_(std::make_unique<Service>(setup, std::move(handler))) {}
WebServer::~WebServer() = default;

std::string WebServer::url() const { return service_->url(); }
void WebServer::answer(RequestId ticket, WebResponse response) {
  service_->answer(ticket, std::move(response));
}
void WebServer::answer_stream(RequestId ticket, WebStream stream) {
  service_->answer(ticket, std::move(stream));
}
void WebServer::publish(std::string topic, std::string event_name, std::string data,
                        std::uint64_t id) {
  service_->publish(std::move(topic), std::move(event_name), std::move(data), id);
}
std::optional<std::string> WebServer::latest(const std::string& topic) const {
  return service_->latest(topic);
}
void WebServer::end_streams(const std::string& topic) { service_->end_streams(topic); }
void WebServer::know(SignedInClients known) { service_->know(std::move(known)); }
bool WebServer::has_given_up(RequestId ticket) const { return service_->has_given_up(ticket); }
WebServer::Counts WebServer::counts() const { return service_->counts(); }

}  // namespace linkmeter
