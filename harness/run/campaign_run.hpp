#pragma once

#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/runner.hpp"

namespace macrobench {

/// The campaign of this process's command: its beginning is stored when it is constructed, and its
/// end when it is finished. At the beginning the machine does a short fixed copy and multiply-add,
/// on all cores and on the GPU if there is one: no ceiling is much faster. An interrupted campaign
/// has no end.
class CampaignRun {
 public:
  /// `asked` is the command line.
  CampaignRun(RecordStore& store, const Machine& machine, const std::string& asked,
              const std::vector<std::string>& child_command = {});

  [[nodiscard]] const std::string& id() const { return id_; }

  void finish();

 private:
  RecordStore& store_;
  const Machine& machine_;
  std::string id_;
};

}  // namespace macrobench
