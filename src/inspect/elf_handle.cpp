#include "src/inspect/elf_handle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "src/inspect/elf_error.h"
#include "src/inspect/mapped_file.h"

namespace torchada {

ElfHandle::ElfHandle(const std::string& path) : path_(path) {
  if (elf_version(EV_CURRENT) == EV_NONE) fail("libelf is older than its header");
  // O_NONBLOCK: a FIFO in a tree must not block us.
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0) fail(std::strerror(errno));
  // The destructor does not run when the constructor throws.
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail("not a regular file");
    file_size_ = static_cast<std::uint64_t>(status.st_size);
    if (file_size_ == 0) fail("empty file");
    elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    begin();
  } catch (...) {
    if (elf_ != nullptr) elf_end(elf_);
    close(descriptor_);
    throw;
  }
}

ElfHandle::ElfHandle(const std::string& name, std::string_view bytes)
    : path_(name), file_size_(bytes.size()), bytes_(bytes) {
  if (elf_version(EV_CURRENT) == EV_NONE) fail("libelf is older than its header");
  if (bytes.empty()) fail("empty file");
  // libelf only reads the bytes, though the parameter is not const.
  elf_ = elf_memory(const_cast<char*>(bytes.data()), bytes.size());
  try {
    begin();
  } catch (...) {
    if (elf_ != nullptr) elf_end(elf_);
    throw;
  }
}

void ElfHandle::begin() {
  if (elf_ == nullptr) fail(std::string("cannot be read: ") + elf_errmsg(-1));
  if (elf_kind(elf_) != ELF_K_ELF) fail("not an ELF file");
  if (gelf_getehdr(elf_, &header_) == nullptr) fail("truncated ELF header");
  refuse_truncated();
}

ElfHandle::~ElfHandle() {
  elf_end(elf_);
  if (descriptor_ >= 0) close(descriptor_);
}

void ElfHandle::fail(const std::string& message) const { throw ElfError(path_, message); }

void ElfHandle::refuse_truncated() const {
  const auto inside = [this](std::uint64_t offset, std::uint64_t size) {
    return offset <= file_size_ && size <= file_size_ - offset;
  };
  if (!inside(header_.e_phoff, std::uint64_t{header_.e_phnum} * header_.e_phentsize)) {
    fail("truncated: the program headers lie beyond the end of the file");
  }
  if (header_.e_shoff == 0) fail("has no section headers");
  if (!inside(header_.e_shoff, std::uint64_t{header_.e_shnum} * header_.e_shentsize)) {
    fail("truncated: the section headers lie beyond the end of the file");
  }
  for (int index = 0; index < header_.e_phnum; ++index) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf_, index, &segment) == nullptr) fail("corrupt program headers");
    if (!inside(segment.p_offset, segment.p_filesz)) {
      fail("truncated: a segment lies beyond the end of the file");
    }
  }
}

Elf_Data* ElfHandle::data(Elf_Scn* section) const {
  const GElf_Shdr header = section_header(section);
  if (header.sh_type != SHT_NOBITS &&
      (header.sh_offset > file_size_ || header.sh_size > file_size_ - header.sh_offset)) {
    fail("truncated: a section lies beyond the end of the file");
  }
  Elf_Data* bytes = elf_getdata(section, nullptr);
  if (bytes == nullptr) fail(std::string("corrupt section: ") + elf_errmsg(-1));
  return bytes;
}

GElf_Shdr ElfHandle::section_header(Elf_Scn* section) const {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr) fail("corrupt section headers");
  return header;
}

void ElfHandle::will_read(std::size_t section) const {
  GElf_Shdr header;
  Elf_Scn* const found = elf_getscn(elf_, section);
  if (found == nullptr || gelf_getshdr(found, &header) == nullptr) return;
  if (header.sh_type == SHT_NOBITS || header.sh_offset > bytes_.size()) return;
  will_read_all(bytes_.substr(header.sh_offset, header.sh_size));
}

std::string ElfHandle::string_at(std::size_t string_section, std::size_t offset) const {
  const char* text = elf_strptr(elf_, string_section, offset);
  if (text == nullptr) fail("corrupt string table");
  return text;
}

}  // namespace torchada
