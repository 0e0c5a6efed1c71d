// The kernel libraries that the user named: which kernels they have, by reading the files.
// torchada's libraries ask MUSA's driver instead, by the same rules (stubs/kernels).
#pragma once

#include <string>
#include <vector>

#include "src/inspect/kernel_image.h"

namespace torchada {

struct KernelLibrary {
  std::string path;
  KernelImage image;
};

// Where a kernel is. At most one of `path` and `candidates` is set.
struct KernelPlace {
  std::string path;     // Of the library that is used. Empty if there is none.
  std::string also_in;  // Another one that has it.
  // "A and B", or "two sources in A", that have it with internal linkage, so that neither is used.
  std::string doubtful;
};

// The sources that nvcc's `names` tell, as nvcc writes them: a_cu.
NameSet sources_in(const NameSet& names);

class KernelLibraries {
 public:
  // `names`: FILE:FOLDER:... as in TORCHADA_KERNELS. A folder stands for its regular files in the
  // order of their names, without those that begin with a dot. Throws UsageError if one does not
  // exist, or if `names` has none; its text begins with `from`.
  KernelLibraries(const std::string& from, const std::string& names);

  const std::vector<KernelLibrary>& list() const { return list_; }
  // The first one whose kernels cannot be read; null if all can be.
  const KernelLibrary* unread() const;
  void warn_of_unread() const;
  // Those names that are not mangled.
  const NameSet& plain_names() const { return plain_names_; }
  // By the rules of stubs/kernels/code.h. `told`: the sources that names of the program tell.
  KernelPlace find(const RegisteredKernel& kernel, const NameSet& told) const;

 private:
  KernelPlace find_of(const std::string& source, bool is_shared, const std::string& name) const;
  void add_file(const std::string& path);
  void add_folder(const std::string& path);

  std::vector<KernelLibrary> list_;
  NameSet plain_names_;
};

}  // namespace torchada
