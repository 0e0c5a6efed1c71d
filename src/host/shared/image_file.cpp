#include "src/host/shared/image_file.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "src/host/kernels/include/torchada_image.h"

namespace host {
namespace {

using Kind = ImageFault::Kind;

constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
constexpr char kSection[] = TORCHADA_IMAGE_SECTION;
constexpr std::string_view kBundle = "__CLANG_OFFLOAD_BUNDLE__";  // as mcc makes

std::uint32_t checksum(std::string_view bytes, std::size_t field) {
  boost::crc_32_type sum;
  constexpr std::array<char, sizeof(torchada_seal::checksum)> kZero{};
  sum.process_bytes(bytes.data(), field);
  sum.process_bytes(kZero.data(), kZero.size());
  sum.process_bytes(bytes.data() + field + kZero.size(), bytes.size() - field - kZero.size());
  return sum.checksum();
}

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

// The place `more` bytes behind another.
std::uint64_t behind(std::uint64_t place, std::uint64_t more) {
  return place == kNowhere || more >= kNowhere - place ? kNowhere : place + more;
}

// What can be read: a file of known size, or bytes.
class Source {
 public:
  explicit Source(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
  explicit Source(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}

  std::uint64_t size() const { return size_; }

  bool read(void* to, std::uint64_t count, std::uint64_t at) const {
    if (at > size_ || count > size_ - at) return false;
    if (descriptor_ < 0) {
      if (count > 0) std::memcpy(to, bytes_.data() + at, count);
      return true;
    }
    for (std::uint64_t done = 0; done < count;) {
      const ssize_t got = pread(descriptor_, static_cast<char*>(to) + done, count - done,
                                static_cast<off_t>(at + done));
      if (got <= 0) return false;
      done += static_cast<std::uint64_t>(got);
    }
    return true;
  }

  template <typename T>
  std::optional<T> get(std::uint64_t at) const {
    T out;
    if (!read(&out, sizeof out, at)) return std::nullopt;
    return out;
  }

  // Up to the zero that ends it.
  std::string text(std::uint64_t at) const {
    const std::size_t end = at < bytes_.size() ? bytes_.find('\0', at) : std::string_view::npos;
    return end == std::string_view::npos ? "" : std::string(bytes_.substr(at, end - at));
  }

 private:
  std::string_view bytes_;
  int descriptor_ = -1;
  std::uint64_t size_;
};

ImageFault judge_header(const Source& source, Elf64_Ehdr* header) {
  std::array<char, kBundle.size()> start{};
  if (source.read(start.data(), start.size(), 0) &&
      std::string_view(start.data(), start.size()) == kBundle) {
    return {Kind::kForeign, "it is for a GPU", {}};
  }
  const auto found = source.get<Elf64_Ehdr>(0);
  if (!found || std::memcmp(found->e_ident, ELFMAG, SELFMAG) != 0) {
    return {Kind::kInvalid, "it is no ELF file", {}};
  }
  *header = *found;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 && header->e_ident[EI_CLASS] != ELFCLASS32) {
    return {Kind::kInvalid, "its ELF header is damaged", {}};
  }
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) {
    return {Kind::kForeign, "it is for another machine than this CPU", {}};
  }
  return {};
}

// The place of the seal: the section by which an image is known.
ImageFault find_seal(const Source& source, std::uint64_t* place) {
  Elf64_Ehdr header{};
  if (ImageFault fault = judge_header(source, &header)) return fault;
  const ImageFault cut{Kind::kInvalid, "it is damaged: its table of sections is not within it", {}};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!source.read(sections.data(), sections.size() * sizeof(Elf64_Shdr), header.e_shoff)) {
    return cut;
  }
  if (header.e_shstrndx >= sections.size()) return cut;
  const Elf64_Shdr& names = sections[header.e_shstrndx];
  for (const Elf64_Shdr& section : sections) {
    std::array<char, sizeof kSection> name{};
    if (section.sh_name > names.sh_size ||
        !source.read(name.data(), name.size(), names.sh_offset + section.sh_name) ||
        std::memcmp(name.data(), kSection, name.size()) != 0) {
      continue;
    }
    *place = section.sh_offset;
    const auto seal = source.get<torchada_seal>(*place);
    if (section.sh_size < sizeof(torchada_seal) || !seal ||
        std::memcmp(seal->mark, TORCHADA_SEAL_MARK, sizeof TORCHADA_SEAL_MARK) != 0) {
      return {Kind::kForeign, "it was made by another version of torchada kernels build", {}};
    }
    return {};
  }
  return {Kind::kForeign, "torchada kernels build --backend=host has not made it", {}};
}

// What of libc and libstdc++ device code may call: CUDA's device functions of these names, and what
// compilers make of plain C++. All of libm and libgcc_s is arithmetic.
constexpr std::array kFunctions = {"__cxa_pure_virtual",
                                   "__errno_location",
                                   "__gxx_personality_v0",
                                   "__memcpy_chk",
                                   "__memmove_chk",
                                   "__memset_chk",
                                   "__printf_chk",
                                   "__stack_chk_fail",
                                   "__tls_get_addr",
                                   "_ZdaPv",
                                   "_ZdaPvm",
                                   "_ZdlPv",
                                   "_ZdlPvm",
                                   "_Znam",
                                   "_Znwm",
                                   "abs",
                                   "calloc",
                                   "clock",
                                   "clock_gettime",
                                   "div",
                                   "free",
                                   "labs",
                                   "llabs",
                                   "malloc",
                                   "memchr",
                                   "memcmp",
                                   "memcpy",
                                   "memmove",
                                   "memset",
                                   "nanosleep",
                                   "printf",
                                   "putchar",
                                   "puts",
                                   "sched_yield",
                                   "snprintf",
                                   "strcat",
                                   "strchr",
                                   "strcmp",
                                   "strcpy",
                                   "strcspn",
                                   "strlen",
                                   "strncat",
                                   "strncmp",
                                   "strncpy",
                                   "strnlen",
                                   "strpbrk",
                                   "strrchr",
                                   "strspn",
                                   "strstr",
                                   "usleep",
                                   "vprintf"};
constexpr std::array kPrefixes = {"_ZSt", "_ZTVN10__cxxabiv1", "__sanitizer_", "__ubsan_"};
constexpr std::array kArithmetic = {"libm.so.6", "libmvec.so.1", "libgcc_s.so.1"};
constexpr std::array kLibraries = {"libc.so.6",     "libm.so.6",      "libmvec.so.1",
                                   "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"};

template <typename List>
bool has(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// What the loader would read.
class Dynamic {
 public:
  explicit Dynamic(std::string_view bytes) : source_(bytes) {}

  ImageFault judge() {
    const auto header = source_.get<Elf64_Ehdr>(0);
    if (!header || header->e_phentsize != sizeof(Elf64_Phdr)) return damaged("segments");
    segments_.resize(header->e_phnum);
    if (!source_.read(segments_.data(), segments_.size() * sizeof(Elf64_Phdr), header->e_phoff)) {
      return damaged("segments");
    }
    std::uint64_t first = 0, count = 0;
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type == PT_INTERP) return forbidden("it is a program");
      if (segment.p_type != PT_DYNAMIC && segment.p_type != PT_LOAD) continue;
      if (segment.p_offset > source_.size() ||
          segment.p_filesz > source_.size() - segment.p_offset) {
        return damaged("segments");
      }
      if (segment.p_type != PT_DYNAMIC) continue;
      if (count != 0) return damaged("segments");
      // The loader reads it in memory, where another segment may have put something else.
      first = segment.p_offset;
      if (offset_of(segment.p_vaddr) != first) return damaged("segments");
      count = segment.p_filesz / sizeof(Elf64_Dyn);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto entry = source_.get<Elf64_Dyn>(first + i * sizeof(Elf64_Dyn));
      if (!entry) return damaged("dynamic section");
      if (entry->d_tag == DT_NULL) return judge_entries();
      entries_.push_back(*entry);
    }
    return damaged("dynamic section");
  }

 private:
  static ImageFault damaged(const std::string& what) {
    return {Kind::kInvalid, "it is damaged: its " + what + " cannot be right", {}};
  }
  static ImageFault forbidden(const std::string& text, const std::string& symbol = "") {
    return {Kind::kForbidden, text, symbol};
  }

  // kNowhere if not exactly one segment has it.
  std::uint64_t offset_of(std::uint64_t address) const {
    std::uint64_t found = kNowhere;
    int count = 0;
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
          address - segment.p_vaddr >= segment.p_filesz) {
        continue;
      }
      found = segment.p_offset + (address - segment.p_vaddr);
      ++count;
    }
    return count == 1 ? found : kNowhere;
  }

  std::uint64_t value(Elf64_Sxword tag) const {
    std::uint64_t last = 0;
    for (const Elf64_Dyn& entry : entries_) {
      if (entry.d_tag == tag) last = entry.d_un.d_val;
    }
    return last;
  }

  std::string name_at(std::uint64_t in_table) const {
    const std::uint64_t names = offset_of(value(DT_STRTAB));
    return in_table < value(DT_STRSZ) ? source_.text(behind(names, in_table)) : "";
  }

  ImageFault judge_entries() const {
    for (const Elf64_Dyn& entry : entries_) {
      switch (entry.d_tag) {
        case DT_NEEDED:
          if (const std::string name = name_at(entry.d_un.d_val); !has(kLibraries, name)) {
            return forbidden("it needs the library " + name);
          }
          break;
        case DT_INIT_ARRAYSZ:
        case DT_PREINIT_ARRAYSZ:
        case DT_FINI_ARRAYSZ:
          if (entry.d_un.d_val != 0) return initialiser();
          break;
        case DT_INIT:
        case DT_FINI:
          return forbidden("it has a function that runs when it is loaded or unloaded",
                           entry.d_tag == DT_INIT ? "_init" : "_fini");
        case DT_RPATH:
        case DT_RUNPATH:
        case DT_AUDIT:
        case DT_DEPAUDIT:
        case DT_AUXILIARY:
        case DT_FILTER:
        case DT_TEXTREL:
          return forbidden("its dynamic section has the tag " + std::to_string(entry.d_tag));
        default:
          break;
      }
    }
    if (ImageFault fault = judge_relocations(DT_RELA, DT_RELASZ)) return fault;
    return judge_relocations(DT_JMPREL, DT_PLTRELSZ);
  }

  // The first function of the array, which a relocation fills in.
  ImageFault initialiser() const {
    const std::uint64_t table = offset_of(value(DT_RELA));
    const std::uint64_t array =
        value(DT_INIT_ARRAYSZ) != 0 ? value(DT_INIT_ARRAY) : value(DT_FINI_ARRAY);
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= value(DT_RELASZ);
         at += sizeof(Elf64_Rela)) {
      const auto relocation = source_.get<Elf64_Rela>(behind(table, at));
      if (!relocation) break;
      if (relocation->r_offset == array) {
        return forbidden("it has a function that runs when it is loaded or unloaded",
                         function_at(static_cast<std::uint64_t>(relocation->r_addend)));
      }
    }
    return forbidden("it has a function that runs when it is loaded or unloaded");
  }

  // By the symbol table, if it was not removed.
  std::string function_at(std::uint64_t address) const {
    const auto header = source_.get<Elf64_Ehdr>(0);
    std::vector<Elf64_Shdr> sections(header->e_shnum);
    if (!source_.read(sections.data(), sections.size() * sizeof(Elf64_Shdr), header->e_shoff)) {
      return "";
    }
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
      for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size;
           at += sizeof(Elf64_Sym)) {
        const auto symbol = source_.get<Elf64_Sym>(section.sh_offset + at);
        if (!symbol) break;
        if (symbol->st_value == address && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC) {
          return source_.text(sections[section.sh_link].sh_offset + symbol->st_name);
        }
      }
    }
    return "";
  }

  ImageFault judge_relocations(Elf64_Sxword table_tag, Elf64_Sxword size_tag) const {
    if (value(size_tag) == 0) return {};
    const std::uint64_t table = offset_of(value(table_tag));
    const std::uint64_t symbols = offset_of(value(DT_SYMTAB));
    for (std::uint64_t at = 0; at < value(size_tag); at += sizeof(Elf64_Rela)) {
      const auto relocation = source_.get<Elf64_Rela>(behind(table, at));
      if (!relocation) return damaged("table of relocations");
      const std::uint64_t type = ELF64_R_TYPE(relocation->r_info);
      if (type == R_X86_64_IRELATIVE) {
        return forbidden("it has a function that chooses another one when it is loaded (ifunc)");
      }
      const std::uint64_t number = ELF64_R_SYM(relocation->r_info);
      if (number == 0) continue;
      const auto symbol = source_.get<Elf64_Sym>(behind(symbols, number * sizeof(Elf64_Sym)));
      if (!symbol || name_at(symbol->st_name).empty()) return damaged("table of symbols");
      if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
        return forbidden("it has a function that chooses another one when it is loaded (ifunc)");
      }
      if (symbol->st_shndx != SHN_UNDEF) continue;
      const std::string name = name_at(symbol->st_name);
      const bool known = has(kFunctions, name) || has(kArithmetic, library_of(number)) ||
                         std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](const char* prefix) {
                           return name.compare(0, std::strlen(prefix), prefix) == 0;
                         });
      if (!known) return forbidden("it uses " + name + ", which is no device function", name);
    }
    return {};
  }

  // That its version names; empty if none does.
  std::string library_of(std::uint64_t symbol) const {
    const auto version = source_.get<Elf64_Versym>(
        behind(offset_of(value(DT_VERSYM)), symbol * sizeof(Elf64_Versym)));
    if (value(DT_VERSYM) == 0 || !version) return "";
    std::uint64_t at = offset_of(value(DT_VERNEED));
    for (std::uint64_t i = 0; i < value(DT_VERNEEDNUM); ++i) {
      const auto library = source_.get<Elf64_Verneed>(at);
      if (!library) return "";
      std::uint64_t node = at + library->vn_aux;
      for (unsigned int k = 0; k < library->vn_cnt; ++k) {
        const auto found = source_.get<Elf64_Vernaux>(node);
        if (!found) return "";
        if (found->vna_other == (*version & 0x7fff)) return name_at(library->vn_file);
        if (found->vna_next == 0) break;
        node += found->vna_next;
      }
      if (library->vn_next == 0) break;
      at += library->vn_next;
    }
    return "";
  }

  Source source_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> entries_;
};

}  // namespace

ImageFault find_forbidden(std::string_view bytes) { return Dynamic(bytes).judge(); }

ImageFault read_image(int descriptor, std::string* bytes) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return {Kind::kInvalid, "it is not a regular file", {}};
  }
  const Source source(descriptor, static_cast<std::uint64_t>(status.st_size));
  std::uint64_t place = 0;
  if (ImageFault fault = find_seal(source, &place)) return fault;
  const auto seal = source.get<torchada_seal>(place);
  // A program that writes what nvrtcGetPTX gave it may write the zero behind it, too.
  const bool has_zero = seal && seal->size < source.size() && source.size() - seal->size == 1 &&
                        source.get<char>(seal->size) == '\0';
  if (!seal || (seal->size != source.size() && !has_zero) || seal->size > kLargest) {
    return {Kind::kInvalid,
            "it is damaged: it has " + std::to_string(source.size()) +
                " bytes, and was made with " + std::to_string(seal ? seal->size : 0),
            {}};
  }
  bytes->resize(seal->size);
  if (!source.read(bytes->data(), bytes->size(), 0) ||
      checksum(*bytes, place + offsetof(torchada_seal, checksum)) != seal->checksum) {
    return {Kind::kInvalid, "it is damaged: its checksum is wrong", {}};
  }
  return find_forbidden(*bytes);
}

bool seal_image(std::string* bytes) {
  std::uint64_t place = 0;
  if (find_seal(Source(*bytes), &place)) return false;
  torchada_seal seal;
  std::memcpy(&seal, bytes->data() + place, sizeof seal);
  seal.size = bytes->size();
  std::memcpy(bytes->data() + place, &seal, sizeof seal);
  seal.checksum = checksum(*bytes, place + offsetof(torchada_seal, checksum));
  std::memcpy(bytes->data() + place, &seal, sizeof seal);
  return true;
}

bool is_trusted(int descriptor, std::string* why) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    *why = "it is not a regular file";
  } else if (status.st_uid != geteuid() && status.st_uid != 0) {
    *why = "it belongs to user " + std::to_string(status.st_uid) +
           ", and device code on the CPU runs with the rights of user " +
           std::to_string(geteuid()) + "; copy the file if you trust it";
  } else if ((status.st_mode & S_IWOTH) != 0) {
    *why = "everybody may write to it; take this right away (chmod o-w)";
  } else {
    return true;
  }
  return false;
}

}  // namespace host
