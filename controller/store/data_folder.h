// Data folder: the controller's files on disk.
//
//   DIR/journal/    the journal and the state (LMDB; lmdb_journal.h), with the writer's lock
//   DIR/node        the name of this controller among several of one house (own_node.h)
//   DIR/endpoints   the addresses of the running controller and its feed, one a line; a third line
//                   if it serves pages
//   DIR/keys/       secrets: the key pairs of the controller and of the operator's tool,
//                   DIR/keys/seal.key, which signs manifests (signing_key.h), DIR/keys/journal.key,
//                   which signs heads of the journal (journal_signer.h), DIR/keys/pin.key, which
//                   keys the PIN hashes (pin_key.h), DIR/keys/cluster.key, which nodes share
//                   (cluster_key.h), and the certificate of its pages with its key (certificate.h)
//   DIR/credentials/  credentials of tables and signs: files to carry to them
//   DIR/control     the Unix socket for operator commands (control_socket.h)
//   DIR/*.homes     the trusted origins of logins (proto/http/login_throttle.h)
//   DIR/slips/      the stored copies of slips (slips/slip_store.h)
//   DIR/signs/      what was last sent to signs on a serial line (signs/sign_record.h)
//   DIR/restored.json  marks a restored backup until a controller has journaled the restore
//                   (restore_marker.h)
//   DIR/manifest    the approved software and configuration, signed (manifest.h)
//
// A data folder is created atomically: it is built beside its place and renamed into it. Only its
// owner may open it. The controller starts only on a complete one; self_check.h verifies it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
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
// Creates the folder, open to its owner only. Does nothing if it exists. Throws Fault.
void make_keys_folder(const std::filesystem::path& directory);
std::filesystem::path seal_key_path(const std::filesystem::path& directory);
// The key that signs heads of the journal, if no token does (journal_signer.h).
std::filesystem::path journal_key_path(const std::filesystem::path& directory);

// Makes keys for the controller, every table of the floor, a viewer named "feed" and the operator,
// and enrols tables and viewer with the floor. `furnish` adds further files to the draft and must
// sync them itself. `node`: the controller's name among several, enrolled too, with a key of the
// cluster; "": none. Throws Fault if anything exists at `directory`, or the disk cannot store it.
// REQUIRES: opened.enrolments is empty, and `node` is "" or well-formed.
void create_data_folder(const std::filesystem::path& directory, FloorOpened opened, Timestamp now,
                        const std::function<void(const std::filesystem::path& draft)>& furnish = {},
                        const std::string& node = {});

// The controller's own keys. Throws Fault.
Credentials controller_credentials(const std::filesystem::path& directory);
// Makes another key pair for the controller, instead of the ones that are there. Returns the public
// key. Throws Fault.
std::string renew_controller_keys(const std::filesystem::path& directory);
// Writes the controller's public key into the operator's credentials and all in DIR/credentials.
// Throws Fault.
void update_controller_key(const std::filesystem::path& directory, const std::string& key);
// The credentials with which `linkmeter` connects to the running controller.
Credentials operator_credentials(const std::filesystem::path& directory);
// Where init stores the credentials of a table or viewer.
std::filesystem::path credentials_path(const std::filesystem::path& directory, EnrolmentKind kind,
                                       const std::string& name);
// Throws Fault with "DIR is not a Linkmeter data folder ..." if it is not one.
void require_data_folder(const std::filesystem::path& directory);
// Opens the folder's journal for writing: the caller is the only writer. Throws Fault if a
// controller is running.
std::unique_ptr<Journal> open_journal(const std::filesystem::path& directory);
// Opens the folder's journal as of now for reading, also beside a running controller. Read the rows
// before the first entry (LmdbJournal::open_to_read()). Throws Fault. REQUIRES: this process does
// not have the same journal open already.
std::unique_ptr<Journal> open_journal_to_read(const std::filesystem::path& directory);

// Exists in a backup and in no data folder: the list of its files (accounting/evidence/backup.h).
inline constexpr const char* backup_list_name = "backup.json";
// For every program that writes into the folder. Throws Fault also if the folder is a backup: a
// changed backup no longer matches its list and cannot be restored.
void require_own_folder(const std::filesystem::path& directory);

// Whether a controller runs on this folder now. REQUIRES: a data folder.
bool controller_is_running(const std::filesystem::path& directory);

// Entry 1 as it was journaled. REQUIRES: self_check.h found the journal valid.
FloorOpened opened_floor(const Journal& journal);

// Removes the files in DIR/credentials whose keys are no longer enrolled: secrets without a use are
// not kept. Files that cannot be removed stay.
void remove_stale_credentials(const std::filesystem::path& directory, const Enrolments& enrolments);

// Writes DIR/endpoints atomically: readers see the old lines or the new. `pages`: "": no pages.
void write_endpoints(const std::filesystem::path& directory, const std::string& controller,
                     const std::string& feed, const std::string& pages = "");

}  // namespace linkmeter
