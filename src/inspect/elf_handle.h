// Owns the libelf descriptor of one file.
#pragma once

#include <gelf.h>

#include <string>
#include <string_view>

namespace torchada {

class ElfHandle {
 public:
  explicit ElfHandle(const std::string& path);
  // Reads bytes in memory, which the caller keeps; `name` is for messages.
  ElfHandle(const std::string& name, std::string_view bytes);
  ~ElfHandle();
  ElfHandle(const ElfHandle&) = delete;
  ElfHandle& operator=(const ElfHandle&) = delete;

  Elf* elf() const { return elf_; }
  const GElf_Ehdr& header() const { return header_; }
  const std::string& path() const { return path_; }

  [[noreturn]] void fail(const std::string& message) const;
  // The bytes of a section; fails if they lie outside the file.
  Elf_Data* data(Elf_Scn* section) const;
  GElf_Shdr section_header(Elf_Scn* section) const;
  // All of this section will be read soon. Changes nothing but the speed.
  void will_read(std::size_t section) const;
  std::string string_at(std::size_t string_section, std::size_t offset) const;

 private:
  void begin();
  // libelf accepts files whose tables end beyond the last byte, and shows those tables as empty.
  void refuse_truncated() const;

  std::string path_;
  int descriptor_ = -1;
  Elf* elf_ = nullptr;
  GElf_Ehdr header_{};
  std::uint64_t file_size_ = 0;
  std::string_view bytes_;  // Empty if libelf reads the file itself.
};

}  // namespace torchada
