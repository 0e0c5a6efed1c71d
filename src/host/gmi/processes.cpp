// libmtml has no function for processes; the driver, with which the real command comes, knows them.
#include "src/host/gmi/processes.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "src/host/musa/config.h"
#include "src/host/musa/shared_account.h"

namespace gmi {

std::vector<Process> read_processes() {
  const musa::SharedAccount account(musa::read_config().account);
  std::vector<Process> found;
  for (const musa::SharedAccount::Use& use : account.uses()) {
    if (use.bytes == 0) continue;
    const pid_t id = musa::SharedAccount::process_of(use.owner);
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/" + std::to_string(id) + "/exe", error);
    found.push_back({use.device, id, error ? "N/A" : path.string(), use.bytes});
  }
  std::ranges::sort(found, {},
                    [](const Process& process) { return std::tuple(process.device, process.id); });
  return found;
}

}  // namespace gmi
