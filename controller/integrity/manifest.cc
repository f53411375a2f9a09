#include "controller/integrity/manifest.h"

#include <algorithm>
#include <array>
#include <optional>

#include "controller/store/hash_chain.h"
#include "meters/values/hex.h"

namespace linkmeter {
namespace {

constexpr std::string_view first_line = "linkmeter manifest 1";
constexpr std::size_t files_max = 1'000;
constexpr std::array kinds{SealedKind::program, SealedKind::chapter, SealedKind::floor};

std::string body(const Manifest& manifest) {
  std::string text(first_line);
  text += "\nsealed " + manifest.sealed_at + "\nby " + manifest.by + '\n';
  for (const SealedFile& file : manifest.files) {
    text += hex(file.digest) + ' ' + std::string(name(file.kind)) + ' ' + file.name + '\n';
  }
  return text;
}

std::optional<SealedFile> file_of(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', std::min(line.size(), first + 1));
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const auto digest = parse_digest(line.substr(0, first));
  const std::string_view kind_name = line.substr(first + 1, second - first - 1);
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(), [kind_name](SealedKind known) {
    return name(known) == kind_name;
  });
  if (!digest || kind == kinds.end()) return std::nullopt;
  SealedFile file;
  file.digest = *digest;
  file.kind = *kind;
  file.name = line.substr(second + 1);
  if (file.name.empty()) return std::nullopt;
  return file;
}

// Iterates over the lines of a text, each with its end.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  // nullopt: there is no further complete line.
  std::optional<std::string_view> next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    ++number_;
    return line;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] std::string wrong(std::string_view why) const {
    return "line " + std::to_string(number_) + " " + std::string(why);
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::optional<std::string> after(std::optional<std::string_view> line, std::string_view word) {
  if (!line || !line->starts_with(word) || line->size() == word.size()) return std::nullopt;
  return std::string(line->substr(word.size()));
}

}  // namespace

std::string_view name(SealedKind kind) {
  switch (kind) {
    case SealedKind::program: return "program";
    case SealedKind::chapter: return "chapter";
    case SealedKind::floor: return "floor";
  }
  return "";
}

std::filesystem::path manifest_path(const std::filesystem::path& data) { return data / "manifest"; }

std::string signed_text(const Manifest& manifest, const SigningKey& key) {
  std::string text = body(manifest);
  return text + "signature " + hexadecimal(key.sign(text)) + '\n';
}

std::variant<Manifest, std::string> read_manifest(std::string_view text,
                                                  std::string_view public_bytes) {
  Lines lines(text);
  Manifest manifest;
  if (lines.next() != first_line) return "it is not a manifest of this release";
  const auto sealed_at = after(lines.next(), "sealed ");
  const auto by = after(lines.next(), "by ");
  if (!sealed_at || !by) return lines.wrong("has no time or author of the seal");
  manifest.sealed_at = *sealed_at;
  manifest.by = *by;
  for (;;) {
    const std::size_t signed_size = text.size() - lines.rest().size();
    const auto line = lines.next();
    if (!line) return "it ends before its signature";
    if (const auto signature = after(line, "signature ")) {
      if (!lines.rest().empty()) return lines.wrong("is its signature, but not its last line");
      const auto bytes = parse_hex(*signature);
      if (!bytes || !is_signed(text.substr(0, signed_size), *bytes, public_bytes)) {
        return "its signature is not that of the seal key that the journal names";
      }
      return manifest;
    }
    const auto file = file_of(*line);
    if (!file) return lines.wrong("is not a digest, a kind and a name");
    const bool is_there =
        std::any_of(manifest.files.begin(), manifest.files.end(), [&file](const SealedFile& other) {
          return other.kind == file->kind &&
                 (other.name == file->name || file->kind == SealedKind::floor);
        });
    if (is_there) return lines.wrong("names a file that another line names");
    if (manifest.files.size() == files_max)
      return lines.wrong("exceeds the number of files allowed");
    manifest.files.push_back(*file);
  }
}

}  // namespace linkmeter
