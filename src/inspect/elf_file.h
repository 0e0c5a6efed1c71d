// What the dynamic loader sees of an ELF file: names, versions and program headers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/inspect/elf_error.h"

namespace torchada {

enum class ElfSymbolType { kFunction, kIndirectFunction, kObject, kThreadLocal, kOther };

// A symbol that other files can bind to.
struct ElfExport {
  std::string name;
  std::string version;          // Version node; empty if the symbol has none.
  bool default_version = true;  // name@@version; false for name@version.
  bool weak = false;
  ElfSymbolType type = ElfSymbolType::kOther;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

// A symbol that this file wants from another one.
struct ElfImport {
  std::string name;
  std::string version;       // Empty if none is requested.
  std::string version_file;  // The NEEDED library that must have that version.
  bool weak = false;         // May stay unresolved.
};

struct ElfSection {
  std::string name;
  std::uint32_t type = 0;    // SHT_PROGBITS, ...
  std::uint64_t offset = 0;  // In the file.
  std::uint64_t size = 0;
};

struct ElfFile {
  std::string path;
  int bits = 0;  // 32 or 64.
  bool big_endian = false;
  std::uint16_t machine = 0;  // EM_X86_64, ...
  std::uint16_t type = 0;     // ET_DYN, ET_EXEC, ...
  bool dynamic = false;       // Has a dynamic section.
  std::string interpreter;    // For programs.

  std::string soname;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  std::vector<std::string> version_nodes;  // Defined ones, without the base entry.
  std::vector<ElfExport> exports;          // In the order of the symbol table.
  std::vector<ElfImport> imports;          // For an object file: from .symtab.
  std::vector<ElfSection> sections;

  bool executable_stack = false;  // Also if PT_GNU_STACK is missing: the loader then assumes it.
  bool writable_code = false;     // A segment that is writable and executable.
  bool text_relocations = false;
  bool nodelete = false;
  bool static_tls = false;
  std::uint64_t tls_size = 0;
  bool ibt = false;  // From GNU property notes, see Intel CET.
  bool shadow_stack = false;
};

// Whether it is one of torchada's libraries: each has a note (stubs/process/own_note.cpp).
bool is_torchadas(const ElfFile& file);

// Whether the section holds constants or variables, and so may hold text.
bool holds_data(const ElfSection& section);
// A section's bytes in the file; empty if it has none there.
std::string_view contents_of(const ElfSection& section, std::string_view bytes);

// Throws ElfError for a missing, unreadable, truncated, corrupt or non-ELF file.
ElfFile read_elf_file(const std::string& path);

// The same for bytes in memory. `parts` lets a caller skip what it does not need of large files.
struct ElfParts {
  bool exports = true;
};
ElfFile read_elf(const std::string& name, std::string_view bytes, const ElfParts& parts = {});

// Calls `visit` with the name of every symbol in .symtab, and for a local one the file from which
// it was compiled. A stripped file has none.
void visit_symbols(const std::string& name, std::string_view bytes,
                   const std::function<void(std::string_view, std::string_view)>& visit);

}  // namespace torchada
