// Texts that are not whole numbers in decimal digits up to 2^64 - 1. Every reader of external
// numbers must refuse each of them.
#pragma once

#include <string>
#include <vector>

namespace linkmeter {

inline const std::vector<std::string> malformed_numbers = {"",
                                                           " 1",
                                                           "1 ",
                                                           "+1",
                                                           "-1",
                                                           "-0",
                                                           "0x1",
                                                           "0b1",
                                                           "0o7",
                                                           "1.0",
                                                           "1e3",
                                                           "1'0",
                                                           "1_0",
                                                           "1,000",
                                                           "\t1",
                                                           "1\n",
                                                           "١",
                                                           "one",
                                                           "18446744073709551616",
                                                           "-18446744073709551615",
                                                           "99999999999999999999999999"};

}  // namespace linkmeter
