#include <elf.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "src/command/check/check.h"
#include "src/inspect/elf_file.h"
#include "src/inspect/fat_binary.h"
#include "src/inspect/mapped_file.h"
#include "src/inspect/static_runtime.h"
#include "src/inspect/text_in_binary.h"
#include "src/shared/machine.h"

namespace torchada::check {
namespace {

// m.cpython-311-x86_64-linux-gnu.so, m.abi3.so
bool is_python_extension(std::string_view path) {
  return path.ends_with(".so") &&
         (path.find(".cpython-") != std::string_view::npos || path.ends_with(".abi3.so"));
}

NeededLibrary& library_of(Report& report, const Library& library) {
  for (NeededLibrary& item : report.libraries) {
    if (item.library == &library) return item;
  }
  NeededLibrary& out = report.libraries.emplace_back();
  out.asked = library.soname;
  out.library = &library;
  return out;
}

void read_needed(const ElfFile& file, const Standings& standings, int abi, Report& report) {
  for (const std::string& name : file.needed) {
    const Standings::Named named = standings.named(name, abi);
    if (named.ours) {
      NeededLibrary& library = report.libraries.emplace_back();
      library.asked = name;
      library.library = named.library;
      library.listed = true;
    } else if (const OtherLibrary* other = find_other(name)) {
      other_of(report, name, *other).listed = true;
    }
  }
}

// A function of a library that torchada does not have. Such libraries have no version nodes.
void read_other_import(const ElfImport& import, const Standings& standings, Report& report) {
  if (!import.version.empty() || import.weak || standings.knows(import.name)) return;
  const OtherLibrary* library = find_other_by_function(import.name);
  if (library == nullptr) return;
  const auto same = [library](const OtherNeeded& item) { return item.library == library; };
  const auto known = std::find_if(report.others.begin(), report.others.end(), same);
  OtherNeeded& other =
      known == report.others.end() ? other_of(report, library->stem, *library) : *known;
  add_function(other, import.name, 0);
}

// The library that provides a symbol. Null for symbols of other libraries.
NeededLibrary* target_of(const ElfImport& import, const Standings& standings, int abi,
                         Report& report) {
  if (!import.version.empty()) {
    for (NeededLibrary& item : report.libraries) {
      if (item.listed && item.asked == import.version_file) return &item;
    }
    return nullptr;
  }
  for (NeededLibrary& item : report.libraries) {
    if (item.library && Standings::find(*item.library, import.name)) return &item;
  }
  // The symbol has no version: the loading program provides it, or the file is not linked yet.
  const Library* owner = standings.owner(import.name, abi);
  return owner == nullptr ? nullptr : &library_of(report, *owner);
}

void read_imports(const ElfFile& file, const Standings& standings, int abi, Report& report) {
  for (const ElfImport& import : file.imports) {
    NeededLibrary* target = target_of(import, standings, abi, report);
    if (target == nullptr) read_other_import(import, standings, report);
    if (target == nullptr) continue;
    NeededSymbol symbol;
    symbol.name = import.name;
    symbol.version = import.version;
    symbol.weak = import.weak;
    if (target->library) symbol.symbol = Standings::find(*target->library, import.name);
    target->symbols.push_back(symbol);
  }
}

// What the texts in a file's data tell.
struct Texts {
  std::set<std::string> libraries;
  std::set<std::string> functions;  // Of CUDA, that are not imported.
  bool names_driver = false;        // As the static runtime does.
  bool names_memory = false;        // In the same sense.
};

// A name of a library that the file opens at run time.
void read_open(const std::string& text, const Standings& standings, int abi, Texts& texts,
               Report& report) {
  texts.names_driver |= text.ends_with(kDriverOfStaticRuntime);
  const bool ours = standings.named(text, abi).ours;
  const OtherLibrary* other = ours ? nullptr : find_other(text);
  if (!ours && other == nullptr) {
    const std::string name = text.substr(text.rfind('/') + 1);
    if (report.files.size() < kMostNamedFiles) report.files.push_back({name, 0});
    return;
  }
  if (std::find(report.opens.begin(), report.opens.end(), text) != report.opens.end()) return;
  report.opens.push_back(text);
  if (other != nullptr) other_of(report, text, *other).opened = true;
}

void find_unserved(const ElfFile& file, const Standings& standings, int abi, Report& report) {
  for (const std::string& text : report.opens) {
    const Standings::Named named = standings.named(text, abi);
    if (!named.ours || named.library != nullptr) continue;
    const auto served = [&](const std::string& other) {
      return standings.named(other, abi).library != nullptr && Standings::same_stem(other, text);
    };
    const bool other_major = std::any_of(report.opens.begin(), report.opens.end(), served) ||
                             std::any_of(file.needed.begin(), file.needed.end(), served);
    if (!other_major) report.unserved.push_back(text);
  }
}

// The library in which a file looks up a function: one that it has, or names in the major that it
// names, or else that of the default major.
NeededLibrary* looked_up_in(const std::string& name, const Standings& standings, int abi,
                            Report& report) {
  const Library* owner = standings.any_owner(name, abi);
  if (owner == nullptr) return nullptr;
  for (NeededLibrary& item : report.libraries) {
    if (item.library && item.library->name == owner->name) return &item;
  }
  const Library* named = nullptr;
  for (const std::string& text : report.opens) {
    const Library* library = standings.named(text, abi).library;
    if (library == nullptr || library->name != owner->name) continue;
    if (named == nullptr || library->majors.has(abi)) named = library;
  }
  if (named == nullptr) named = standings.owner(name, abi);
  return named == nullptr ? nullptr : &library_of(report, *named);
}

bool imports(const ElfFile& file, std::string_view name) {
  return std::any_of(file.imports.begin(), file.imports.end(),
                     [name](const ElfImport& import) { return import.name == name; });
}

bool looks_up_functions(const ElfFile& file) {
  return imports(file, "dlsym") || imports(file, "dlvsym");
}

// The static runtime opens the driver with dlopen, which a dynamic file imports.
bool may_open_libraries(const ElfFile& file) {
  return !file.dynamic || file.imports.empty() || imports(file, "dlopen");
}

std::set<std::string_view> names_of_imports(const ElfFile& file) {
  std::set<std::string_view> out;
  for (const ElfImport& import : file.imports) out.insert(import.name);
  return out;
}

// Functions that the file may ask for at run time. Their names are strings, often in a table.
void find_functions(std::string_view data, const std::set<std::string_view>& imported,
                    const Standings& standings, std::set<std::string>& out) {
  visit_identifiers(data, standings.beginnings(), [&](std::string_view name) {
    const bool known = standings.knows(name) || find_other_by_function(name) != nullptr;
    if (known && imported.count(name) == 0) out.emplace(name);
  });
}

// Calls `visit` with pieces of the data that a cache holds, so that several readers have them at
// the cost of one. Each ends with a null, where every string ends.
template <typename Visit>
void visit_pieces(const ElfFile& file, std::string_view bytes, Visit visit) {
  constexpr std::size_t kPiece = std::size_t{256} << 10;
  for (const ElfSection& section : file.sections) {
    if (!holds_data(section)) continue;
    std::string_view data = contents_of(section, bytes);
    while (!data.empty()) {
      const std::size_t null = data.find('\0', kPiece - 1);
      const std::string_view piece = data.substr(0, null == data.npos ? null : null + 1);
      visit(piece);
      data.remove_prefix(piece.size());
    }
  }
}

void read_lookups(const ElfFile& file, const Texts& texts, const Standings& standings, int abi,
                  Report& report) {
  const bool asks = looks_up_functions(file);
  for (const std::string& name : texts.functions) {
    if (!standings.knows(name)) {
      const OtherLibrary* library = find_other_by_function(name);
      bool known = false;
      for (OtherNeeded& other : report.others) {
        if (other.library == library) add_function(other, name, 0);
        known |= other.library == library;
      }
      if (!known && asks) {
        // Another file opens the library for this one.
        OtherNeeded& other = other_of(report, library->stem, *library);
        other.looked_up = true;
        add_function(other, name, 0);
      }
      continue;
    }
    if (report.static_runtime && standings.in_runtime(name))
      continue;  // Names of its own functions.
    NeededLibrary* target = looked_up_in(name, standings, abi, report);
    if (target == nullptr) continue;
    NeededSymbol symbol;
    symbol.name = name;
    symbol.looked_up = true;
    symbol.symbol = Standings::find(*target->library, name);
    if (symbol.symbol != nullptr) target->symbols.push_back(symbol);
  }
}

void sort_symbols(Report& report) {
  for (NeededLibrary& library : report.libraries) {
    std::sort(library.symbols.begin(), library.symbols.end(),
              [](const NeededSymbol& a, const NeededSymbol& b) { return a.name < b.name; });
  }
}

// A Python extension module imports other modules by their whole names, which are strings.
void read_modules(const ElfFile& file, std::string_view bytes, Report& report) {
  if (!is_python_extension(report.path)) return;
  std::set<std::string> names;
  for (const ElfSection& section : file.sections) {
    if (!holds_data(section)) continue;
    visit_dotted_names(contents_of(section, bytes),
                       [&names](std::string_view name) { names.emplace(name); });
  }
  for (const std::string& name : names) {
    PythonImport import;
    import.module = name;
    import.optional = true;  // The string may mean something else.
    report.imports.push_back(import);
  }
}

// What the texts in the data tell. The static runtime in a library of NVIDIA's own decides: without
// NVIDIA's driver it cannot do what it is for, whatever else it opens.
void read_data(const ElfFile& file, std::string_view bytes, bool nvidias_own,
               const Standings& standings, const Options& options, Report& report) {
  if (nvidias_own && may_open_libraries(file) && may_end_in_static_runtime(file, bytes)) {
    report.static_runtime = has_static_runtime(file, bytes);
    if (report.static_runtime) return;
  }
  for (const ElfSection& section : file.sections) {
    if (holds_data(section)) will_read_all(contents_of(section, bytes));
  }
  const bool asks = looks_up_functions(file);
  const std::set<std::string_view> imported = names_of_imports(file);
  Texts texts;
  visit_pieces(file, bytes, [&](std::string_view piece) {
    for (const std::string& text :
         library_strings(piece, kMemoryOfStaticRuntime, texts.names_memory)) {
      if (texts.libraries.insert(text).second) {
        read_open(text, standings, options.abi, texts, report);
      }
    }
    if (asks) find_functions(piece, imported, standings, texts.functions);
  });
  find_unserved(file, standings, options.abi, report);
  report.static_runtime = texts.names_driver && texts.names_memory && may_open_libraries(file) &&
                          has_static_runtime(file, bytes);
  if (!asks && !report.opens.empty()) {
    visit_pieces(file, bytes, [&](std::string_view piece) {
      find_functions(piece, imported, standings, texts.functions);
    });
  }
  read_lookups(file, texts, standings, options.abi, report);
  read_modules(file, bytes, report);
}

void add_image(const FatImage& image, DeviceCode& device) {
  DeviceImages entry;
  const std::string number = std::to_string(image.architecture) + image.suffix;
  if (image.kind == FatImage::Kind::kPtx) {
    entry.kind = "PTX";
    entry.architecture = "compute_" + number;
  } else {
    entry.kind =
        image.kind == FatImage::Kind::kElf ? "ELF" : "kind " + std::to_string(image.kind_number);
    entry.architecture = "sm_" + number;
  }
  entry.number = image.architecture;
  entry.flags = image.flags;
  for (DeviceImages& known : device.images) {
    if (known.kind != entry.kind || known.architecture != entry.architecture ||
        known.flags != entry.flags) {
      continue;
    }
    ++known.count;
    known.compressed += image.compressed;
    return;
  }
  entry.count = 1;
  entry.compressed = image.compressed;
  device.images.push_back(entry);
}

// nvcc emits a fat binary even for a source without kernels, but then the file registers no
// function. A file that registers nothing at all loads its code by hand.
bool may_launch(const ElfFile& file, bool has_images) {
  return imports(file, "__cudaRegisterFunction") ||
         (has_images && !imports(file, "__cudaRegisterFatBinary"));
}

void read_kernels(const ElfFile& file, std::string_view bytes, const Options& options,
                  DeviceCode& device) {
  const KernelLibraries* const libraries = options.kernel_libraries;
  if (!imports(file, "__cudaRegisterFunction")) {
    device.unknown = "the file registers no kernel: it does not tell which ones it asks for";
    return;
  }
  const RegisteredKernels found =
      registered_kernels(file, bytes, libraries == nullptr ? NameSet() : libraries->plain_names());
  const NameSet told = sources_in(found.telling);
  device.sources.insert(told.begin(), told.end());
  for (const RegisteredKernel& kernel : found.list) {
    device.kernels.push_back(
        {kernel, libraries == nullptr ? KernelPlace() : libraries->find(kernel, told)});
  }
  if (found.list.empty()) {
    device.unknown =
        "the names of its kernels cannot be read from the file: run it, and each kernel that no "
        "kernel library has is refused by its name";
  } else if (!found.has_stubs) {
    device.unknown =
        "kernels that are declared extern \"C\" may be missing here: their names are found by the "
        "symbols of their host stubs, and the file has none (strip removes them)";
  }
}

// The headers of a large library's images lie in thousands of places.
void skip_device_code(const ElfFile& file, std::string_view bytes, Report& report) {
  constexpr std::size_t kFew = 16;
  bool has_images = false;
  for (const ElfSection& section : file.sections) {
    if (!holds_fat_binaries(section.name)) continue;
    for (const FatBinary& binary : read_fat_binaries(contents_of(section, bytes), kFew).list) {
      has_images |= !binary.images.empty();
    }
  }
  report.device.skipped = has_images;
  report.device.launches = may_launch(file, has_images);
}

void read_device_code(const ElfFile& file, std::string_view bytes, const Options& options,
                      Report& report) {
  DeviceCode& device = report.device;
  std::vector<FatImage> images;
  for (const ElfSection& section : file.sections) {
    if (!holds_fat_binaries(section.name)) continue;
    const std::string_view data = contents_of(section, bytes);
    const FatBinaries found = read_fat_binaries(data);
    device.binaries += static_cast<int>(found.list.size());
    if (device.damage.empty()) device.damage = found.damage;
    for (const FatBinary& binary : found.list) {
      images.insert(images.end(), binary.images.begin(), binary.images.end());
    }
  }
  for (const FatImage& image : images) add_image(image, device);
  std::sort(device.images.begin(), device.images.end(),
            [](const DeviceImages& a, const DeviceImages& b) {
              const auto key = [](const DeviceImages& item) {
                return std::make_tuple(item.kind, item.number, item.architecture, item.flags);
              };
              return key(a) < key(b);
            });
  device.launches = may_launch(file, !images.empty());
  if (options.kernels && device.launches) read_kernels(file, bytes, options, device);
  if (options.kernel_libraries == nullptr) return;
  device.compared = true;
  const KernelLibrary* const unread = options.kernel_libraries->unread();
  if (unread != nullptr) device.unread = unread->path;
}

}  // namespace

Report examine_elf(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options, OwnDeviceCode own_code) {
  Report report;
  report.path = path;
  report.kind = "ELF";
  will_read_places(bytes);  // Headers here and there, and parts that are announced below.
  try {
    const ElfFile file = read_elf(path, bytes, {false});
    report.soname = file.soname;
    report.rpath = file.rpath.value_or("");
    report.runpath = file.runpath.value_or("");
    report.needed = file.needed;
    report.is_program = !file.interpreter.empty();
    report.for_this_machine = file.machine == kElfMachine && file.bits == 64 && !file.big_endian;
    read_needed(file, standings, options.abi, report);
    read_imports(file, standings, options.abi, report);
    bool nvidias_own = find_other(file.soname) != nullptr;
    if (standings.named(file.soname.empty() ? path : file.soname, options.abi).ours) {
      report.verdict = Verdict::kReplaced;  // Nobody opens its file, so its data do not matter.
      nvidias_own = true;
    } else if (!nvidias_own || may_open_libraries(file) || looks_up_functions(file)) {
      read_data(file, bytes, nvidias_own, standings, options, report);
    }
    sort_symbols(report);
    if (nvidias_own && own_code == OwnDeviceCode::kSkip && !options.kernels) {
      skip_device_code(file, bytes, report);
    } else {
      read_device_code(file, bytes, options, report);
    }
  } catch (const ElfError& error) {
    const std::string text = error.what();
    report.verdict = Verdict::kUnreadable;
    report.reasons = {text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text};
  }
  return report;
}

}  // namespace torchada::check
