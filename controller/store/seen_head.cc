#include "controller/store/seen_head.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "meters/values/hex.h"
#include "proto/host/atomic_file.h"

namespace linkmeter {
namespace {

std::optional<Witness> witness_of(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || json.size() != 3) return std::nullopt;
  const auto table = json.find("table"), entry = json.find("entry"), hash = json.find("hash");
  if (table == json.end() || entry == json.end() || hash == json.end()) return std::nullopt;
  if (!table->is_string() || !entry->is_number_unsigned() || !hash->is_string()) {
    return std::nullopt;
  }
  const auto digest = parse_digest(hash->get<std::string>());
  if (!digest || table->get<std::string>().empty()) return std::nullopt;
  return Witness{TableId(table->get<std::string>()),
                 {EntryNumber(entry->get<std::uint64_t>()), *digest}};
}

}  // namespace

std::vector<Witness> read_witnesses(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) throw Fault(file.string() + ": cannot read it: " + std::strerror(errno));
  std::vector<Witness> witnesses;
  std::string_view rest = *text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto witness = witness_of(line);
    if (!witness) {
      throw Fault(file.string() + ":" + std::to_string(number) +
                  R"(: not a witness; one is {"table":"C4-01","entry":812,"hash":"64 digits"})");
    }
    witnesses.push_back(*witness);
  }
  if (witnesses.empty()) throw Fault(file.string() + ":1: holds no witness");
  return witnesses;
}

std::string contradiction(const Journal& journal, const Witness& witness) {
  if (witness.head.entry.value() == 0) return "";
  const std::string seen = "table " + witness.table.text() + " has seen entry " +
                           std::to_string(witness.head.entry.value());
  if (witness.head.entry > journal.head().entry) {
    return seen + ", but the journal ends with entry " +
           std::to_string(journal.head().entry.value()) + ": it was cut from its end";
  }
  const std::optional<Head> found = find_head(journal, witness.head.entry);
  if (!found) return seen + ", but the journal does not have it";
  if (found->hash != witness.head.hash) {
    return seen + " with hash " + hex(witness.head.hash) + ", but in the journal it has hash " +
           hex(found->hash) + ": this is another history";
  }
  return "";
}

// An entry was on disk before any table learned of it, so only committed entries are compared.
std::optional<std::string> history_mismatch(const Journal& journal, const Hello& hello) {
  const Head& witness = hello.witness;
  if (witness.entry == EntryNumber()) return std::nullopt;
  const std::string seen = "table " + hello.table.text() + " saw entry " +
                           std::to_string(witness.entry.value()) + ", which this journal ";
  const std::string ask = ": restored from an old copy?";
  if (witness.entry > journal.head().entry) return seen + "does not have" + ask;
  if (find_head(journal, witness.entry) == witness) return std::nullopt;
  return seen + "has with another hash" + ask;
}

}  // namespace linkmeter
