// JournalSigner: gets heads of the journal signed, beside the turn, with a key file or a key in a
// token. The event loop appends each signature as an entry.
//
// Laws: while new entries are appended, a head is signed every minute, and after the end of each
// gaming day. A missing signer stops nothing: it is logged once, counted, and retried. The next
// signature covers everything since, because each hash covers every entry before it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "proto/host/worker.h"

namespace linkmeter {

class JournalSigner {
 public:
  static constexpr std::chrono::seconds again_after{10};

  // `where`: a key file (signing_key.h) or the URI of a key in a token (token_key.h). Throws Fault.
  // REQUIRES: made after ShutdownSignal.
  JournalSigner(std::string where, std::chrono::seconds every);
  JournalSigner(const JournalSigner&) = delete;
  JournalSigner& operator=(const JournalSigner&) = delete;
  ~JournalSigner();

  // Becomes readable when a signature was made, or failed.
  [[nodiscard]] int descriptor() const { return maker_.descriptor(); }
  // When serve() has something to start.
  [[nodiscard]] std::chrono::microseconds due() const { return due_; }
  // The signature made since the last call, for the journal. Starts the next signature when it is
  // due. REQUIRES: `state` and `head` are committed.
  [[nodiscard]] std::optional<HeadSigned> serve(const State& state, const Head& head,
                                                std::chrono::microseconds uptime);
  // The key file was replaced.
  void read_again();
  // The signer's public key, in DER; "": not found yet.
  [[nodiscard]] const std::string& public_der() const { return public_der_; }
  // Why nothing is signed; "": heads are signed.
  [[nodiscard]] const std::string& trouble() const { return error_; }
  // trouble(), once after it has changed, for the log; nullopt: it has not changed.
  [[nodiscard]] std::optional<std::string> take_error();

 private:
  class Key;
  struct Made {
    std::unique_ptr<Key> key;  // nullptr: not found
    std::string public_der;
    std::string signature;
    std::string trouble;
  };
  void begin(const Head& head);
  std::optional<HeadSigned> note_made(Made made, const State& state,
                                      std::chrono::microseconds uptime);
  void set_error(std::string trouble);

  const std::string where_;
  const std::chrono::seconds every_;
  std::chrono::microseconds due_;
  std::size_t days_ = 0;      // number of ended days already seen
  std::unique_ptr<Key> key_;  // owned by the thread while it signs
  std::string public_der_;
  std::string error_;
  bool is_news_ = false;
  bool is_stale_ = false;  // the key must be read again
  Head signing_;
  Worker<Made> maker_;  // last member: it uses all of the above
};

// JournalSigning: runs the JournalSigner in the event loop, and journals each signature. A missing
// signer stops nothing; the log says once that the journal is not signed, and once that it is
// again.
class JournalSigning final : public Service {
 public:
  // All must outlive this. `journal` is the one that the controller commits to.
  JournalSigning(Controller& controller, const Journal& journal, JournalSigner& signer)
      : controller_(controller), journal_(journal), signer_(signer) {}

  [[nodiscard]] std::optional<int> descriptor() const override { return signer_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds /*uptime*/) const override {
    return signer_.due();
  }
  void serve(Moment now) override;

  // Whether the last attempt to sign succeeded; true before the first one.
  [[nodiscard]] bool works() const { return signer_.trouble().empty(); }
  // The time of the last signature since the start; nullopt: none.
  [[nodiscard]] std::optional<Timestamp> signed_at() const { return signed_at_; }

 private:
  Controller& controller_;
  const Journal& journal_;
  JournalSigner& signer_;
  std::optional<Timestamp> signed_at_;
};

}  // namespace linkmeter
