// The exported names of a library, read from its file.
#ifndef TORCHADA_TESTS_HOST_MUSART_EXPORTED_NAMES_H_
#define TORCHADA_TESTS_HOST_MUSART_EXPORTED_NAMES_H_

#include <elf.h>

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// The names that the library defines and exports. Throws if the file cannot be read.
inline std::set<std::string> exported_names(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error(path +
                             " cannot be read; cmake --build BUILD --target host_trees builds it");
  }
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + header->e_shoff);
  std::set<std::string> names;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const char* strings = bytes.data() + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + sections[i].sh_offset);
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      if (symbols[s].st_shndx != SHN_UNDEF) names.insert(strings + symbols[s].st_name);
    }
  }
  return names;
}

#endif  // TORCHADA_TESTS_HOST_MUSART_EXPORTED_NAMES_H_
