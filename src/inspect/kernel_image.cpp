#include "src/inspect/kernel_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "src/inspect/elf_file.h"
#include "src/inspect/elf_handle.h"

namespace torchada {
namespace {

constexpr GElf_Half kMusaMachine = 253;
// src/host/kernels/include/torchada_image.h
constexpr std::string_view kStandInMark = ".torchada.image";
constexpr std::string_view kStandInNames = ".torchada.kernels";
constexpr std::string_view kElf(ELFMAG, SELFMAG);
// All of a bundle is searched.
constexpr std::size_t kLargest = std::size_t{1} << 30;

void add_texts(std::string_view data, NameSet* out) {
  for (std::size_t end = data.find('\0'); end != std::string_view::npos; end = data.find('\0')) {
    if (end > 0) out->emplace(data.substr(0, end));
    data.remove_prefix(end + 1);
  }
}

void add_functions(const ElfHandle& handle, Elf_Scn* section, NameSet* out) {
  const GElf_Shdr header = handle.section_header(section);
  if (header.sh_entsize == 0) handle.fail("corrupt symbol table");
  Elf_Data* symbols = handle.data(section);
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int number = 1; number < count; ++number) {
    GElf_Sym symbol;
    if (gelf_getsym(symbols, number, &symbol) == nullptr) handle.fail("corrupt symbol table");
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
        GELF_ST_BIND(symbol.st_info) == STB_LOCAL) {
      continue;
    }
    out->insert(handle.string_at(header.sh_link, symbol.st_name));
  }
}

void read_musa(std::string_view bytes, NameSet* out) {
  const ElfHandle handle("", bytes);
  for (Elf_Scn* section = elf_nextscn(handle.elf(), nullptr); section != nullptr;
       section = elf_nextscn(handle.elf(), section)) {
    const GElf_Word type = handle.section_header(section).sh_type;
    if (type == SHT_SYMTAB || type == SHT_DYNSYM) add_functions(handle, section, out);
  }
}

// The machine of the ELF file that begins here; 0 if none does.
GElf_Half machine_of(std::string_view bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof(header) || !bytes.starts_with(kElf)) return 0;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header.e_machine;
}

// Files of MUSA's machine anywhere in a bundle.
bool read_bundle(std::string_view bytes, NameSet* out) {
  bool any = false;
  for (std::size_t at = bytes.find(kElf); at != std::string_view::npos;
       at = bytes.find(kElf, at + 1)) {
    if (machine_of(bytes.substr(at)) != kMusaMachine) continue;
    read_musa(bytes.substr(at), out);
    any = true;
  }
  return any;
}

// An image of the stand-in. False if it is another ELF file.
bool read_stand_in(std::string_view bytes, KernelImage* out) {
  const ElfFile file = read_elf("", bytes, {false});
  const auto section_named = [&file](std::string_view name) {
    return std::find_if(file.sections.begin(), file.sections.end(),
                        [name](const ElfSection& section) { return section.name == name; });
  };
  if (section_named(kStandInMark) == file.sections.end()) return false;
  out->tells_sources = true;
  const auto names = section_named(kStandInNames);
  if (names == file.sections.end()) {
    out->fault = "it does not list its kernels: make it again with torchada kernels build";
  } else {
    add_texts(contents_of(*names, bytes), &out->kernels);
  }
  return true;
}

}  // namespace

KernelImage read_kernel_image(std::string_view bytes) {
  KernelImage out;
  if (bytes.size() > kLargest) {
    out.fault = "it is larger than 1 GiB";
    return out;
  }
  try {
    const bool is_elf = bytes.starts_with(kElf);
    if (is_elf && machine_of(bytes) != kMusaMachine && read_stand_in(bytes, &out)) return out;
    if (!read_bundle(bytes, &out.kernels)) {
      out.fault = "no device code for MUSA or for the CPU stand-in was found in it";
    }
  } catch (const ElfError& error) {
    const std::string text = error.what();
    out.fault = text.starts_with(": ") ? text.substr(2) : text;
    out.kernels.clear();
  }
  return out;
}

}  // namespace torchada
