// Secrets: what is overwritten as soon as it is done with, so that it does not stay in memory.
#pragma once

#include <string>

namespace linkmeter {

// Overwrites what is in it; it is empty then.
void forget(std::string& secret);

// A request's body, an object of nlohmann's, that a PIN may be in: its texts are forgotten where
// this ends.
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
