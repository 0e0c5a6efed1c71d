#include "src/inspect/kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>

#include "src/inspect/elf_file.h"
#include "src/inspect/elf_handle.h"

namespace torchada {
namespace {

// st_other of a function that the host can launch.
constexpr unsigned char kCudaEntry = 0x10;
constexpr std::string_view kStub = "__device_stub__";

void add_kernels(const ElfHandle& handle, Elf_Scn* section, std::vector<std::string>& out) {
  const GElf_Shdr header = handle.section_header(section);
  if (header.sh_entsize == 0) return;
  Elf_Data* symbols = handle.data(section);
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int number = 1; number < count; ++number) {
    GElf_Sym symbol;
    if (gelf_getsym(symbols, number, &symbol) == nullptr) return;
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & kCudaEntry) == 0) continue;
    out.push_back(handle.string_at(header.sh_link, symbol.st_name));
  }
}

}  // namespace

std::vector<std::string> kernels_of_image(std::string_view image) {
  std::vector<std::string> out;
  try {
    const ElfHandle handle("image", image);
    for (Elf_Scn* section = elf_nextscn(handle.elf(), nullptr); section != nullptr;
         section = elf_nextscn(handle.elf(), section)) {
      if (handle.section_header(section).sh_type == SHT_SYMTAB) add_kernels(handle, section, out);
    }
  } catch (const ElfError&) {
    return {};
  }
  return out;
}

std::string kernel_of_stub(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return "";
  symbol.remove_prefix(2);
  if (!symbol.empty() && symbol[0] == 'L') symbol.remove_prefix(1);  // Marks a static function.
  std::size_t length = 0;
  std::size_t digits = 0;
  while (digits < symbol.size() && digits < 6 && symbol[digits] >= '0' && symbol[digits] <= '9') {
    length = length * 10 + static_cast<std::size_t>(symbol[digits++] - '0');
  }
  symbol.remove_prefix(digits);
  if (digits == 0 || length > symbol.size()) return "";
  const std::string_view name = symbol.substr(0, length);
  if (!name.starts_with(kStub)) return "";
  // A mangled name shares its underscore with the prefix.
  const std::string_view rest = name.substr(kStub.size());
  return (rest.starts_with('Z') ? "_" : "") + std::string(rest);
}

std::string demangled(const std::string& name) {
  // __cxa_demangle would read a single letter as a type.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return name;
  std::string out = text;
  std::free(text);
  return out;
}

}  // namespace torchada
