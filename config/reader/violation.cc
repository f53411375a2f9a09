#include "config/reader/violation.h"

namespace linkmeter {

std::string Violation::text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  text += ": " + message;
  if (!section.empty()) text += " (" + section + ")";
  return text;
}

}  // namespace linkmeter
