#include "proto/codec/link_codec.h"

#include "meters/values/limits.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

namespace {

void encode_pool(const PoolBalances& pool, journal::PoolReading& message) {
  message.set_held_units(pool.held.units());
  message.set_withheld_units(pool.withheld.units());
  message.set_pending_units(pool.pending.units());
  message.set_paid_units(pool.paid.units());
  message.set_contributed_units(pool.contributed.units());
  message.set_seeded_units(pool.seeded.units());
  message.set_corrected_units(pool.corrected.units());
  message.set_transferred_units(pool.transferred.units());
  message.set_overflowed_units(pool.overflowed.units());
  message.set_contributed_before_units(pool.contributed_before.units());
}

PoolBalances decode_pool(const journal::PoolReading& message) {
  return PoolBalances{Amount::from_units(message.held_units()),
                      Amount::from_units(message.withheld_units()),
                      Amount::from_units(message.pending_units()),
                      Amount::from_units(message.paid_units()),
                      Amount::from_units(message.contributed_units()),
                      Amount::from_units(message.seeded_units()),
                      Amount::from_units(message.corrected_units()),
                      Amount::from_units(message.transferred_units()),
                      Amount::from_units(message.overflowed_units()),
                      Amount::from_units(message.contributed_before_units())};
}

}  // namespace

void encode_link_book(const LinkBalances& book, journal::LinkReading& message) {
  for (const LevelBalances& level : book.levels) {
    journal::LevelReading* added = message.add_levels();
    encode_pool(level.pool, *added->mutable_pool());
    added->set_hits(level.hits);
    added->set_partial_hits(level.partial_hits);
    added->set_calls(level.calls);
  }
  encode_pool(book.reserve, *message.mutable_reserve());
  message.set_suspended(book.suspended);
  message.set_pending_adjustment(book.pending_adjustment);
  message.set_handle_before_units(book.handle_before.units());
  message.set_stopped_with(book.ending.stopped.value());
  message.set_ended_with(book.ending.ended.value());
  if (book.ending.went_to) {
    message.set_went_to(book.ending.went_to->link.value());
    const Pool pool = book.ending.went_to->pool;
    if (!pool.is_reserve()) message.set_went_to_level(pool.level_index().value());
  }
  for (const TableCount& count : book.tables) {
    journal::TableReading* added = message.add_tables();
    added->set_table(count.table.value());
    added->set_rounds(count.rounds);
    added->set_wagers(count.wagers);
    added->set_handle_units(count.handle.units());
    added->set_attendant_paid_units(count.paid.by_attendant.units());
    added->set_device_paid_units(count.paid.by_device.units());
    added->set_paid_units(count.paid.in_all.units());
  }
}

std::optional<LinkBalances> decode_link_book(const journal::LinkReading& message) {
  LinkBalances book;
  for (const journal::LevelReading& level : message.levels()) {
    book.levels.push_back(LevelBalances{decode_pool(level.pool()), level.hits(),
                                        level.partial_hits(), level.calls()});
  }
  book.reserve = decode_pool(message.reserve());
  book.suspended = message.suspended();
  book.pending_adjustment = message.pending_adjustment();
  book.handle_before = Amount::from_units(message.handle_before_units());
  book.ending.stopped = EntryNumber(message.stopped_with());
  book.ending.ended = EntryNumber(message.ended_with());
  if (message.has_went_to()) {
    if (message.went_to_level() >= limits::levels_max) return std::nullopt;
    const LevelIndex level(static_cast<std::uint8_t>(message.went_to_level()));
    book.ending.went_to =
        PoolRef{LinkIndex(message.went_to()),
                message.has_went_to_level() ? Pool::level(level) : Pool::reserve()};
  }
  for (const journal::TableReading& count : message.tables()) {
    book.tables.push_back(TableCount{TableIndex(count.table()), count.rounds(), count.wagers(),
                                     Amount::from_units(count.handle_units()),
                                     PaidCount{Amount::from_units(count.attendant_paid_units()),
                                               Amount::from_units(count.device_paid_units()),
                                               Amount::from_units(count.paid_units())}});
  }
  return book;
}

}  // namespace linkmeter::parts
