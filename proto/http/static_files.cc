#include "proto/http/static_files.h"

#include <array>
#include <utility>

namespace linkmeter {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> types = {{
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wav", "audio/wav"},
}};

// Whether the browser has these bytes. "*" matches any.
bool has_it(const WebRequest& request, std::string_view etag) {
  const std::string known = request.header("if-none-match");
  return known == "*" || known.find(etag) != std::string::npos;
}

}  // namespace

std::string_view web_type(std::string_view file_name) {
  for (const auto& [ending, type] : types) {
    if (file_name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

std::optional<WebResponse> StaticFiles::named(std::string_view name,
                                              const WebRequest& request) const {
  for (const StaticFile& page : pages_) {
    if (page.name != name) continue;
    WebResponse response;
    response.type = web_type(page.name);
    response.headers = {{"Cache-Control", "no-cache"}, {"ETag", std::string(page.etag)}};
    if (has_it(request, page.etag)) {
      response.status = 304;
    } else {
      response.body = page.bytes;
    }
    return response;
  }
  return std::nullopt;
}

std::optional<WebResponse> StaticFiles::at(const WebRequest& request) const {
  if (request.path.size() < 2 || request.path.front() != '/') return std::nullopt;
  const std::string name = request.path.substr(1);
  if (auto found = named(name, request)) return found;
  return named(name + ".html", request);
}

}  // namespace linkmeter
