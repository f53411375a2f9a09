// Data folder: what a controller owns on disk.
//
//   DIR/journal/    the journal and the state (LMDB; lmdb_journal.h), with the writer's lock
//   DIR/endpoints   where the running controller listens, and its feed, a line each; a third one
//                   where it serves pages
//   DIR/keys/       what nobody else may know: the controller's key pair, the operator's tool's,
//                   DIR/keys/seal.key, which signs manifests (signing_key.h), DIR/keys/journal.key,
//                   which signs heads of the journal (journal_signer.h), DIR/keys/pin.key, which
//                   keys the seals of PINs (pin_key.h), and the certificate of its pages with its
//                   key (certificate.h)
//   DIR/credentials/  what tables and signs connect with: files to carry
//   DIR/control     the Unix socket for what people ask (operator_socket.h)
//   DIR/*.homes     from where people's right PINs came (proto/http/login_throttle.h)
//   DIR/slips/      the stored copies of slips (slips/slip_store.h)
//   DIR/signs/      what signs on a line were last told (signs/sign_record.h)
//   DIR/restored.json  that a backup was restored here, until a controller has entered it
//                   (restore_marker.h)
//   DIR/manifest    which software and configuration is approved, signed (manifest.h)
//
// A data folder is there whole or not at all: it is made beside its place and moved there by one
// rename. Only its owner may look into it. Nothing is started on one that is not whole:
// self_check.h proves it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "meters/values/enrolment.h"
#include "meters/values/timestamp.h"
#include "proto/host/credentials.h"

namespace linkmeter {

std::filesystem::path journal_path(const std::filesystem::path& directory);
std::filesystem::path endpoints_path(const std::filesystem::path& directory);

std::filesystem::path keys_path(const std::filesystem::path& directory);
// Nobody but its owner may look into it. Does nothing if it is there. Throws Fault.
void make_keys_folder(const std::filesystem::path& directory);
std::filesystem::path seal_key_path(const std::filesystem::path& directory);
// What signs heads of the journal, where no token does (journal_signer.h).
std::filesystem::path journal_key_path(const std::filesystem::path& directory);

// Makes keys for the controller, every table of the floor, a viewer named "feed" and the operator,
// and enrols tables and viewer with the floor. `furnish` puts into the draft what else belongs
// there; what it makes is synced by itself. Throws Fault if anything stands at `directory`, or if
// the disk does not take it. REQUIRES: opened.enrolments is empty.
void create_data_folder(
    const std::filesystem::path& directory, FloorOpened opened, Timestamp now,
    const std::function<void(const std::filesystem::path& draft)>& furnish = {});

// The controller's own keys. Throws Fault.
Credentials controller_credentials(const std::filesystem::path& directory);
// What `linkmeter` asks the running controller with.
Credentials operator_credentials(const std::filesystem::path& directory);
// Where init puts a table's or viewer's.
std::filesystem::path credentials_path(const std::filesystem::path& directory, EnrolmentKind kind,
                                       const std::string& name);
// Throws Fault with "DIR is not a Linkmeter data folder ..." if it is none.
void require_data_folder(const std::filesystem::path& directory);

// In a backup, and in no data folder: the list of its files (accounting/evidence/backup.h).
inline constexpr const char* backup_list_name = "backup.json";
// For everything that writes into the folder. Throws Fault also where it is a backup: what a
// program changes in a backup makes it differ from its list, and nothing restores it any more.
void require_own_folder(const std::filesystem::path& directory);

// Is a controller working on this folder now? REQUIRES: a data folder.
bool controller_is_running(const std::filesystem::path& directory);

// Entry 1 as it was journaled. REQUIRES: the journal was found good (self_check.h).
FloorOpened opened_floor(const Journal& journal);

// Removes from DIR/credentials the files whose keys are nobody's any more: secrets that open
// nothing are not kept. What cannot be removed stays.
void forget_stale_credentials(const std::filesystem::path& directory, const Enrolments& enrolments);

// Writes DIR/endpoints in one step: who reads it sees the old lines or the new. `pages`: "" none.
void write_endpoints(const std::filesystem::path& directory, const std::string& controller,
                     const std::string& feed, const std::string& pages = "");

}  // namespace linkmeter
