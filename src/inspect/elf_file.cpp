#include "src/inspect/elf_file.h"

#include <algorithm>
#include <cstring>

#include "src/inspect/elf_handle.h"
#include "src/inspect/elf_versions.h"

namespace torchada {
namespace {

constexpr int kVersionIndexMask = 0x7fff;
constexpr int kVersionHidden = 0x8000;

ElfSymbolType symbol_type(unsigned char info) {
  switch (GELF_ST_TYPE(info)) {
    case STT_FUNC:
      return ElfSymbolType::kFunction;
    case STT_GNU_IFUNC:
      return ElfSymbolType::kIndirectFunction;
    case STT_OBJECT:
    case STT_COMMON:
      return ElfSymbolType::kObject;
    case STT_TLS:
      return ElfSymbolType::kThreadLocal;
    default:
      return ElfSymbolType::kOther;
  }
}

void read_dynamic(const ElfHandle& handle, Elf_Scn* section, ElfFile& file) {
  const GElf_Shdr header = handle.section_header(section);
  Elf_Data* data = handle.data(section);
  if (header.sh_entsize == 0) handle.fail("corrupt dynamic section");
  file.dynamic = true;
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int index = 0; index < count; ++index) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, index, &entry) == nullptr) handle.fail("corrupt dynamic section");
    const auto text = [&] { return handle.string_at(header.sh_link, entry.d_un.d_val); };
    switch (entry.d_tag) {
      case DT_NULL:
        return;
      case DT_SONAME:
        file.soname = text();
        break;
      case DT_NEEDED:
        file.needed.push_back(text());
        break;
      case DT_RPATH:
        file.rpath = text();
        break;
      case DT_RUNPATH:
        file.runpath = text();
        break;
      case DT_TEXTREL:
        file.text_relocations = true;
        break;
      case DT_FLAGS:
        file.text_relocations |= (entry.d_un.d_val & DF_TEXTREL) != 0;
        file.static_tls |= (entry.d_un.d_val & DF_STATIC_TLS) != 0;
        break;
      case DT_FLAGS_1:
        file.nodelete |= (entry.d_un.d_val & DF_1_NODELETE) != 0;
        break;
      default:
        break;
    }
  }
}

struct SymbolSections {
  Elf_Scn* symbols = nullptr;
  Elf_Scn* versions = nullptr;
};

void read_symbols(const ElfHandle& handle, const SymbolSections& sections, const ElfParts& parts,
                  ElfFile& file) {
  const GElf_Shdr header = handle.section_header(sections.symbols);
  handle.will_read(elf_ndxscn(sections.symbols));
  handle.will_read(header.sh_link);
  if (sections.versions != nullptr) handle.will_read(elf_ndxscn(sections.versions));
  const ElfVersions versions = read_elf_versions(handle);
  file.version_nodes = versions.nodes;
  Elf_Data* symbols = handle.data(sections.symbols);
  Elf_Data* indexes = sections.versions == nullptr ? nullptr : handle.data(sections.versions);
  if (header.sh_entsize == 0) handle.fail("corrupt dynamic symbol table");
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int number = 1; number < count; ++number) {
    GElf_Sym symbol;
    if (gelf_getsym(symbols, number, &symbol) == nullptr) handle.fail("corrupt symbol table");
    const int binding = GELF_ST_BIND(symbol.st_info);
    const int visibility = GELF_ST_VISIBILITY(symbol.st_other);
    if (symbol.st_shndx != SHN_UNDEF && !parts.exports) continue;
    const std::string name = handle.string_at(header.sh_link, symbol.st_name);
    if (binding == STB_LOCAL || name.empty()) continue;

    GElf_Versym index = VER_NDX_GLOBAL;
    if (indexes != nullptr && gelf_getversym(indexes, number, &index) == nullptr) {
      handle.fail("corrupt symbol versions");
    }
    ElfVersion version;
    if ((index & kVersionIndexMask) > VER_NDX_GLOBAL) {
      const auto known = versions.by_index.find(index & kVersionIndexMask);
      if (known == versions.by_index.end()) handle.fail("symbol " + name + " has no such version");
      version = known->second;
    }
    if (symbol.st_shndx == SHN_UNDEF) {
      file.imports.push_back({name, version.name, version.file, binding == STB_WEAK});
      continue;
    }
    // A version node appears as an absolute symbol with its own name, which no program can use.
    const bool bindable = visibility == STV_DEFAULT || visibility == STV_PROTECTED;
    if (symbol.st_shndx == SHN_ABS || index == VER_NDX_LOCAL || !bindable) continue;
    file.exports.push_back({name, version.name, (index & kVersionHidden) == 0, binding == STB_WEAK,
                            symbol_type(symbol.st_info), symbol.st_value, symbol.st_size});
  }
}

// The note's array of properties: type, size, payload; padded to 8 bytes (64 bit) or 4.
void read_properties(const unsigned char* bytes, std::size_t size, std::size_t padding,
                     ElfFile& file) {
  constexpr std::uint32_t kX86Feature1And = 0xc0000002;
  std::size_t offset = 0;
  while (offset + 8 <= size) {
    std::uint32_t type;
    std::uint32_t length;
    std::memcpy(&type, bytes + offset, 4);
    std::memcpy(&length, bytes + offset + 4, 4);
    offset += 8;
    if (length > size - offset) return;
    if (type == kX86Feature1And && length >= 4) {
      std::uint32_t features;
      std::memcpy(&features, bytes + offset, 4);
      file.ibt = (features & 1) != 0;
      file.shadow_stack = (features & 2) != 0;
    }
    offset += (length + padding - 1) / padding * padding;
  }
}

void read_notes(const ElfHandle& handle, Elf_Scn* section, ElfFile& file) {
  constexpr std::uint32_t kPropertyNote = 5;  // NT_GNU_PROPERTY_TYPE_0
  Elf_Data* data = handle.data(section);
  GElf_Nhdr note;
  std::size_t name = 0;
  std::size_t description = 0;
  for (std::size_t offset = 0;
       (offset = gelf_getnote(data, offset, &note, &name, &description)) > 0;) {
    const auto* bytes = static_cast<const unsigned char*>(data->d_buf);
    if (note.n_type != kPropertyNote || note.n_namesz != 4 ||
        std::memcmp(bytes + name, "GNU", 4) != 0) {
      continue;
    }
    read_properties(bytes + description, note.n_descsz, file.bits == 64 ? 8 : 4, file);
  }
}

// For an object file, where nothing has a version yet.
void read_wanted(const ElfHandle& handle, Elf_Scn* section, ElfFile& file) {
  const GElf_Shdr header = handle.section_header(section);
  handle.will_read(elf_ndxscn(section));
  handle.will_read(header.sh_link);
  Elf_Data* symbols = handle.data(section);
  if (header.sh_entsize == 0) handle.fail("corrupt symbol table");
  const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int number = 1; number < count; ++number) {
    GElf_Sym symbol;
    if (gelf_getsym(symbols, number, &symbol) == nullptr) handle.fail("corrupt symbol table");
    const int binding = GELF_ST_BIND(symbol.st_info);
    if (symbol.st_shndx != SHN_UNDEF || binding == STB_LOCAL) continue;
    const std::string name = handle.string_at(header.sh_link, symbol.st_name);
    if (!name.empty()) file.imports.push_back({name, "", "", binding == STB_WEAK});
  }
}

void read_sections(const ElfHandle& handle, const ElfParts& parts, ElfFile& file) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(handle.elf(), &names) != 0) handle.fail("corrupt section headers");
  SymbolSections symbols;
  for (Elf_Scn* section = elf_nextscn(handle.elf(), nullptr); section != nullptr;
       section = elf_nextscn(handle.elf(), section)) {
    const GElf_Shdr header = handle.section_header(section);
    const std::string name = handle.string_at(names, header.sh_name);
    file.sections.push_back({name, header.sh_type, header.sh_offset, header.sh_size});
    if (header.sh_type == SHT_DYNAMIC) read_dynamic(handle, section, file);
    if (header.sh_type == SHT_DYNSYM) symbols.symbols = section;
    if (header.sh_type == SHT_GNU_versym) symbols.versions = section;
    if (header.sh_type == SHT_NOTE && name == ".note.gnu.property") {
      read_notes(handle, section, file);
    }
    if (header.sh_type == SHT_SYMTAB && file.type == ET_REL) read_wanted(handle, section, file);
  }
  if (symbols.symbols != nullptr) read_symbols(handle, symbols, parts, file);
}

void read_segments(const ElfHandle& handle, ElfFile& file) {
  file.executable_stack = true;
  for (int index = 0; index < handle.header().e_phnum; ++index) {
    GElf_Phdr segment;
    if (gelf_getphdr(handle.elf(), index, &segment) == nullptr) {
      handle.fail("corrupt program headers");
    }
    if (segment.p_type == PT_GNU_STACK) file.executable_stack = (segment.p_flags & PF_X) != 0;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 &&
        (segment.p_flags & PF_X) != 0) {
      file.writable_code = true;
    }
    if (segment.p_type == PT_TLS) file.tls_size = segment.p_memsz;
    if (segment.p_type == PT_INTERP) {
      std::size_t size = 0;
      const char* bytes = elf_rawfile(handle.elf(), &size);
      if (bytes == nullptr) handle.fail("cannot be read");
      file.interpreter.assign(bytes + segment.p_offset,
                              strnlen(bytes + segment.p_offset, segment.p_filesz));
    }
  }
}

ElfFile read(const ElfHandle& handle, const ElfParts& parts) {
  ElfFile file;
  file.path = handle.path();
  file.bits = gelf_getclass(handle.elf()) == ELFCLASS64 ? 64 : 32;
  file.big_endian = handle.header().e_ident[EI_DATA] == ELFDATA2MSB;
  file.machine = handle.header().e_machine;
  file.type = handle.header().e_type;
  read_segments(handle, file);
  read_sections(handle, parts, file);
  return file;
}

}  // namespace

bool is_torchadas(const ElfFile& file) {
  return std::ranges::any_of(
      file.sections, [](const ElfSection& section) { return section.name == ".note.torchada"; });
}

bool holds_data(const ElfSection& section) {
  return section.name.starts_with(".rodata") || section.name == ".data";
}

std::string_view contents_of(const ElfSection& section, std::string_view bytes) {
  if (section.type == SHT_NOBITS || section.offset > bytes.size()) return {};
  return bytes.substr(section.offset, section.size);
}

ElfFile read_elf_file(const std::string& path) { return read(ElfHandle(path), {}); }

ElfFile read_elf(const std::string& name, std::string_view bytes, const ElfParts& parts) {
  return read(ElfHandle(name, bytes), parts);
}

void visit_symbols(const std::string& name, std::string_view bytes,
                   const std::function<void(std::string_view, std::string_view)>& visit) {
  const ElfHandle handle(name, bytes);
  for (Elf_Scn* section = elf_nextscn(handle.elf(), nullptr); section != nullptr;
       section = elf_nextscn(handle.elf(), section)) {
    const GElf_Shdr header = handle.section_header(section);
    if (header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
    handle.will_read(elf_ndxscn(section));
    handle.will_read(header.sh_link);
    Elf_Data* symbols = handle.data(section);
    const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
    std::string_view file;  // Before the local symbols from it.
    for (int number = 1; number < count; ++number) {
      GElf_Sym symbol;
      if (gelf_getsym(symbols, number, &symbol) == nullptr) handle.fail("corrupt symbol table");
      const char* text = elf_strptr(handle.elf(), header.sh_link, symbol.st_name);
      if (text == nullptr) handle.fail("corrupt string table");
      if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) file = text;
      visit(text, GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? file : "");
    }
  }
}

}  // namespace torchada
