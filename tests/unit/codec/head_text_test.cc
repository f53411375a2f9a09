#include "proto/codec/head_text.h"

#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

namespace linkmeter::head_text_test {

TEST_CASE("a head is an entry and its hash, and is read back") {
  Head head;
  head.entry = EntryNumber(812);
  head.hash.fill(0x5f);
  std::string hash;
  for (int byte = 0; byte < 32; ++byte) hash += "5f";
  CHECK_EQ(text(head), "812:" + hash);
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{812}, std::numeric_limits<std::uint64_t>::max()}) {
    head.entry = EntryNumber(number);
    CHECK_EQ(parse_head(text(head)), head);
  }
  const std::vector<std::string> none = {"",
                                         hash,
                                         "812" + hash,
                                         "812:",
                                         ":" + hash,
                                         "-1:" + hash,
                                         "812 :" + hash,
                                         "8x:" + hash,
                                         "812:" + hash + "5f",
                                         "812:" + hash.substr(2),
                                         "18446744073709551616:" + hash};
  for (const std::string& wrong : none) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_head(wrong).has_value());
  }
}

}  // namespace linkmeter::head_text_test
