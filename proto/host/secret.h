// Secrets: texts that are overwritten as soon as they are no longer needed, so that they do not
// stay in memory.
#pragma once

#include <string>

namespace linkmeter {

// Overwrites the text and makes it empty.
void forget(std::string& secret);

// Guards a request's body (an nlohmann object) that may contain a PIN: the destructor overwrites
// its texts.
template <class Json>
class SecretBody {
 public:
  explicit SecretBody(Json& body) : body_(body) {}
  SecretBody(const SecretBody&) = delete;
  SecretBody& operator=(const SecretBody&) = delete;
  ~SecretBody() {
    if (!body_.is_object()) return;
    for (Json& one : body_) {
      if (auto* text = one.template get_ptr<std::string*>()) forget(*text);
    }
  }

 private:
  Json& body_;
};

}  // namespace linkmeter
