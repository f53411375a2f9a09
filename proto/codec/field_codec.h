// Field codec: each message lists its fields once, and the list both writes the message and reads
// it:
//
//   bool serialize(Of<Slip> auto& slip, auto& message) {
//     return FIELD(slip.number, number) && FIELD(slip.stored, stored);
//   }
//
// A list writes, and gives true, if `message` can be changed. It reads if `message` is const: false
// means a value outside its type's range, and then the partial result must not be used. Lists are
// in the namespace of their values, where the templates below find them.
//
// An optional part is absent from the message if it is nullopt: the field is not set, or is 0 or
// empty if the schema does not tell these apart. The name of a field with an amount ends with its
// unit, "cents" or "units".
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "proto/codec/parts_codec.h"

namespace linkmeter {

// A `Kind` that is written, or one that is read.
template <class Value, class Kind>
concept Of = std::same_as<std::remove_const_t<Value>, Kind>;

template <class Message>
concept IsRead = std::is_const_v<std::remove_reference_t<Message>>;

namespace parts {

enum class Money { none, cents, units };
consteval Money money_of(std::string_view field) {
  if (field.ends_with("cents")) return Money::cents;
  return field.ends_with("units") ? Money::units : Money::none;
}

template <class Type>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;
template <class Type>
concept IsRepeated = requires(Type& field) {
  field.Add();
};
template <class Type>
concept IsMessage = requires(const Type& message) {
  message.SerializeAsString();
};

// ---- one value ----------------------------------------------------------------------------------

// The value as its field holds it.
template <Money money, class Value>
decltype(auto) to_field(const Value& value) {
  if constexpr (std::same_as<Value, Amount>) {
    static_assert(money != Money::none, "the name of the field must end with its unit");
    return money == Money::cents ? value.in_cents() : value.units();
  } else if constexpr (std::same_as<Value, Timestamp>) {
    return value.microseconds();
  } else if constexpr (std::same_as<Value, GamingDay>) {
    return static_cast<std::uint32_t>(value.number());
  } else if constexpr (std::same_as<Value, Rate>) {
    return static_cast<std::uint32_t>(value.ppm());
  } else if constexpr (std::same_as<Value, Card>) {
    return value.index();
  } else if constexpr (std::same_as<Value, std::vector<Card>>) {
    return encode_cards(value);
  } else if constexpr (std::same_as<Value, Digest>) {
    return encode_digest(value);
  } else if constexpr (std::same_as<Value, PaymentSource>) {
    return encode_source(value);
  } else if constexpr (std::is_enum_v<Value>) {
    return static_cast<std::uint32_t>(value);
  } else if constexpr (requires { value.text(); }) {
    return value.text();
  } else if constexpr (requires { value.value(); }) {
    return value.value();
  } else {
    return (value);
  }
}

template <class Value>
bool take(const std::optional<Value>& decoded, Value& value) {
  if (decoded) value = *decoded;
  return decoded.has_value();
}

template <Money money, class Field, class Value>
bool from_field(const Field& field, Value& value) {
  if constexpr (std::same_as<Value, Amount>) {
    static_assert(money != Money::none, "the name of the field must end with its unit");
    if constexpr (money == Money::cents) return take(decode_cents(field), value);
    value = Amount::from_units(field);
    return true;
  } else if constexpr (std::same_as<Value, Timestamp>) {
    value = Timestamp::from_microseconds(field);
    return true;
  } else if constexpr (std::same_as<Value, GamingDay>) {
    return take(decode_day(field), value);
  } else if constexpr (std::same_as<Value, Rate>) {
    return take(decode_rate(field), value);
  } else if constexpr (std::same_as<Value, std::vector<Card>>) {
    return decode_cards(field, value);
  } else if constexpr (std::same_as<Value, Digest>) {
    return decode_digest(field, value);
  } else if constexpr (std::same_as<Value, PaymentSource>) {
    return take(decode_source(field), value);
  } else if constexpr (std::same_as<Value, Refusal>) {
    return take(decode_refusal(field), value);
  } else if constexpr (std::is_enum_v<Value>) {
    return take(decode_numbered<Value>(field), value);
  } else if constexpr (std::same_as<Value, LevelIndex>) {
    return decode_level(field, value);
  } else if constexpr (std::same_as<Value, Seat>) {
    return take(decode_seat(field), value);
  } else if constexpr (std::same_as<Field, Value>) {
    value = field;
    return true;
  } else if constexpr (std::is_integral_v<Value>) {
    return take(decode_integer<Value>(field), value);
  } else {
    static_assert(std::same_as<std::remove_cvref_t<decltype(to_field<money>(value))>, Field>,
                  "the field cannot hold every value");
    value = Value(field);
    return true;
  }
}

// A card has no value before it is read.
inline bool read_card(std::uint32_t index, std::optional<Card>& card) {
  if (index >= Card::index_count) return false;
  card = Card::from_index(static_cast<std::uint8_t>(index));
  return true;
}

// ---- one field, of any kind ---------------------------------------------------------------------

template <Money money, class Field, class Value>
bool read(const Field& field, Value& value) {
  if constexpr (IsRepeated<Field>) {
    if constexpr (requires { value.reserve(0); }) {
      value.reserve(static_cast<std::size_t>(field.size()));
    }
    for (const auto& element : field) {
      if constexpr (requires { value.emplace_back(); }) {
        if (!read<money>(element, value.emplace_back())) return false;
      } else {
        typename Value::value_type one{};
        if (!read<money>(element, one)) return false;
        value.insert(std::move(one));
      }
    }
    return true;
  } else if constexpr (IsMessage<Field>) {
    return serialize(value, field);
  } else {
    return from_field<money>(field, value);
  }
}

template <Money money, class Field, class Value>
bool read(const Field& field, std::optional<Value>& value) {
  if constexpr (std::same_as<Value, Card>) {
    return read_card(field, value);
  } else {
    return read<money>(field, value.emplace(Value{}));
  }
}

template <Money money, class Values, class Field>
void write_all(const Values& values, Field& field) {
  for (const auto& value : values) {
    auto& added = *field.Add();
    if constexpr (IsMessage<std::remove_reference_t<decltype(added)>>) {
      serialize(value, added);
    } else {
      added = to_field<money>(value);
    }
  }
}

// How FIELD reaches the field of a message: `get`, `set`, `change` and `has`.
template <class Get, class Set, class Change, class Has>
struct Accessors {
  Get get;
  Set set;
  Change change;
  Has has;
};
template <class Get, class Set, class Change, class Has>
Accessors(Get, Set, Change, Has) -> Accessors<Get, Set, Change, Has>;

template <Money money, class Message, class Part, class Field>
bool transfer(Message& message, Part& part, const Field& field) {
  if constexpr (is_optional<std::remove_const_t<Part>>) {
    if constexpr (IsRead<Message>) {
      return !field.has(message) || read<money>(field.get(message), part);
    } else {
      return !part || transfer<money>(message, *part, field);
    }
  } else if constexpr (IsRead<Message>) {
    return read<money>(field.get(message), part);
  } else {
    using Kind = std::remove_cvref_t<decltype(field.get(message))>;
    if constexpr (IsRepeated<Kind>) {
      write_all<money>(part, *field.change(message));
    } else if constexpr (IsMessage<Kind>) {
      serialize(std::as_const(part), *field.change(message));
    } else {
      field.set(message, to_field<money>(part));
    }
    return true;
  }
}

// Whether the message has no such field, or is to have none.
template <class Message, class Field>
bool is_absent(Message& message, bool is_written, const Field& field) {
  if constexpr (IsRead<Message>) {
    return !field.has(message);
  } else {
    return !is_written;
  }
}

// ---- one of several -----------------------------------------------------------------------------

// Whether the variant is, or becomes, a `Kind`; then its part is transferred.
template <class Kind, Money money, class Message, class Variant, class PartOf, class Field>
bool transfer_if(Message& message, Variant& variant, bool& is_valid, PartOf part_of,
                 const Field& field) {
  if constexpr (IsRead<Message>) {
    if (!field.has(message)) return false;
    is_valid = transfer<money>(message, part_of(variant.template emplace<Kind>()), field);
  } else {
    const Kind* kind = std::get_if<Kind>(&variant);
    if (kind == nullptr) return false;
    is_valid = transfer<money>(message, part_of(*kind), field);
  }
  return true;
}

// Tries ALTERNATIVEs in turn, each for one kind of the variant. False: the message has none of
// them, or it is not valid.
template <class Message, class Variant, class... Alternatives>
bool one_of(Message& message, Variant& variant, Alternatives... alternatives) {
  static_assert(sizeof...(alternatives) == std::variant_size_v<std::remove_const_t<Variant>>);
  bool is_valid = false;
  static_cast<void>((alternatives(message, variant, is_valid) || ...));
  return is_valid;
}

}  // namespace parts

#define FIELD_ACCESSORS(field)                                                                \
  ::linkmeter::parts::Accessors {                                                             \
    [](const auto& from) -> decltype(auto) { return from.field(); },                          \
        [](auto& to, auto&& value) { to.set_##field(std::forward<decltype(value)>(value)); }, \
        [](auto& to) { return to.mutable_##field(); }, [](const auto& from) {                 \
          if constexpr (requires { from.has_##field(); }) {                                   \
            return from.has_##field();                                                        \
          } else {                                                                            \
            return from.field() != std::remove_cvref_t<decltype(from.field())>{};             \
          }                                                                                   \
        }                                                                                     \
  }

// Writes the part to the field of `message`, or reads it.
#define FIELD(part, field)                                                          \
  ::linkmeter::parts::transfer<::linkmeter::parts::money_of(#field)>(message, part, \
                                                                     FIELD_ACCESSORS(field))

// The field is written only on the condition; a message without it leaves the part as it is.
#define FIELD_IF(condition, part, field) \
  (::linkmeter::parts::is_absent(message, condition, FIELD_ACCESSORS(field)) || FIELD(part, field))

// The field is absent if the part has no other than its first value.
#define FIELD_OR_DEFAULT(part, field) \
  FIELD_IF((part) != std::remove_cvref_t<decltype(part)>{}, part, field)

// The variant is a `Kind` if the message has the field, which holds the kind or one member of it.
// Nothing is captured: a fact has 47 alternatives, and each would store its captures.
#define ALTERNATIVE(Kind, field)                                                                 \
  [](auto& fields, auto& whole, bool& valid) {                                                   \
    return ::linkmeter::parts::transfer_if<Kind, ::linkmeter::parts::Money::none>(               \
        fields, whole, valid, [](auto& kind) -> auto& { return kind; }, FIELD_ACCESSORS(field)); \
  }
#define ALTERNATIVE_MEMBER(Kind, member, field)                                    \
  [](auto& fields, auto& whole, bool& valid) {                                     \
    return ::linkmeter::parts::transfer_if<Kind, ::linkmeter::parts::Money::none>( \
        fields, whole, valid, [](auto& kind) -> auto& { return kind.member; },     \
        FIELD_ACCESSORS(field));                                                   \
  }

}  // namespace linkmeter
