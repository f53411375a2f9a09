#include "proto/http/static_files.h"

#include <doctest/doctest.h>
#include <array>

#include "tests/support/capture_binding.h"

namespace linkmeter::static_files_test {
namespace {

constexpr std::array<StaticFile, 2> pages = {
    {{"sign.html", "\"aa\"", "<p>"}, {"live.js", "\"bb\"", "let"}}};

WebRequest asking(const std::string& path, const std::string& known = "") {
  WebRequest request;
  request.path = path;
  if (!known.empty()) request.headers["if-none-match"] = known;
  return request;
}

}  // namespace

TEST_CASE("a page is found by its name with and without its extension") {
  const StaticFiles served(pages);
  for (const char* path : {"/sign", "/sign.html"}) {
    const auto page = served.at(asking(path));
    REQUIRE(page.has_value());
    CHECK_EQ(page->status, 200);
    CHECK_EQ(page->type, "text/html; charset=utf-8");
    CHECK_EQ(page->body, "<p>");
    CHECK((page->headers[0] == std::pair<std::string, std::string>("Cache-Control", "no-cache")));
    CHECK((page->headers[1] == std::pair<std::string, std::string>("ETag", "\"aa\"")));
  }
  CHECK_EQ(served.at(asking("/live.js"))->type, "text/javascript; charset=utf-8");
}

TEST_CASE("a file's type follows its extension; an unknown one is plain bytes") {
  const std::pair<const char*, const char*> types[] = {
      {"sign.html", "text/html; charset=utf-8"},
      {"sign.css", "text/css; charset=utf-8"},
      {"floor.webmanifest", "application/manifest+json"},
      {"light.svg", "image/svg+xml"},
      {"win.wav", "audio/wav"},
      {"win.mp3", "application/octet-stream"},
      {"html", "application/octet-stream"},
      {"", "application/octet-stream"},
  };
  for (const auto& [file, type] : types) {
    CAPTURE_BINDING(file);
    CHECK_EQ(web_type(file), type);
  }
}

TEST_CASE("an unknown page is not found") {
  const StaticFiles served(pages);
  for (const char* path : {"", "/", "//sign", "/sign/", "/../sign", "/live", "/SIGN", "sign"}) {
    CHECK_FALSE(served.at(asking(path)).has_value());
  }
}

TEST_CASE("a page that the browser has is not sent again") {
  const StaticFiles served(pages);
  for (const char* known : {"\"aa\"", "\"zz\", \"aa\"", "W/\"aa\"", "*"}) {
    const auto page = served.at(asking("/sign", known));
    CHECK_EQ(page->status, 304);
    CHECK_EQ(page->body, "");
  }
  CHECK_EQ(served.at(asking("/sign", "\"bb\""))->status, 200);
}

}  // namespace linkmeter::static_files_test
