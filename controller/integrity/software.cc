#include "controller/integrity/software.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <variant>

#include "controller/store/hash_chain.h"
#include "proto/host/atomic_file.h"
#include "proto/host/executable.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::array programs{"linkmeter-controller", "linkmeter", "linkmeter-table-agent"};

FoundFile found(SealedKind kind, const std::filesystem::path& path,
                const std::filesystem::path& image) {
  FoundFile file{kind, path.filename().string(), path, std::nullopt, ""};
  const bool is_plain = std::none_of(file.name.begin(), file.name.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
  });
  if (!is_plain || file.name.empty()) {
    throw Fault(path.string() + ": a file of this name cannot be sealed");
  }
  if (const auto bytes = read_file(image)) {
    file.digest = sha256(*bytes);
  } else {
    file.trouble = std::strerror(errno);
  }
  return file;
}

FoundFile found(SealedKind kind, const std::filesystem::path& path) {
  return found(kind, path, path);
}

void find_programs(std::vector<FoundFile>& all) {
  const Executable own = own_executable();
  if (own.path.empty()) throw Fault("cannot find this program's file: /proc is not mounted");
  for (const char* const program : programs) {
    const std::filesystem::path path = own.path.parent_path() / program;
    std::error_code ignored;
    if (path.filename() == own.path.filename()) {
      all.push_back(found(SealedKind::program, path, own.image));
    } else if (std::filesystem::exists(path, ignored)) {
      all.push_back(found(SealedKind::program, path));
    }
  }
  // The running program is checked whatever its name.
  if (std::find(programs.begin(), programs.end(), own.path.filename()) == programs.end()) {
    all.push_back(found(SealedKind::program, own.path, own.image));
  }
}

void find_chapters(const std::filesystem::path& catalogue, std::vector<FoundFile>& all) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(catalogue, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".toml") paths.push_back(entry->path());
  }
  if (error) throw Fault(catalogue.string() + ": cannot read the catalogue: " + error.message());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) all.push_back(found(SealedKind::chapter, path));
}

FileVerdict verdict_on(const SealedFile& sealed, const FoundFile& file) {
  FileVerdict verdict{sealed.kind, sealed.name, file.path.string(), FileCondition::good,
                      file.trouble};
  if (!file.digest) {
    verdict.verdict = FileCondition::unreadable;
  } else if (*file.digest != sealed.digest) {
    verdict.verdict = FileCondition::differs;
  }
  return verdict;
}

std::filesystem::path folder_of(SealedKind kind, const SoftwarePaths& place) {
  if (kind == SealedKind::chapter) return place.catalogue;
  return kind == SealedKind::program ? own_executable().path.parent_path()
                                     : place.floor.parent_path();
}

}  // namespace

std::vector<FoundFile> find_software(const SoftwarePaths& place) {
  std::vector<FoundFile> all;
  find_programs(all);
  find_chapters(place.catalogue, all);
  if (!place.floor.empty()) all.push_back(found(SealedKind::floor, place.floor));
  return all;
}

std::vector<SealedFile> sealed_files(const SoftwarePaths& place) {
  std::vector<SealedFile> files;
  for (const FoundFile& file : find_software(place)) {
    if (!file.digest) throw Fault(file.path.string() + ": cannot read it: " + file.trouble);
    files.push_back({file.kind, file.name, *file.digest});
  }
  return files;
}

std::string_view name(FileCondition verdict) {
  switch (verdict) {
    case FileCondition::good: return "ok";
    case FileCondition::differs: return "differs";
    case FileCondition::missing: return "missing";
    case FileCondition::unreadable: return "unreadable";
    case FileCondition::unsealed: return "unsealed";
    case FileCondition::not_looked_at: return "not_looked_at";
  }
  return "";
}

std::string text(const FileVerdict& file) {
  switch (file.verdict) {
    case FileCondition::good: return file.path + " is as it was sealed";
    case FileCondition::differs: return file.path + " differs from what was sealed";
    case FileCondition::missing: return file.path + " is missing";
    case FileCondition::unreadable: return file.path + " cannot be read: " + file.trouble;
    case FileCondition::unsealed: return file.path + " was never sealed";
    case FileCondition::not_looked_at: return file.name + " was not checked";
  }
  return "";
}

std::vector<FileVerdict> compare(const Manifest& manifest, const SoftwarePaths& place) {
  std::vector<FoundFile> found = find_software(place);
  std::vector<FileVerdict> verdict;
  for (const SealedFile& sealed : manifest.files) {
    const auto file = std::find_if(found.begin(), found.end(), [&sealed](const FoundFile& one) {
      // A floor file may have any name: there is only one.
      return one.kind == sealed.kind && (one.name == sealed.name || one.kind == SealedKind::floor);
    });
    if (file != found.end()) {
      verdict.push_back(verdict_on(sealed, *file));
      found.erase(file);
    } else {
      const bool is_looked_at = sealed.kind != SealedKind::floor || !place.floor.empty();
      verdict.push_back({sealed.kind, sealed.name,
                         (folder_of(sealed.kind, place) / sealed.name).string(),
                         is_looked_at ? FileCondition::missing : FileCondition::not_looked_at, ""});
    }
  }
  for (const FoundFile& file : found) {
    verdict.push_back({file.kind, file.name, file.path.string(), FileCondition::unsealed, ""});
  }
  return verdict;
}

bool SoftwareReport::is_clean() const {
  return fault.empty() && std::none_of(files.begin(), files.end(), [](const FileVerdict& file) {
           return is_wrong(file.verdict);
         });
}

std::optional<Digest> present_manifest_digest(const std::filesystem::path& data) {
  const auto written = read_file(manifest_path(data));
  return written ? std::optional<Digest>(sha256(*written)) : std::nullopt;
}

SoftwareReport verify_software(const std::filesystem::path& data, const SoftwarePaths& place,
                               std::string_view seal_key) {
  SoftwareReport report;
  const std::filesystem::path path = manifest_path(data);
  if (seal_key.empty()) {
    report.fault = "the journal names no seal key: it was opened by a release that " +
                   std::string("sealed nothing, so the approved software is unknown; ") +
                   "open a data folder with this release";
    return report;
  }
  const auto written = read_file(path);
  if (!written) {
    report.fault = path.string() + ": cannot read the manifest: " + std::strerror(errno);
    return report;
  }
  report.manifest_digest = sha256(*written);
  auto read = read_manifest(*written, seal_key);
  if (const auto* wrong = std::get_if<std::string>(&read)) {
    report.fault = path.string() + ": " + *wrong;
    return report;
  }
  report.manifest = std::get<Manifest>(std::move(read));
  report.files = compare(report.manifest, place);
  return report;
}

std::string text(const SoftwareReport& report) {
  if (report.is_clean()) return "";
  std::string wrong = report.fault;
  for (const FileVerdict& file : report.files) {
    if (is_wrong(file.verdict)) wrong += (wrong.empty() ? "" : "; ") + text(file);
  }
  return wrong + ". Put back what was sealed, or, if the change is approved (an upgrade, another " +
         "floor file), seal it: linkmeter seal --floor FILE --data DIR; then start again";
}

}  // namespace linkmeter
