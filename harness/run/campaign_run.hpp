#pragma once

#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/runner.hpp"

namespace macrobench {

/// A campaign of this process, new or continued: the beginning of its sitting is stored when it is
/// constructed, and the end when it is finished. At both, the machine does a short fixed copy and
/// multiply-add, on all cores and on the GPU if there is one, so that changes of the machine itself
/// are known. An interrupted sitting has no end.
class CampaignRun {
 public:
  /// `asked` is the command line. The folder's newest campaign is continued unless
  /// why_not_continued() says why not, or a `fresh` one is asked for.
  CampaignRun(RecordStore& store, const Machine& machine, const std::string& asked,
              bool fresh = false, std::vector<std::string> child_command = {});

  [[nodiscard]] const std::string& id() const { return id_; }
  /// Whether it is new and why, for a person.
  [[nodiscard]] const std::string& says() const { return says_; }

  void finish();

 private:
  RecordStore& store_;
  const Machine& machine_;
  std::vector<std::string> child_command_;  ///< as in RunOptions
  std::string id_;
  std::string says_;
};

/// A campaign is continued for so long after its beginning, in seconds ...
inline constexpr int longest_campaign = 24 * 60 * 60;
/// ... while none of the machine's speeds has changed by more than this beyond its own noise.
inline constexpr double largest_drift = 0.05;

/// The speed that has changed since the campaign's sittings, and by how much; empty if none has:
/// the middle half of its samples is within largest_drift of that of some earlier measurement.
/// (Copies on all cores of a virtual machine vary several times over from one second to the next:
/// medians alone would say of most that they changed.)
std::string why_changed(const Campaign& so_far, const std::vector<Speed>& now);

/// Why a campaign that did all this at its beginning and after must not be continued on the
/// machine, which now has these speeds: one clause. Empty if it may: same hardware, compilers and
/// flags, all its records made from the sources of this build, and the same speeds.
std::string why_not_continued(const Campaign& campaign, const Results& results,
                              const Machine& machine, const std::vector<Speed>& now);

}  // namespace macrobench
