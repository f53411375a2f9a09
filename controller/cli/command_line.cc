#include "controller/cli/command_line.h"

#include "controller/cli/shell/command.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

CommandLine::CommandLine()
    : app_("Linkmeter: the meters of a casino's linked progressives, provable to the cent",
           "linkmeter"),
      builder_(std::make_unique<CommandBuilder>()) {
  app_.require_subcommand(1);
  add_version(app_);
  for (const auto declare : {declare_init,
                             declare_check,
                             declare_hand,
                             declare_odds,
                             declare_meters,
                             declare_signs,
                             declare_claim_list,
                             declare_export,
                             declare_explain,
                             declare_audit,
                             declare_rebuild,
                             declare_seal,
                             declare_verify_software,
                             declare_backup,
                             declare_nodes,
                             declare_cluster,
                             declare_bundle,
                             declare_archive,
                             declare_sign,
                             declare_watch,
                             declare_people,
                             declare_claim_steps,
                             declare_rounds,
                             declare_claims,
                             declare_slips,
                             declare_links,
                             declare_tables,
                             declare_corrections,
                             declare_parameters,
                             declare_enrolments,
                             declare_days,
                             declare_history,
                             declare_clock,
                             declare_keys,
                             declare_funds,
                             declare_recovery,
                             declare_proposals}) {
    declare(app_, *builder_);
  }
  refuse_empty_values(app_);
}

CommandLine::~CommandLine() = default;

std::function<int()> CommandLine::read(int count, const char* const* arguments) {
  builder_->reset();
  app_.parse(count, arguments);
  return builder_->work;
}

}  // namespace linkmeter::cli
