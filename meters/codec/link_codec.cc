#include "meters/codec/link_codec.h"

#include "proto/state.pb.h"

namespace linkmeter::parts {

namespace {

void encode_pool(const PoolBook& pool, state::Pool& message) {
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

PoolBook decode_pool(const state::Pool& message) {
  return PoolBook{Amount::from_units(message.held_units()),
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

void encode_link_book(const LinkBook& book, state::LinkBook& message) {
  for (const LevelBook& level : book.levels) {
    state::LevelBook* added = message.add_levels();
    encode_pool(level.pool, *added->mutable_pool());
    added->set_hits(level.hits);
    added->set_partial_hits(level.partial_hits);
    added->set_calls(level.calls);
  }
  encode_pool(book.reserve, *message.mutable_reserve());
  message.set_suspended(book.suspended);
  message.set_pending_adjustment(book.pending_adjustment);
  message.set_handle_before_units(book.handle_before.units());
  for (const TableCount& count : book.tables) {
    state::TableCount* added = message.add_tables();
    added->set_table(count.table.value());
    added->set_rounds(count.rounds);
    added->set_wagers(count.wagers);
    added->set_handle_units(count.handle.units());
  }
}

LinkBook decode_link_book(const state::LinkBook& message) {
  LinkBook book;
  for (const state::LevelBook& level : message.levels()) {
    book.levels.push_back(
        LevelBook{decode_pool(level.pool()), level.hits(), level.partial_hits(), level.calls()});
  }
  book.reserve = decode_pool(message.reserve());
  book.suspended = message.suspended();
  book.pending_adjustment = message.pending_adjustment();
  book.handle_before = Amount::from_units(message.handle_before_units());
  for (const state::TableCount& count : message.tables()) {
    book.tables.push_back(TableCount{TablePlace(count.table()), count.rounds(), count.wagers(),
                                     Amount::from_units(count.handle_units())});
  }
  return book;
}

}  // namespace linkmeter::parts
