#include <elf.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "src/command/check/check.h"
#include "src/inspect/elf_file.h"
#include "src/inspect/fat_binary.h"
#include "src/inspect/kernel_names.h"
#include "src/inspect/static_runtime.h"
#include "src/inspect/text_in_binary.h"

namespace torchada::check {
namespace {

NeededLibrary& library_of(Report& report, const tables::Library& library) {
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
      report.others.push_back({name, other, true});
    }
  }
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
    if (item.library && standings.find(*item.library, import.name)) return &item;
  }
  // The symbol has no version: the loading program provides it, or the file is not linked yet.
  const tables::Library* owner = standings.owner(import.name, abi);
  return owner == nullptr ? nullptr : &library_of(report, *owner);
}

void read_imports(const ElfFile& file, const Standings& standings, int abi, Report& report) {
  for (const ElfImport& import : file.imports) {
    NeededLibrary* target = target_of(import, standings, abi, report);
    if (target == nullptr) continue;
    NeededSymbol symbol;
    symbol.name = import.name;
    symbol.version = import.version;
    symbol.weak = import.weak;
    if (target->library) symbol.symbol = standings.find(*target->library, import.name);
    target->symbols.push_back(symbol);
  }
  for (NeededLibrary& library : report.libraries) {
    std::sort(library.symbols.begin(), library.symbols.end(),
              [](const NeededSymbol& a, const NeededSymbol& b) { return a.name < b.name; });
  }
}

// Collects library names that the file opens at run time.
void read_strings(const ElfFile& file, std::string_view bytes, const Standings& standings, int abi,
                  Report& report) {
  for (const ElfSection& section : file.sections) {
    if (!holds_data(section)) continue;
    for (const std::string& text : library_strings(contents_of(section, bytes))) {
      const OtherLibrary* other = find_other(text);
      if (!standings.named(text, abi).ours && other == nullptr) continue;
      if (std::find(report.opens.begin(), report.opens.end(), text) != report.opens.end()) continue;
      report.opens.push_back(text);
      const auto listed = [&text](const OtherNeeded& item) { return item.name == text; };
      if (!other || std::any_of(report.others.begin(), report.others.end(), listed)) continue;
      report.others.push_back({text, other, false});
    }
  }
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

void read_kernels(const std::vector<FatImage>& images, const std::string& path,
                  std::string_view bytes, DeviceCode& device) {
  std::set<std::string> names;
  bool all_read = !images.empty();
  for (const FatImage& image : images) {
    if (image.kind != FatImage::Kind::kElf) continue;
    if (image.compressed) all_read = false;
    if (image.compressed) continue;
    for (const std::string& name : kernels_of_image(image.bytes)) names.insert(demangled(name));
  }
  if (!names.empty()) device.kernels_from = "device code";
  if (!all_read) {
    const std::size_t had = names.size();
    visit_local_symbols(path, bytes, [&names](std::string_view symbol) {
      const std::string name = kernel_of_stub(symbol);
      if (!name.empty()) names.insert(demangled(name));
    });
    if (names.size() > had) {
      device.kernels_from += device.kernels_from.empty() ? "host symbols" : ", host symbols";
    }
  }
  device.kernels.assign(names.begin(), names.end());
  if (names.empty() && device.launches) {
    device.kernels_from =
        "names not available: the device code is compressed and the host symbols are stripped";
  }
}

bool imports(const ElfFile& file, std::string_view name) {
  return std::any_of(file.imports.begin(), file.imports.end(),
                     [name](const ElfImport& import) { return import.name == name; });
}

void read_device_code(const ElfFile& file, std::string_view bytes, const Options& options,
                      Report& report) {
  DeviceCode& device = report.device;
  std::vector<FatImage> images;
  for (const ElfSection& section : file.sections) {
    if (!holds_fat_binaries(section.name)) continue;
    const FatBinaries found = read_fat_binaries(contents_of(section, bytes));
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
  // nvcc emits a fat binary even for a source without kernels, but then the file registers no
  // function. A file that registers nothing at all loads its code by hand.
  device.launches = imports(file, "__cudaRegisterFunction") ||
                    (!images.empty() && !imports(file, "__cudaRegisterFatBinary"));
  if (options.kernels && !images.empty()) read_kernels(images, report.path, bytes, device);
}

}  // namespace

Report examine_elf(const std::string& path, std::string_view bytes, const Standings& standings,
                   const Options& options) {
  Report report;
  report.path = path;
  report.kind = "ELF";
  try {
    const ElfFile file = read_elf(path, bytes, {false});
    report.soname = file.soname;
    report.rpath = file.rpath.value_or("");
    report.runpath = file.runpath.value_or("");
    read_needed(file, standings, options.abi, report);
    read_imports(file, standings, options.abi, report);
    read_strings(file, bytes, standings, options.abi, report);
    report.static_runtime = has_static_runtime(file, bytes);
    read_device_code(file, bytes, options, report);
    judge(report, file.machine == EM_X86_64 && file.bits == 64 && !file.big_endian);
    if (standings.named(file.soname.empty() ? path : file.soname, options.abi).ours) {
      report.verdict = Verdict::kReplaced;
      report.reasons = {"torchada provides this library"};
      report.remedies.clear();
    }
  } catch (const ElfError& error) {
    const std::string text = error.what();
    report.verdict = Verdict::kUnreadable;
    report.reasons = {text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text};
  }
  return report;
}

}  // namespace torchada::check
