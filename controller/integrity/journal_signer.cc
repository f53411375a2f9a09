#include "controller/integrity/journal_signer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include "controller/integrity/token_key.h"
#include "controller/store/journal_signature.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/host/signing_key.h"

namespace linkmeter {

// A key of either kind.
class JournalSigner::Key {
 public:
  explicit Key(std::string where) : where_(std::move(where)) {
    if (!is_token_uri(where_)) file_ = std::make_unique<SigningKey>(SigningKey::read(where_));
  }
  [[nodiscard]] TokenSignature sign(const std::string& text) const {
    if (!file_) return sign_with_token(where_, text);
    return {linkmeter::public_der(*file_), file_->sign(text)};
  }

 private:
  std::string where_;
  std::unique_ptr<SigningKey> file_;
};

JournalSigner::JournalSigner(std::string where, std::chrono::seconds every)
    : where_(std::move(where)), every_(every), due_(std::chrono::microseconds::zero()) {}

JournalSigner::~JournalSigner() = default;

std::optional<std::string> JournalSigner::take_error() {
  if (!std::exchange(is_news_, false)) return std::nullopt;
  return error_;
}

void JournalSigner::set_error(std::string error) {
  if (error == error_) return;
  error_ = std::move(error);
  is_news_ = true;
}

void JournalSigner::read_again() {
  is_stale_ = true;
  due_ = std::chrono::microseconds::zero();
}

void JournalSigner::begin(const Head& head) {
  signing_ = head;
  if (std::exchange(is_stale_, false)) key_.reset();
  maker_.begin(Worker<Made>::Job([this, head, key = std::move(key_)]() mutable {
    Made made;
    try {
      if (key == nullptr) key = std::make_unique<Key>(where_);
      TokenSignature signature = key->sign(head_text(head));
      made.public_der = std::move(signature.public_der);
      made.signature = std::move(signature.signature);
      // Detects a broken token here, not in an audit.
      if (!is_signed_by(head_text(head), made.signature, made.public_der)) {
        throw Fault("the signer's signature is wrong");
      }
      made.key = std::move(key);
    } catch (const std::exception& error) {
      made.trouble = error.what();
    }
    return made;
  }));
}

std::optional<HeadSigned> JournalSigner::note_made(Made made, const State& state,
                                                   std::chrono::microseconds uptime) {
  due_ = uptime + every_;
  key_ = std::move(made.key);
  if (!made.public_der.empty()) public_der_ = made.public_der;
  if (!made.trouble.empty()) {
    set_error(std::move(made.trouble));
    due_ = uptime + std::min<std::chrono::microseconds>(every_, again_after);
    return std::nullopt;
  }
  const std::string& in_force = state.keys().of(KeyKind::journal);
  if (in_force != made.public_der) {
    set_error((in_force.empty() ? "the journal has no key yet"
                                : "the signer's key is not the journal's") +
              std::string("; two managers can put it in force: linkmeter keys rotate journal"));
    return std::nullopt;
  }
  set_error("");
  return HeadSigned{signing_.entry, signing_.hash, sha256(made.public_der),
                    std::move(made.signature)};
}

std::optional<HeadSigned> JournalSigner::serve(const State& state, const Head& head,
                                               std::chrono::microseconds uptime) {
  if (maker_.is_busy()) {
    if (auto made = maker_.take()) return note_made(*std::move(made), state, uptime);
    if (uptime >= due_) {
      set_error("the signer does not answer");
      due_ = uptime + again_after;
    }
    return std::nullopt;
  }
  if (due_ == std::chrono::microseconds::zero()) {  // the first call, or another key
    days_ = state.days().size();
    due_ = uptime +
           (public_der_.empty() ? std::chrono::microseconds(every_) : std::chrono::microseconds(1));
  }
  const bool day_has_ended = state.days().size() != std::exchange(days_, state.days().size());
  if (day_has_ended) due_ = uptime;
  if (uptime < due_) return std::nullopt;
  due_ = uptime + every_;
  if (unsigned_entries(state) == 0 && error_.empty()) return std::nullopt;
  begin(head);
  return std::nullopt;
}

void JournalSigning::serve(Moment now) {
  if (const auto signing = signer_.serve(controller_.state(), journal_.head(), now.uptime)) {
    signed_at_ = now.as_of;
    controller_.record_signature(*signing, now.as_of);
  }
  const auto news = signer_.take_error();
  if (news && !news->empty()) spdlog::error("the journal is not signed: {}", *news);
  if (news && news->empty()) spdlog::info("the journal is signed again");
}

}  // namespace linkmeter
