// A folder for the files of one compilation, in that of the process:
// TMPDIR/torchada-mtrtc-USER-PROCESS-XXXXXX.
//
// The process holds a lock on a file in its folder. Whoever makes such a folder first removes those
// whose lock nobody holds: their processes were killed. The folder is there only while the process
// compiles.
#pragma once

#include <string>

namespace host_mtrtc {

class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Empty if there is none; error() then tells why.
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

 private:
  std::string path_, error_;
};

}  // namespace host_mtrtc
