// StaticFiles: the files of pages that are built into a program (linkmeter_embed_pages in
// meters/CMakeLists.txt), so that the sealed manifest of the programs covers them.
//
// NAME.html is served at /NAME and at /NAME.html, every other file at /FILE. What a browser has is
// asked for again each time, and not sent again while it is the same.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "proto/http/message.h"

namespace linkmeter {

struct StaticFile {
  std::string_view name;  // "sign.html"
  std::string_view etag;  // "\"2f..\"": of the bytes
  std::string_view bytes;
};

class StaticFiles {
 public:
  // The pages must outlive this.
  explicit StaticFiles(std::span<const StaticFile> pages) : pages_(pages) {}

  // The file of that name as an answer to the request: 200, or 304 where the browser has it;
  // nullopt: there is no such file.
  [[nodiscard]] std::optional<WebResponse> named(std::string_view name,
                                                 const WebRequest& request) const;
  // The file that stands at the request's path.
  [[nodiscard]] std::optional<WebResponse> at(const WebRequest& request) const;

 private:
  std::span<const StaticFile> pages_;
};

// "text/html; charset=utf-8" of "sign.html"; "application/octet-stream" of what nobody knows.
std::string_view web_type(std::string_view file_name);

}  // namespace linkmeter
