#include "src/inspect/elf_versions.h"

namespace torchada {
namespace {

// The offsets come from the file, and a chain that does not move forward would never end.
std::size_t next_offset(const ElfHandle& handle, std::size_t offset, std::size_t step,
                        std::size_t size) {
  if (step >= size || offset + step >= size) handle.fail("corrupt version tables");
  return offset + step;
}

void read_definitions(const ElfHandle& handle, Elf_Scn* section, ElfVersions& versions) {
  const GElf_Shdr header = handle.section_header(section);
  Elf_Data* data = handle.data(section);
  std::size_t offset = 0;
  for (std::size_t count = 0; count < header.sh_info; ++count) {
    GElf_Verdef definition;
    GElf_Verdaux name;
    if (gelf_getverdef(data, static_cast<int>(offset), &definition) == nullptr ||
        gelf_getverdaux(
            data, static_cast<int>(next_offset(handle, offset, definition.vd_aux, data->d_size)),
            &name) == nullptr) {
      handle.fail("corrupt version definitions");
    }
    const std::string text = handle.string_at(header.sh_link, name.vda_name);
    versions.by_index[definition.vd_ndx & 0x7fff] = {text, ""};
    if ((definition.vd_flags & VER_FLG_BASE) == 0) versions.nodes.push_back(text);
    if (definition.vd_next == 0) return;
    offset = next_offset(handle, offset, definition.vd_next, data->d_size);
  }
}

void read_requirements(const ElfHandle& handle, Elf_Scn* section, ElfVersions& versions) {
  const GElf_Shdr header = handle.section_header(section);
  Elf_Data* data = handle.data(section);
  std::size_t offset = 0;
  for (std::size_t count = 0; count < header.sh_info; ++count) {
    GElf_Verneed need;
    if (gelf_getverneed(data, static_cast<int>(offset), &need) == nullptr) {
      handle.fail("corrupt version requirements");
    }
    const std::string file = handle.string_at(header.sh_link, need.vn_file);
    std::size_t entry = next_offset(handle, offset, need.vn_aux, data->d_size);
    for (int index = 0; index < need.vn_cnt; ++index) {
      GElf_Vernaux wanted;
      if (gelf_getvernaux(data, static_cast<int>(entry), &wanted) == nullptr) {
        handle.fail("corrupt version requirements");
      }
      versions.by_index[wanted.vna_other & 0x7fff] = {
          handle.string_at(header.sh_link, wanted.vna_name), file};
      if (wanted.vna_next == 0) break;
      entry = next_offset(handle, entry, wanted.vna_next, data->d_size);
    }
    if (need.vn_next == 0) return;
    offset = next_offset(handle, offset, need.vn_next, data->d_size);
  }
}

}  // namespace

ElfVersions read_elf_versions(const ElfHandle& handle) {
  ElfVersions versions;
  for (Elf_Scn* section = elf_nextscn(handle.elf(), nullptr); section != nullptr;
       section = elf_nextscn(handle.elf(), section)) {
    const auto type = handle.section_header(section).sh_type;
    if (type == SHT_GNU_verdef) read_definitions(handle, section, versions);
    if (type == SHT_GNU_verneed) read_requirements(handle, section, versions);
  }
  return versions;
}

}  // namespace torchada
