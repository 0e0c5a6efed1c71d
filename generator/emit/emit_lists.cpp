// Lists for those that cannot read mappings/: CMake, the script that links the installed layout,
// and objcopy.
#include <set>
#include <sstream>

#include "generator/emit/emit.h"

namespace torchada {
namespace {

// A CMake variable that holds a list.
template <typename Items>
void set(const std::string& name, const Items& items, std::ostream& out) {
  out << "set(TORCHADA_" << name << " " << (items.empty() ? "\"\"" : joined(items, " ")) << ")\n";
}

std::string folder_of(const ReplacementLibrary& library) {
  return library.folder.empty() ? "lib" : "lib/" + library.folder;
}

// The library and those that need it, directly or not.
std::vector<std::string> with_users(const Registry& registry, const std::string& name) {
  std::vector<std::string> out = {name};
  std::set<std::string> known = {name};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const ReplacementLibrary& library : registry.libraries) {
      for (const std::string& needed : library.needs) {
        if (needed == out[i] && known.insert(library.name).second) out.push_back(library.name);
      }
    }
  }
  return out;
}

}  // namespace

std::string emit_cmake_lists(const Registry& registry) {
  std::vector<std::string> names, libraries, on_request;
  std::vector<std::string> folders = {"lib"};
  std::map<int, std::vector<std::string>> files;
  std::ostringstream each;
  for (const ReplacementLibrary& library : registry.libraries) {
    names.push_back(library.name);
    each << "set(TORCHADA_STEM_" << library.name << " " << library.stem << ")\n";
    set("NEEDS_" + library.name, library.needs, each);
    if (!library.folder.empty()) folders.push_back(folder_of(library));
    for (const auto& [soname, majors] : library.sonames) {
      libraries.push_back("\"" + library.name + "-" + std::to_string(*majors.rbegin()) + "|" +
                          soname + "\"");
      each << "set(TORCHADA_FOLDER_" << soname << " " << folder_of(library) << ")\n";
      for (const int major : majors) files[major].push_back(soname);
      if (library.offered == Offered::kOnRequest) on_request.push_back(soname);
    }
  }
  std::ostringstream out;
  out << "# What CMake needs of libraries.yaml. Written by `torchada-gen lists --out=FILE`. Do not "
         "edit.\n"
         "#   TORCHADA_LIBRARIES      \"NAME-MAJOR|FILE\" for each SONAME, with its newest CUDA "
         "major\n"
         "#   TORCHADA_NEEDS_NAME     libraries that loading the library NAME brings\n"
         "#   TORCHADA_FILES_MAJOR    the SONAMEs of a CUDA major, in the order of the libraries\n"
         "#   TORCHADA_FOLDER_FILE    where the SONAME FILE is installed\n"
         "#   TORCHADA_ON_REQUEST     the SONAMEs that are offered on request only\n"
         "#   TORCHADA_DEFAULT_ABI    the major to which file names without a version lead\n";
  set("LIBRARY_NAMES", names, out);
  set("LIBRARIES", libraries, out);
  set("ABIS", registry.majors(), out);
  out << "set(TORCHADA_DEFAULT_ABI " << registry.default_major << ")\n";
  set("FOLDERS", folders, out);
  set("ON_REQUEST", on_request, out);
  for (const auto& [major, sonames] : files) set("FILES_" + std::to_string(major), sonames, out);
  return out.str() + each.str();
}

std::string emit_link_layout(const Registry& registry) {
  std::ostringstream out;
  out << "default " << registry.default_major << "\n";
  for (const ReplacementLibrary& library : registry.libraries) {
    for (const auto& [soname, majors] : library.sonames) {
      out << (library.folder.empty()
                  ? soname + " " + joined(with_users(registry, library.name), ",")
                  : library.folder + "/" + soname + " -")
          << " " << joined(majors, " ") << "\n";
    }
  }
  return out.str();
}

namespace {

// Whether MUSA has it by evidence, and with which arguments.
bool has(const Tables& tables, const std::string& backend, const std::string& name) {
  const MusaSymbol* symbol = tables.musa_symbol(backend, name);
  return symbol && symbol->tier <= Tier::kCbid && !symbol->prototypes.empty();
}

}  // namespace

MusaNames emit_musa_names(const Tables& tables, const LibraryPlan& plan) {
  const ForwardLibrary& forward = tables.forward[plan.output->library];
  const ReplacementLibrary& library = tables.registry.libraries[plan.output->library];
  std::set<std::string> taken;  // objcopy wants each new name once.
  MusaNames out;
  for (const PlannedExport& item : plan.exports) {
    const std::string& name = item.symbol->name;
    const ForwardRow* row = row_of(forward, name, plan.output->abi);
    std::string musa = row ? row->target : "";
    if (!has(tables, forward.backend, musa) && name.starts_with(library.prefix)) {
      musa = library.musa_prefix + name.substr(library.prefix.size());
    }
    if (has(tables, forward.backend, musa) && taken.insert(musa).second) {
      out.renamed += name + " " + musa + "\n";
    } else {
      out.left += "PROVIDE(" + name + " = no_counterpart);\n";
    }
  }
  return out;
}

}  // namespace torchada
