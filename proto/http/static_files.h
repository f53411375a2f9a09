// StaticFiles: the files of pages, built into a program (linkmeter_embed_pages in CMake), so that
// the signed manifest of the programs covers them.
//
// NAME.html is served at /NAME and at /NAME.html, every other file at /FILE. A browser revalidates
// a file each time, and gets it again only if it has changed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "proto/http/message.h"

namespace linkmeter {

struct StaticFile {
  std::string_view name;  // "sign.html"
  std::string_view etag;  // "\"2f..\"", from the bytes
  std::string_view bytes;
};

class StaticFiles {
 public:
  // The pages must outlive this.
  explicit StaticFiles(std::span<const StaticFile> pages) : pages_(pages) {}

  // The response with the file of that name: 200, or 304 if the browser has it. nullopt: there is
  // no such file.
  [[nodiscard]] std::optional<WebResponse> named(std::string_view name,
                                                 const WebRequest& request) const;
  // The same for the file at the request's path.
  [[nodiscard]] std::optional<WebResponse> at(const WebRequest& request) const;

 private:
  std::span<const StaticFile> pages_;
};

// "text/html; charset=utf-8" for "sign.html"; "application/octet-stream" for an unknown ending.
std::string_view web_type(std::string_view file_name);

}  // namespace linkmeter
