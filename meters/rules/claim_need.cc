#include "meters/rules/claim_need.h"

#include "meters/floor/payment_policy.h"
#include "meters/values/enum_names.h"

namespace linkmeter {

ClaimNeed need_of(const State& state, const Claim& claim) {
  if (claim.state == ClaimState::raised) return ClaimNeed::validation;
  if (claim.state != ClaimState::validated) return ClaimNeed::nothing;
  // A signature given stays valid, and a claim on a slip had all of its signatures.
  if (state.open_slip(claim) != nullptr) return ClaimNeed::payment;
  const bool is_signed = !claim.countersigned_by.empty() ||
                         step_for(state.floor().second_signature, claim.amount) == nullptr;
  return is_signed ? ClaimNeed::slip : ClaimNeed::second_signature;
}

std::string_view name(ClaimNeed need) {
  static constexpr EnumNames<ClaimNeed::nothing, ClaimNeed::payment> names{
      "", "validation", "second_signature", "slip", "payment"};
  return names.of(need);
}

}  // namespace linkmeter
