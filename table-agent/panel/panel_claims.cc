#include "table-agent/panel/panel_claims.h"

#include <array>
#include <string_view>
#include <utility>

#include "table-agent/panel/panel_view.h"

namespace linkmeter {

namespace {

using ClaimWords = std::pair<std::string_view, std::string_view>;
constexpr std::array<ClaimWords, 3> payment_places = {{
    {"hand_pay", "at the cage"},
    {"table_inventory", "from the rack"},
    {"game_account", "to the game account"},
}};
constexpr std::array<ClaimWords, 3> needs_words = {{
    {"validation", "pay nothing yet, a person verifies it first"},
    {"second_signature", "it waits for a second signature"},
    {"slip", "it waits for its slip"},
}};

template <std::size_t count>
std::string claim_words_of(const std::array<ClaimWords, count>& list, const std::string& name) {
  for (const auto& [one, words] : list) {
    if (one == name) return std::string(words);
  }
  return plain_words(name);
}

}  // namespace

std::string claim_words(const ClaimNotice& claim) {
  const std::string slip =
      claim.slip.value() > 0 ? ", on slip " + std::to_string(claim.slip.value()) : "";
  const std::string place =
      claim.source.empty() ? "" : " " + claim_words_of(payment_places, claim.source);
  if (claim.state == "paid") return "paid" + place + slip;
  if (claim.state == "rejected") {
    return "rejected" + (claim.reason.empty() ? "" : ": " + plain_words(claim.reason)) +
           "; nothing is paid";
  }
  std::string state = claim.state == "raised" ? "pending" : plain_words(claim.state);
  if (claim.needs.empty()) return state;
  if (claim.needs == "payment") return state + ": to be paid" + place + slip;
  return state + ": " + claim_words_of(needs_words, claim.needs);
}

const ClaimNotice* find_claim(const PanelState& scene, ClaimNumber number) {
  for (const ClaimNotice& claim : scene.claims) {
    if (claim.number == number) return &claim;
  }
  const auto known = scene.known_claims.find(number);
  return known == scene.known_claims.end() ? nullptr : &known->second;
}

}  // namespace linkmeter
