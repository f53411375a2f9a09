#include "meters/edge/web_server.h"

#include <utility>

namespace linkmeter {

class WebServer::Service {
 public:
  Service(Setup setup, Handler handler) : setup_(std::move(setup)), handler_(std::move(handler)) {}
  [[nodiscard]] const Setup& setup() const { return setup_; }

 private:
  Setup setup_;
  Handler handler_;
};

WebServer::WebServer(const Setup& setup, Handler handler)
    : service_(std::make_unique<Service>(setup, std::move(handler))) {}
WebServer::~WebServer() = default;

std::string WebServer::url() const { return service_->setup().address.text(); }
void WebServer::answer(WebTicket, WebResponse) {}
void WebServer::publish(std::string, std::string, std::string, std::uint64_t) {}
std::optional<std::string> WebServer::latest(const std::string&) const { return std::nullopt; }
void WebServer::end_streams(const std::string&) {}
WebServer::Counts WebServer::counts() const { return {}; }

}  // namespace linkmeter
