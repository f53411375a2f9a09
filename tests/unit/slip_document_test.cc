#include "controller/slips/slip_document.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "controller/memory_journal.h"
#include "controller/seal.h"
#include "controller/slips/slip_pdf.h"
#include "controller/slips/slip_press.h"
#include "controller/slips/slip_store.h"
#include "tests/support/scoped_directory.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::slip_document_test {
namespace {

SlipDocument document() {
  return {
      "Demo Casino",
      "000012",
      "2026-03-01 09:05:09 EST",
      "$5,000.70",
      {{"Claim", "7"}, {"Table", "C4-01, seat 2"}},
      {"9h", "Th", "Xx"},
      {"The meter of major stood at $5000.70000000 at this hand's turn; all of it is $5,000.70."},
      "Reportable, Form W-2G.",
      true,
      {{"Validated by", "F-1 Zo\u00eb"}},
      {"Floorperson", "Patron"},
      "Journal: slip issued with entry 812."};
}

TEST_CASE("a slip is one whole PDF, and the same document is the same bytes") {
  const std::string pdf = slip_pdf(document());
  CHECK(pdf.starts_with("%PDF-1."));
  CHECK(pdf.find("%%EOF") != std::string::npos);
  CHECK(pdf.find("/Count 1") != std::string::npos);  // pages
  CHECK(slip_pdf(document()) == pdf);
  SlipDocument other = document();
  other.amount = "$5,000.71";
  CHECK(slip_pdf(other) != pdf);
}

TEST_CASE("texts of any length and no text at all make a slip") {
  SlipDocument slip = document();
  slip.house = std::string(64, 'W');
  for (int copy = 0; copy < 20; ++copy) slip.arithmetic.push_back(std::string(300, 'm'));
  slip.facts.clear();
  slip.cards.assign(24, "2c");
  slip.to_be_signed.clear();
  slip.tax = "";
  CHECK(slip_pdf(slip).starts_with("%PDF-1."));
  CHECK(slip_pdf(SlipDocument{}).starts_with("%PDF-1."));
}

TEST_CASE("a stored copy is given out only as the journal knows it") {
  const ScopedDirectory data;
  const SlipStore store(data.path());
  Slip slip;
  slip.number = SlipNumber(12);
  using Missing = SlipStore::Missing;
  CHECK(std::get<Missing>(store.read(slip)) == Missing::not_stored_yet);
  store.write(slip.number, "a copy");
  CHECK(std::get<Missing>(store.read(slip)) == Missing::not_stored_yet);
  slip.stored = sha256("a copy");
  CHECK(std::get<std::string>(store.read(slip)) == "a copy");
  CHECK(store.path(slip.number).filename() == "000012.pdf");
  std::ofstream(store.path(slip.number)) << "b copy";
  CHECK(std::get<Missing>(store.read(slip)) == Missing::differs);
  std::filesystem::remove(store.path(slip.number));
  CHECK(std::get<Missing>(store.read(slip)) == Missing::gone);
  // What a crash left half done is done again.
  store.write(slip.number, "a copy");
  store.write(slip.number, "a copy");
  CHECK(std::get<std::string>(store.read(slip)) == "a copy");
}

}  // namespace
}  // namespace linkmeter::slip_document_test
