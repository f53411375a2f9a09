#include "proto/codec/panel_codec.h"

#include <cstdint>

#include "meters/values/limits.h"
#include "proto/wire.pb.h"

namespace linkmeter::parts {

void encode_sign_in(const TableSignIn& sign_in, wire::TableSignIn& body) {
  body.set_question(sign_in.question);
  body.set_badge(sign_in.badge.text());
  body.set_pin(sign_in.pin);
  body.set_is_strange(sign_in.is_strange);
}

std::optional<TableSignIn> decode_sign_in(const wire::TableSignIn& body) {
  if (body.pin().size() > limits::pin_bytes_max) return std::nullopt;
  return TableSignIn{body.question(), Badge(body.badge()), body.pin(), body.is_strange()};
}

void encode_signed_in(const TableSignedIn& signed_in, wire::TableSignedIn& body) {
  body.set_question(signed_in.question);
  body.set_refusal(static_cast<std::uint32_t>(signed_in.refusal));
  body.set_badge(signed_in.badge.text());
  body.set_name(signed_in.name);
  for (const std::string& role : signed_in.roles) body.add_roles(role);
  for (const std::string& right : signed_in.rights) body.add_rights(right);
  body.set_wait_s(signed_in.wait_s);
  body.set_pin_mark(signed_in.pin_mark);
}

TableSignedIn decode_signed_in(const wire::TableSignedIn& body, Refusal refusal) {
  return TableSignedIn{body.question(),
                       refusal,
                       Badge(body.badge()),
                       body.name(),
                       {body.roles().begin(), body.roles().end()},
                       {body.rights().begin(), body.rights().end()},
                       body.wait_s(),
                       body.pin_mark()};
}

void encode_people(const std::vector<PanelPerson>& people, wire::Heartbeat& body) {
  for (const PanelPerson& person : people) {
    wire::PanelPerson& added = *body.add_people();
    added.set_badge(person.badge.text());
    for (const std::string& role : person.roles) added.add_roles(role);
    added.set_pin_mark(person.pin_mark);
  }
}

std::vector<PanelPerson> decode_people(const wire::Heartbeat& body) {
  std::vector<PanelPerson> people;
  for (const wire::PanelPerson& one : body.people()) {
    if (people.size() >= panel_people_max) break;
    people.push_back(
        {Badge(one.badge()), {one.roles().begin(), one.roles().end()}, one.pin_mark()});
  }
  return people;
}

void encode_own_counts(const ReportedCounts& counts, wire::OwnCounts& body) {
  body.set_from(counts.from.value());
  body.set_up_to(counts.up_to.value());
  for (const ReportedCounts::Link& link : counts.links) {
    wire::LinkCounted& added = *body.add_links();
    added.set_link(link.link.text());
    added.set_rounds(link.rounds);
    added.set_wagers(link.wagers);
    added.set_handle_units(link.handle.units());
  }
}

ReportedCounts decode_own_counts(const wire::OwnCounts& body) {
  ReportedCounts counts{MessageNumber(body.from()), MessageNumber(body.up_to()), {}};
  for (const wire::LinkCounted& link : body.links()) {
    if (counts.links.size() >= limits::links_per_table_max) break;
    counts.links.push_back({LinkId(link.link()), link.rounds(), link.wagers(),
                            Amount::from_units(link.handle_units())});
  }
  return counts;
}

}  // namespace linkmeter::parts
