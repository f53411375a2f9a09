#include "controller/integrity/restore_marker.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "controller/store/own_node.h"
#include "controller/turn/controller.h"
#include "controller/view/json.h"
#include "meters/values/hex.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr const char* mark_kind = "linkmeter-restored 1";

std::optional<Timestamp> told_moment(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return parse_moment(found->get<std::string>());
}

std::optional<HistoryRestored> restored_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto mark = json.find("mark");
  if (mark == json.end() || *mark != mark_kind) return std::nullopt;
  const auto head = json.find("head");
  if (head == json.end() || !head->is_object()) return std::nullopt;
  const auto entry = head->find("entry"), hash = head->find("hash");
  if (entry == head->end() || !entry->is_number_unsigned() || hash == head->end() ||
      !hash->is_string()) {
    return std::nullopt;
  }
  const auto digest = parse_digest(hash->get<std::string>());
  const auto restored_at = told_moment(json, "restored_at");
  const auto made_at = told_moment(json, "backup_made_at");
  if (!digest || !restored_at || !made_at) return std::nullopt;
  return HistoryRestored{EntryNumber(entry->get<std::uint64_t>()), *digest, *restored_at, *made_at};
}

}  // namespace

void write_restore_marker(const std::filesystem::path& data, const HistoryRestored& restored) {
  const Json json{{"mark", mark_kind},
                  {"head", {{"entry", restored.ended_with.value()}, {"hash", hex(restored.hash)}}},
                  {"restored_at", text(restored.restored_at)},
                  {"backup_made_at", text(restored.backup_made_at)}};
  write_atomically(data / restore_marker_name, json.dump(2) + "\n", readable_by_owner);
}

std::optional<HistoryRestored> read_restore_marker(const std::filesystem::path& data) {
  const std::filesystem::path path = data / restore_marker_name;
  const auto written = read_file(path);
  if (!written && errno == ENOENT) return std::nullopt;
  if (!written) throw Fault(path.string() + ": cannot read it: " + std::strerror(errno));
  auto restored = restored_of(Json::parse(*written, nullptr, false));
  if (!restored) {
    throw Fault(path.string() + ": damaged; restore the backup again");
  }
  return restored;
}

bool append_restored(Controller& controller, const Journal& journal,
                     const std::filesystem::path& data, Timestamp now) {
  require_caught_up(data);
  const auto restored = read_restore_marker(data);
  if (!restored) return false;
  const std::filesystem::path path = data / restore_marker_name;
  const auto head = find_head(journal, restored->ended_with);
  if (!head || head->hash != restored->hash) {
    throw Fault(path.string() + ": it belongs to another journal: this one has no entry " +
                std::to_string(restored->ended_with.value()) + " with hash " + hex(restored->hash) +
                "; restore the backup again");
  }
  controller.record_restoration(*restored, now);
  std::error_code error;
  if (!std::filesystem::remove(path, error)) {
    throw Fault(path.string() + ": cannot remove it: " + error.message());
  }
  sync_directory(data);
  return true;
}

}  // namespace linkmeter
