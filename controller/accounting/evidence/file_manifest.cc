#include "controller/accounting/evidence/file_manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "meters/values/hex.h"
#include "proto/codec/json_nesting.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/sha256.h"

namespace linkmeter {

namespace {

constexpr std::size_t sentences_shown_max = 5;

std::string list_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json json_of_pieces(const FileManifest& list) {
  Json files = Json::array();
  for (const ManifestEntry& piece : list.pieces) {
    files.push_back({{"file", piece.file},
                     {"bytes", piece.content.bytes},
                     {"sha256", hex(piece.content.digest)}});
  }
  return {{"list", list.kind}, {"about", list.about}, {"files", std::move(files)}};
}

// Whether the name stays inside the folder.
bool is_inside(const std::string& file) {
  const std::filesystem::path path(file);
  if (file.empty() || path.is_absolute() || path.lexically_normal().string() != file) return false;
  return std::none_of(path.begin(), path.end(),
                      [](const std::filesystem::path& part) { return part == ".."; });
}

std::optional<ManifestEntry> piece_of(const Json& json) {
  const auto file = text_in(json, "file");
  const auto bytes = number_in(json, "bytes");
  const auto digest = digest_in(json, "sha256");
  if (!file || !bytes || !digest || json.size() != 3 || !is_inside(*file)) return std::nullopt;
  return ManifestEntry{*file, {*bytes, *digest}};
}

std::optional<FileManifest> list_of(const Json& json) {
  const auto about = json.find("about"), files = json.find("files");
  if (about == json.end() || files == json.end()) return std::nullopt;
  if (!about->is_object() || !files->is_array()) return std::nullopt;
  FileManifest list{json["list"].get<std::string>(), *about, {}};
  for (const Json& one : *files) {
    auto piece = piece_of(one);
    if (!piece) return std::nullopt;
    list.pieces.push_back(std::move(*piece));
  }
  return list;
}

}  // namespace

const ManifestEntry* FileManifest::find(const std::string& file) const {
  const auto found =
      std::find_if(pieces.begin(), pieces.end(),
                   [&file](const ManifestEntry& piece) { return piece.file == file; });
  return found == pieces.end() ? nullptr : &*found;
}

std::uint64_t FileManifest::bytes() const {
  std::uint64_t sum = 0;
  for (const ManifestEntry& piece : pieces) sum += piece.content.bytes;
  return sum;
}

std::vector<std::string> files_below(const std::filesystem::path& folder, const std::string& list) {
  std::error_code error;
  using Walk = std::filesystem::recursive_directory_iterator;
  Walk found(folder, error);
  std::vector<std::string> files;
  while (!error && found != Walk()) {
    // A link is listed, as a file that does not belong there.
    const bool is_folder = found->is_directory(error) && !found->is_symlink(error);
    const std::string name = found->path().lexically_relative(folder).string();
    if (!error && !is_folder && name != list) files.push_back(name);
    if (!error) found.increment(error);
  }
  if (error) throw Fault(folder.string() + ": cannot read the folder: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

FileManifest list_pieces(const std::filesystem::path& folder, const std::string& list,
                         std::string kind, Json about, const Steps& steps) {
  FileManifest made{std::move(kind), std::move(about), {}};
  const std::vector<std::string> files = files_below(folder, list);
  for (const std::string& file : files) {
    made.pieces.push_back({file, file_digest(folder / file)});
    if (steps) steps("list", made.pieces.size(), files.size());
  }
  return made;
}

std::string text(const FileManifest& list) {
  Json json = json_of_pieces(list);
  json["sha256"] = hex(sha256(list_text(json)));
  return list_text(json);
}

FileManifest read_file_manifest(const std::filesystem::path& file, const std::string& kind) {
  const auto written = read_file(file, Links::refuse);
  if (!written) {
    throw Fault(file.string() + ": cannot read it: " + std::strerror(errno) +
                "; without it the folder cannot be verified");
  }
  const Json json = is_nested_too_deep(*written) ? Json() : Json::parse(*written, nullptr, false);
  const auto named = text_in(json, "list");
  if (!named) {
    throw Fault(file.string() + ": altered, or not a list of files");
  }
  if (*named != kind) {
    throw Fault(file.string() + ": a list of another kind than \"" + kind + "\", or altered");
  }
  auto list = list_of(json);
  // Byte for byte, so that it contains nothing else.
  if (!list || text(*list) != *written) {
    throw Fault(file.string() + ": altered: it is not what its own SHA-256 says");
  }
  return std::move(*list);
}

FileManifest finish_folder(StagingDirectory& draft, const std::filesystem::path& place,
                           const std::string& list, std::string kind, Json about,
                           const Steps& steps) {
  FileManifest made = list_pieces(draft.path(), list, std::move(kind), std::move(about), steps);
  sync_folders(draft.path());
  write_atomically(draft.path() / list, text(made), readable_by_owner);
  draft.move_to(place);
  sync_directory(place.parent_path());
  return made;
}

void require_nothing_at(const std::filesystem::path& path, const std::string& sentence) {
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
    throw Fault(sentence);
  }
}

void make_folder(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw Fault(path.string() + ": cannot make it: " + std::strerror(errno));
  }
}

std::vector<std::string> differences(const std::filesystem::path& folder, const std::string& list,
                                     const FileManifest& pieces, const Steps& steps,
                                     const std::set<std::string>& passed_over) {
  std::vector<std::string> wrong;
  const std::vector<std::string> files = files_below(folder, list);
  const std::set<std::string> there(files.begin(), files.end());
  const std::uint64_t of = pieces.bytes();
  std::uint64_t done = 0;
  for (const ManifestEntry& piece : pieces.pieces) {
    const std::filesystem::path path = folder / piece.file;
    std::error_code error;
    if (!there.contains(piece.file)) {
      wrong.push_back(piece.file + ": missing");
    } else if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error))) {
      wrong.push_back(piece.file + ": not a file");
    } else {
      const FileDigest found =
          file_digest(path, std::numeric_limits<std::uint64_t>::max(), [&](std::uint64_t bytes) {
            if (steps) steps("check", done + bytes, of);
          });
      if (found.bytes != piece.content.bytes) {
        wrong.push_back(piece.file + ": altered: " + std::to_string(found.bytes) +
                        " bytes instead of " + std::to_string(piece.content.bytes));
      } else if (found.digest != piece.content.digest) {
        wrong.push_back(piece.file + ": altered: its SHA-256 is " + hex(found.digest));
      }
    }
    done += piece.content.bytes;
  }
  for (const std::string& file : files) {
    if (pieces.find(file) != nullptr || passed_over.contains(file)) continue;
    wrong.push_back(file + ": extra: it does not belong here");
  }
  return wrong;
}

std::optional<std::string> text_in(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                   : std::nullopt;
}

std::optional<std::uint64_t> number_in(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_number_unsigned()
             ? std::optional(found->get<std::uint64_t>())
             : std::nullopt;
}

std::optional<Digest> digest_in(const Json& json, const char* key) {
  const auto digits = text_in(json, key);
  return digits ? parse_digest(*digits) : std::nullopt;
}

Json head_json(const Head& head) {
  return {{"entry", head.entry.value()}, {"hash", hex(head.hash)}};
}

std::string some_of(const std::vector<std::string>& sentences) {
  std::string all;
  for (std::size_t at = 0; at < sentences.size() && at < sentences_shown_max; ++at) {
    all += (at == 0 ? "" : "; ") + sentences[at];
  }
  if (sentences.size() > sentences_shown_max) {
    all += "; and " + std::to_string(sentences.size() - sentences_shown_max) + " more";
  }
  return all;
}

namespace {

[[noreturn]] void cannot_copy(const std::filesystem::path& path, const char* doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

// Visits the file's first bytes, a piece at a time.
template <class Visit>
void each_piece(const std::filesystem::path& path, std::uint64_t bytes_max, const Visit& visit) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) cannot_copy(path, "read it");
  if (!S_ISREG(status.st_mode)) throw Fault(path.string() + ": not a file");
  std::array<char, std::size_t{1} << 16U> piece{};
  while (bytes_max > 0) {
    const std::size_t wanted = std::min<std::uint64_t>(bytes_max, piece.size());
    const ssize_t count = ::read(file.get(), piece.data(), wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_copy(path, "read it");
    if (count == 0) return;
    visit(std::string_view(piece.data(), static_cast<std::size_t>(count)));
    bytes_max -= static_cast<std::uint64_t>(count);
  }
}

}  // namespace

FileDigest file_digest(const std::filesystem::path& path, std::uint64_t bytes_max,
                       const BytesDone& progress) {
  FileDigest made;
  Sha256& hash = Sha256::begun();
  each_piece(path, bytes_max, [&](std::string_view piece) {
    hash.add(piece.data(), piece.size());
    made.bytes += piece.size();
    if (progress) progress(made.bytes);
  });
  made.digest = hash.finish();
  return made;
}

FileDigest copy_synced(const std::filesystem::path& from, const std::filesystem::path& to,
                       const BytesDone& progress) {
  const FileDescriptor file(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_owner));
  if (!file.is_open()) cannot_copy(to, "write it");
  FileDigest made;
  Sha256& hash = Sha256::begun();
  each_piece(from, std::numeric_limits<std::uint64_t>::max(), [&](std::string_view piece) {
    hash.add(piece.data(), piece.size());
    made.bytes += piece.size();
    if (!file.write_all(piece)) cannot_copy(to, "write it");
    if (progress) progress(made.bytes);
  });
  made.digest = hash.finish();
  if (::fsync(file.get()) != 0) cannot_copy(to, "sync it");
  return made;
}

void sync_folders(const std::filesystem::path& folder) {
  for (const auto& found : std::filesystem::recursive_directory_iterator(folder)) {
    if (found.is_directory() && !found.is_symlink()) sync_directory(found.path());
  }
  sync_directory(folder);
}

}  // namespace linkmeter
