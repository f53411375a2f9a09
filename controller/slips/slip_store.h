// Slip store: the copies of slips on disk, DIR/slips/000012.pdf, and second copies of void slips,
// DIR/slips/000012-void.pdf.
//
// Laws: a copy is complete and synced before its digest is journaled, and is never written after
// that. A copy that does not match the journal's digest is never given out. The second copy of a
// void slip is made from the first copy and marked void; it may be made again at any time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "meters/state/slip.h"

namespace linkmeter {

// "000012": as printed, and in file names.
[[nodiscard]] std::string number_text(SlipNumber slip);

class SlipStore {
 public:
  explicit SlipStore(const std::filesystem::path& data) : folder_(data / "slips") {}

  [[nodiscard]] std::filesystem::path path(SlipNumber slip) const;
  // Makes the folder if it is missing. Durable on return. Throws Fault.
  void write(SlipNumber slip, const std::string& pdf) const;

  [[nodiscard]] std::filesystem::path void_path(SlipNumber slip) const;
  void write_void(SlipNumber slip, const std::string& pdf) const;
  [[nodiscard]] bool has_void(SlipNumber slip) const;

  // Why there is no copy to give out.
  enum class Missing : unsigned char { not_stored_yet, gone, differs };
  [[nodiscard]] std::variant<std::string, Missing> read(const Slip& slip) const;
  // The second copy, if it is unchanged since it was written.
  [[nodiscard]] std::variant<std::string, Missing> read_void(SlipNumber slip,
                                                             const Digest& written) const;

 private:
  void write_to(const std::filesystem::path& path, const std::string& pdf) const;

  std::filesystem::path folder_;
};

// A sentence for people.
[[nodiscard]] std::string sentence(SlipStore::Missing missing, SlipNumber slip);

}  // namespace linkmeter
