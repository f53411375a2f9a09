// Signed heads: what is entered, what an audit proves with them, and what it finds in a rewritten
// journal. After each forgery the journal is chained again, as an insider would do it.
#include "controller/store/journal_signature.h"

#include <doctest/doctest.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <poll.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "controller/integrity/journal_signer.h"
#include "controller/store/audit.h"
#include "controller/time/calendar.h"
#include "proto/host/sha256.h"
#include "tests/support/controller_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::journal_signature_test {
namespace {

HeadSigned signing_of(const SigningKey& key, const Head& head) {
  return HeadSigned{head.entry, head.hash, sha256(public_der(key)), key.sign(head_text(head))};
}

ReplaceKey first_key(const SigningKey& key) {
  return ReplaceKey{KeyKind::journal, public_der(key), "", ""};
}

// A house with a journal key, and some rounds.
struct Signed {
  ControllerHouse house;
  SigningKey key = SigningKey::generate();

  Signed() {
    house.both(first_key(key));
    house.say("C4-01", 1);
    house.say("C4-01", 2, 2);
  }
  void sign() { house.controller().record_signature(signing_of(key, house.head()), house.now); }
  // The first bad entry of this journal after `spoil` changed one of its entries.
  [[nodiscard]] std::string why_with(std::uint64_t number,
                                     const std::function<void(Entry&)>& spoil) const {
    std::vector<std::string> entries = house.copy().entries;
    Entry entry = decode_entry(entries[number - 1]).value();
    spoil(entry);
    entries[number - 1] = encode(entry);
    MemoryJournal journal;
    journal.commit(entries, {});
    const AuditReport report = audit_entries(journal);
    return report.bad ? text(*report.bad) : "";
  }
  // The result of the signer's work; its descriptor is readable until the result is taken.
  [[nodiscard]] std::optional<HeadSigned> taken(JournalSigner& signer,
                                                std::chrono::microseconds uptime) const {
    pollfd ready{signer.descriptor(), POLLIN, 0};
    std::optional<HeadSigned> signing;
    REQUIRE_EQ(::poll(&ready, 1, 60'000), 1);
    while (!signing && ::poll(&ready, 1, 0) == 1) {
      signing = signer.serve(house.state(), house.head(), uptime);
    }
    return signing;
  }
};

}  // namespace

TEST_CASE("a signed head proves the entries up to it") {
  Signed one;
  CHECK_EQ(audit(one.house.journal()).signatures.up_to, EntryNumber());
  const Head head = one.house.head();
  one.sign();
  CHECK_EQ(one.house.state().keys().signed_head, head.entry);
  CHECK_EQ(one.house.state().keys().signed_with, head.entry.next());
  const AuditReport report = audit(one.house.journal());
  CHECK(report.is_clean());
  CHECK_EQ(report.signatures.count, 1);
  CHECK_EQ(report.signatures.up_to, head.entry);
  REQUIRE_EQ(report.signatures.keys.size(), 1);
  CHECK(report.signatures.keys[0].key == sha256(public_der(one.key)));
  CHECK_EQ(report.signatures.keys[0].count, 1);
}

TEST_CASE("a signature that proves nothing more, or is by another key, is not journaled") {
  Signed one;
  const HeadSigned signing = signing_of(one.key, one.house.head());
  one.sign();
  const EntryNumber last = one.house.head().entry;
  one.house.controller().record_signature(signing, one.house.now);
  one.house.controller().record_signature(signing_of(SigningKey::generate(), one.house.head()),
                                          one.house.now);
  CHECK_EQ(one.house.head().entry, last);
}

TEST_CASE("a rewritten journal cannot be signed again") {
  Signed one;
  const std::uint64_t round = one.house.head().entry.value();
  one.sign();
  const std::uint64_t signing = one.house.head().entry.value();
  CHECK_EQ(one.why_with(round, [](Entry&) {}), "");
  // The time of a round is changed, and the chain after it is computed again.
  CHECK_EQ(
      one.why_with(round, [](Entry& entry) { entry.recorded_at = entry.recorded_at.after(1); }),
      "entry " + std::to_string(signing) + ": it signs an entry with another hash");
  const std::string forged =
      "entry " + std::to_string(signing) + ": its signature is not by the journal's key";
  const auto spoil = [&](const std::function<void(HeadSigned&)>& how) {
    return one.why_with(signing, [&](Entry& entry) { how(std::get<HeadSigned>(entry.fact)); });
  };
  CHECK_EQ(spoil([](HeadSigned& fact) { fact.signature[5] ^= 1; }), forged);
  CHECK_EQ(spoil([](HeadSigned& fact) { fact.hash[5] ^= 1U; }), forged);
  CHECK_EQ(spoil([](HeadSigned& fact) { fact.key[5] ^= 1U; }), forged);
  const SigningKey other = SigningKey::generate();
  CHECK_EQ(spoil([&](HeadSigned& fact) {
             fact = signing_of(other, {fact.head, fact.hash});
           }),
           forged);
  CHECK_EQ(spoil([](HeadSigned& fact) { fact.head = EntryNumber(999); }),
           "entry " + std::to_string(signing) + ": it signs an entry that is not there");
}

TEST_CASE("another key replaces the journal's key with a signature of the previous one") {
  Signed one;
  one.sign();
  const SigningKey next = SigningKey::generate();
  ReplaceKey replace{KeyKind::journal, public_der(next), public_der(one.key), ""};
  replace.signature = one.key.sign(replacement_text(replace));
  one.house.controller().set_key_maker(
      [](const State&, PersonMessage& message) { message.key_is_proved = true; });
  one.house.both(replace);
  const std::uint64_t confirmed = one.house.head().entry.value();
  one.house.say("C4-01", 3, 3);
  one.sign();  // with the previous key: it is not entered
  CHECK_EQ(one.house.head().entry.value(), confirmed + 1);
  one.house.controller().record_signature(signing_of(next, one.house.head()), one.house.now);
  const AuditReport report = audit(one.house.journal());
  CHECK(report.is_clean());
  REQUIRE_EQ(report.signatures.keys.size(), 2);
  CHECK(report.signatures.keys[1].is_proved);
  CHECK_EQ(report.signatures.up_to.value(), confirmed + 1);
  const auto spoil = [](Entry& entry) {
    std::get<ReplaceKey>(std::get<ActConfirmed>(entry.fact).act).signature[3] ^= 1;
  };
  // The proposal contains the same key, so the forgery begins there.
  std::vector<std::string> entries = one.house.copy().entries;
  for (std::string& bytes : entries) {
    Entry entry = decode_entry(bytes).value();
    auto* proposed = std::get_if<ActProposed>(&entry.fact);
    if (entry.number.value() == confirmed) spoil(entry);
    if (proposed != nullptr && entry.number.value() > confirmed - 3) {
      std::get<ReplaceKey>(proposed->act).signature[3] ^= 1;
    }
    bytes = encode(entry);
  }
  MemoryJournal journal;
  journal.commit(entries, {});
  const AuditReport forged = audit_entries(journal);
  REQUIRE(forged.bad.has_value());
  CHECK_EQ(text(*forged.bad),
           "entry " + std::to_string(confirmed) + ": the new key is not signed by the key before");
}

TEST_CASE("a lost key is replaced without its signature, and the audit reports it") {
  Signed one;
  const SigningKey next = SigningKey::generate();
  one.house.both(ReplaceKey{KeyKind::journal, public_der(next), public_der(one.key), ""});
  const AuditReport report = audit(one.house.journal());
  CHECK(report.is_clean());
  REQUIRE_EQ(report.signatures.keys.size(), 2);
  CHECK_FALSE(report.signatures.keys[1].is_proved);
}

TEST_CASE("only Ed25519 and P-256 signatures are verified") {
  const SigningKey key = SigningKey::generate();
  const std::string der = public_der(key);
  CHECK(is_verifiable(der));
  CHECK(is_signed_by("text", key.sign("text"), der));
  CHECK_FALSE(is_signed_by("another", key.sign("text"), der));
  CHECK_FALSE(is_verifiable(der + "x"));
  CHECK_FALSE(is_verifiable(der.substr(0, 20)));
  CHECK_FALSE(is_verifiable(""));
  const auto der_of = [](const char* group) {
    EVP_PKEY* const made = EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", group);
    REQUIRE(made != nullptr);
    unsigned char* bytes = nullptr;
    const int size = i2d_PUBKEY(made, &bytes);
    std::string text(bytes, bytes + size);
    OPENSSL_free(bytes);
    EVP_PKEY_free(made);
    return text;
  };
  CHECK(is_verifiable(der_of("P-256")));
  CHECK_FALSE(is_verifiable(der_of("P-384")));
}

TEST_CASE("a missing signer is logged once and catches up when it is back") {
  const ScopedDirectory folder;
  const std::filesystem::path file = folder.path() / "journal.key";
  Signed one;
  JournalSigner signer(file.string(), std::chrono::seconds(60));
  std::chrono::microseconds uptime = std::chrono::seconds(1);
  const auto serve = [&] {
    const auto begun = signer.serve(one.house.state(), one.house.head(), uptime);
    CHECK_FALSE(begun.has_value());
    return one.taken(signer, uptime);
  };
  // Nothing for a minute.
  CHECK_FALSE(signer.serve(one.house.state(), one.house.head(), uptime).has_value());
  uptime = std::chrono::seconds(61);
  CHECK_EQ(signer.due(), uptime);
  CHECK_FALSE(serve().has_value());
  const auto news = signer.take_error();
  REQUIRE(news.has_value());
  CHECK(news->find("journal.key: cannot read the key") != std::string::npos);
  CHECK_FALSE(signer.take_error().has_value());
  uptime = signer.due();
  CHECK_EQ(uptime, std::chrono::seconds(71));
  CHECK_FALSE(serve().has_value());
  CHECK_FALSE(signer.take_error().has_value());  // the same news is reported once
  // Another key does not help.
  SigningKey::generate().write(file);
  uptime = signer.due();
  CHECK_FALSE(serve().has_value());
  CHECK(signer.trouble().find("is not the journal's") != std::string::npos);
  one.key.write(file);
  signer.read_again();
  CHECK_FALSE(signer.serve(one.house.state(), one.house.head(), uptime).has_value());
  uptime = signer.due();
  const auto made = serve();
  REQUIRE(made.has_value());
  CHECK_EQ(made->head, one.house.head().entry);
  CHECK_EQ(signer.trouble(), "");
  one.house.controller().record_signature(*made, one.house.now);
  // Nothing but the signature was entered: nothing is signed.
  const EntryNumber last = one.house.head().entry;
  uptime = signer.due();
  CHECK_FALSE(signer.serve(one.house.state(), one.house.head(), uptime).has_value());
  CHECK_GT(signer.due(), uptime);
  CHECK_EQ(one.house.head().entry, last);
}

TEST_CASE("a head is signed at the end of a gaming day without waiting for the minute") {
  const ScopedDirectory folder;
  const std::filesystem::path file = folder.path() / "journal.key";
  Signed one;
  one.key.write(file);
  JournalSigner signer(file.string(), std::chrono::seconds(60));
  const Calendar calendar("America/New_York", "06:00");
  ShownAmounts shown;  // no sign has shown anything
  for (const LinkConfig& link : one.house.state().floor().links) {
    shown.emplace_back(link.levels.size());
  }
  std::chrono::microseconds uptime = std::chrono::seconds(1);
  const auto begins = [&] {
    CHECK_FALSE(signer.serve(one.house.state(), one.house.head(), uptime).has_value());
    return signer.due() == uptime + std::chrono::seconds(60);
  };
  CHECK_FALSE(signer.serve(one.house.state(), one.house.head(), uptime).has_value());
  CHECK_EQ(signer.due(), uptime + std::chrono::seconds(60));
  // Twenty seconds later nothing is due, whatever was entered since.
  one.house.say("C4-01", 3, 3);
  uptime += std::chrono::seconds(20);
  CHECK_FALSE(begins());
  const Timestamp over = one.house.controller().day_ends_at(calendar);
  REQUIRE_EQ(one.house.controller().end_days(calendar, shown, over).size(), 1);
  const EntryNumber ended = one.house.head().entry;
  CHECK(begins());
  const auto first = one.taken(signer, uptime);
  REQUIRE(first.has_value());
  CHECK_EQ(first->head, ended);
  one.house.controller().record_signature(*first, over);
  CHECK_EQ(one.house.state().keys().signed_head, ended);
  // The end of a day needs one signature. The next day needs another.
  uptime += std::chrono::seconds(1);
  CHECK_FALSE(begins());
  const Timestamp next = one.house.controller().day_ends_at(calendar);
  REQUIRE_EQ(one.house.controller().end_days(calendar, shown, next).size(), 1);
  CHECK(begins());
  // A day that ends while a signature is being made gets its own signature after it.
  const Timestamp third = one.house.controller().day_ends_at(calendar);
  REQUIRE_EQ(one.house.controller().end_days(calendar, shown, third).size(), 1);
  const auto second = one.taken(signer, uptime);
  REQUIRE(second.has_value());
  one.house.controller().record_signature(*second, third);
  CHECK_EQ(unsigned_entries(one.house.state()), 2);  // the end of that day, and the signature
  uptime += std::chrono::seconds(1);
  CHECK(begins());
  const auto last = one.taken(signer, uptime);
  REQUIRE(last.has_value());
  CHECK_GT(last->head, second->head);
  one.house.controller().record_signature(*last, third);
  CHECK_EQ(one.house.state().keys().signed_head, last->head);
  CHECK_EQ(unsigned_entries(one.house.state()), 0);
}

}  // namespace linkmeter::journal_signature_test
