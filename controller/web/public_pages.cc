#include "controller/web/public_pages.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "controller/web/responses.h"
#include "controller/web/sign_publisher.h"

namespace linkmeter {

std::span<const StaticFile> controller_pages();

namespace {

WebReply or_not_found(std::optional<WebResponse> file) {
  return file ? std::move(*file) : not_found();
}

}  // namespace

PublicPages::PublicPages(const Floor& floor, std::string zone, WebServer& server)
    : server_(server), files_(controller_pages()), zone_(std::move(zone)) {
  for (const LinkConfig& link : floor.links) links_.insert(link.id.text());
}

std::vector<Router::Route> PublicPages::routes() {
  using Self = PublicPages;
  return {
      {"GET", "/", Access::everyone, handler(this, &Self::start_page)},
      {"GET", "/{file}", Access::everyone, handler(this, &Self::file)},
      {"GET", "/sign/{link}", Access::everyone, handler(this, &Self::sign_page)},
      {"GET", "/rules/{link}", Access::everyone, handler(this, &Self::rules_page)},
      {"GET", "/slips/{slip}", Access::everyone, handler(this, &Self::slip_page)},
      {"GET", "/distribution/{claim}", Access::everyone, handler(this, &Self::distribution_page)},
      {"GET", "/sign/{link}.png", Access::everyone, handler(this, &Self::sign_image)},
      {"GET", "/events/signs", Access::everyone, handler(this, &Self::sign_events)},
      {"GET", "/events/nodes", Access::everyone, handler(this, &Self::node_events)},
      {"GET", "/api/meters", Access::everyone, handler(this, &Self::meters)},
  };
}

WebReply PublicPages::start_page(WebCall& /*call*/) {
  return WebResponse{303, "text/plain", "", {{"Location", "/signs"}}};
}

WebReply PublicPages::file(WebCall& call) { return or_not_found(files_.at(call.request)); }

WebReply PublicPages::sign_page(WebCall& call) { return link_page("sign.html", call); }
WebReply PublicPages::rules_page(WebCall& call) { return link_page("rules.html", call); }
WebReply PublicPages::slip_page(WebCall& call) { return number_page("slip.html", "slip", call); }
WebReply PublicPages::distribution_page(WebCall& call) {
  return number_page("distribution.html", "claim", call);
}

WebReply PublicPages::link_page(std::string_view file, const WebCall& call) const {
  auto page = files_.named(file, call.request);
  if (page && !links_.contains(call.path.text("link"))) page->status = 404;
  return or_not_found(std::move(page));
}

WebReply PublicPages::number_page(std::string_view file, std::string_view variable,
                                  const WebCall& call) const {
  if (!call.path.number(variable)) return not_found();
  return or_not_found(files_.named(file, call.request));
}

WebReply PublicPages::sign_image(WebCall& call) {
  const std::string& link = call.path.text("link");
  const auto latest = links_.contains(link) ? server_.latest(SignPublisher::topic_of(LinkId(link)))
                                            : std::optional<std::string>();
  if (!latest) return not_found();
  const auto asked = call.request.query.find("size");
  const auto size =
      sign_image_size(asked == call.request.query.end() ? "1920x1080" : asked->second);
  if (!size) {
    return web_refusal(400, "size_unknown", "\"size\" must be 1920x1080, 3840x2160 or 1080x1920");
  }
  const Json update = Json::parse(*latest);
  if (update.at("age_ms") > update.at("maximum_age_ms")) {
    WebResponse old = web_refusal(503, "value_too_old", "the last known value is too old");
    old.headers.emplace_back("Retry-After", "2");
    return old;
  }
  const auto drawn = [this, ticket = call.ticket](std::optional<std::string> png) {
    if (!png) {
      return server_.answer(ticket, web_refusal(500, "not_drawn", "the image could not be drawn"));
    }
    WebResponse response;
    response.type = "image/png";
    response.body = std::move(*png);
    server_.answer(ticket, std::move(response));
  };
  SignImageWorker::Asked image{call.request.peer, link + " " + std::to_string(size->first),
                               sign_image_of(update, zone_), size->first, size->second};
  if (!images_.draw(std::move(image), drawn)) return web_busy();
  return Deferred{};
}

// Each "link" of the query is a topic once; without any, all links are.
WebReply PublicPages::sign_events(WebCall& call) {
  WebStream stream;
  const auto [first, last] = call.request.query.equal_range("link");
  for (auto at = first; at != last; ++at) {
    if (!links_.contains(at->second)) {
      return web_refusal(404, "link_unknown", "there is no such link");
    }
    const std::string topic = SignPublisher::topic_of(LinkId(at->second));
    if (std::find(stream.topics.begin(), stream.topics.end(), topic) == stream.topics.end()) {
      stream.topics.push_back(topic);
    }
  }
  if (first == last) {
    for (const std::string& link : links_) {
      stream.topics.push_back(SignPublisher::topic_of(LinkId(link)));
    }
  }
  return stream;
}

WebReply PublicPages::node_events(WebCall& /*call*/) {
  if (!server_.latest(SignPublisher::nodes_topic)) {
    return web_refusal(404, "not_a_node", "this controller is not a node of a cluster");
  }
  WebStream stream;
  stream.topics = {SignPublisher::nodes_topic};
  return stream;
}

// The published texts of all signs, joined.
WebReply PublicPages::meters(WebCall& /*call*/) {
  const auto head = server_.latest("meters");
  if (!head) return web_busy();
  std::string all;
  for (const std::string& link : links_) {
    const auto latest = server_.latest(SignPublisher::topic_of(LinkId(link)));
    if (latest) all += (all.empty() ? "" : ",") + *latest;
  }
  WebResponse response;
  response.body = *head + "\"links\":[" + all + "]}\n";
  return response;
}

}  // namespace linkmeter
