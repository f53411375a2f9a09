#include "proto/http/message.h"

#include <nlohmann/json.hpp>

namespace linkmeter {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

WebResponse web_refusal(int status, const std::string& error, const std::string& message) {
  const nlohmann::ordered_json told{{"error", error}, {"message", message}};
  WebResponse response;
  response.status = status;
  response.body = told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return response;
}

}  // namespace linkmeter
