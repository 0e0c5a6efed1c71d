#include "src/inspect/large_elf.h"

#include <elf.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "src/inspect/elf_file.h"
#include "src/inspect/fat_binary.h"
#include "src/inspect/text_in_binary.h"

namespace torchada {
namespace {

constexpr std::uint64_t kPage = 4096;
// Linkers write the names of the sections just before the section headers.
constexpr std::uint64_t kNamesWindow = std::uint64_t{1} << 20;
constexpr std::uint64_t kLongestTail = std::uint64_t{16} << 20;
constexpr std::size_t kWindow = std::size_t{1} << 20;
constexpr std::size_t kFront = 2 * kPage;  // Kept of the window before.

template <typename Record>
Record record_at(std::string_view bytes, std::uint64_t offset) {
  Record out{};
  if (offset > bytes.size() || bytes.size() - offset < sizeof(out)) {
    throw LargeElfError("truncated ELF header");
  }
  std::memcpy(&out, bytes.data() + offset, sizeof(out));
  return out;
}

// Of the file's size, filled by keep().
class SparseBytes {
 public:
  SparseBytes(std::uint64_t size, std::uint64_t most) : size_(size), most_(most) {
    // Room for whole pages.
    void* start = mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) throw LargeElfError("no address space for a file of its size");
    start_ = static_cast<char*>(start);
  }
  ~SparseBytes() { munmap(start_, size_ + kPage); }
  SparseBytes(const SparseBytes&) = delete;
  SparseBytes& operator=(const SparseBytes&) = delete;

  void keep(std::uint64_t offset, std::string_view bytes) {
    if (offset >= size_) return;
    bytes = bytes.substr(0, size_ - offset);
    kept_ += bytes.size();
    if (kept_ > most_) {
      throw LargeElfError("its symbols and texts are larger than " + std::to_string(most_ >> 20) +
                          " MiB");
    }
    std::memcpy(start_ + offset, bytes.data(), bytes.size());
  }

  std::string_view view() const { return {start_, size_}; }

 private:
  std::uint64_t size_, most_;
  std::uint64_t kept_ = 0;
  char* start_ = nullptr;
};

struct Range {
  enum class Kind { kWhole, kText, kFatBinary };
  Kind kind;
  std::uint64_t begin, end;
};

struct Outline {
  std::uint64_t size = 0;
  std::uint64_t tail_at = 0;
  std::string tail;  // Section headers and the bytes before them.
  std::vector<Range> ranges;
};

// The first pass.
class OutlineReader {
 public:
  Outline read(const std::function<bool(std::vector<char>&)>& read_piece,
               const LargeElfLimits& limits) {
    std::vector<char> piece;
    while (read_piece(piece)) {
      const std::string_view bytes(piece.data(), piece.size());
      if (out_.size == 0) begin(bytes);
      add_tail(bytes);
      out_.size += bytes.size();
    }
    add_ranges(limits);
    return std::move(out_);
  }

 private:
  void begin(std::string_view bytes) {
    header_ = record_at<Elf64_Ehdr>(bytes, 0);
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
      throw LargeElfError("only 64-bit little-endian files of its size are examined");
    }
    if (header_.e_shoff == 0 || header_.e_shentsize != sizeof(Elf64_Shdr)) {
      throw LargeElfError("has no section headers");
    }
    out_.tail_at = header_.e_shoff > kNamesWindow ? header_.e_shoff - kNamesWindow : 0;
  }

  void add_tail(std::string_view bytes) {
    const std::uint64_t end = out_.size + bytes.size();
    if (end <= out_.tail_at || out_.tail.size() >= kLongestTail) return;
    const std::uint64_t skip = out_.tail_at > out_.size ? out_.tail_at - out_.size : 0;
    out_.tail += bytes.substr(skip, kLongestTail - out_.tail.size());
  }

  Elf64_Shdr section(std::uint64_t index) const {
    return record_at<Elf64_Shdr>(out_.tail,
                                 header_.e_shoff - out_.tail_at + index * sizeof(Elf64_Shdr));
  }

  void add_ranges(const LargeElfLimits& limits) {
    if (out_.size == 0) throw LargeElfError("empty file");
    out_.ranges.push_back({Range::Kind::kWhole, 0, kPage});
    out_.ranges.push_back({Range::Kind::kWhole, header_.e_phoff,
                           header_.e_phoff + std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr)});
    const Elf64_Shdr names = section(header_.e_shstrndx);
    if (names.sh_offset < out_.tail_at ||
        names.sh_offset + names.sh_size > out_.tail_at + out_.tail.size()) {
      throw LargeElfError("the names of its sections are not before the section headers");
    }
    for (std::uint64_t index = 1; index < header_.e_shnum; ++index) {
      const Elf64_Shdr header = section(index);
      if (header.sh_type == SHT_NOBITS || header.sh_offset > out_.size ||
          header.sh_size > out_.size - header.sh_offset || header.sh_name >= names.sh_size) {
        continue;
      }
      const char* name = out_.tail.data() + (names.sh_offset - out_.tail_at) + header.sh_name;
      const auto most = static_cast<std::size_t>(names.sh_size - header.sh_name);
      ElfSection known;
      known.name = std::string(name, strnlen(name, most));
      const std::uint64_t end = header.sh_offset + header.sh_size;
      if (holds_fat_binaries(known.name)) {
        out_.ranges.push_back({Range::Kind::kFatBinary, header.sh_offset, end});
      } else if (holds_data(known)) {
        out_.ranges.push_back({Range::Kind::kText, header.sh_offset, end});
      } else if (is_table(header, limits)) {
        out_.ranges.push_back({Range::Kind::kWhole, header.sh_offset, end});
      }
    }
  }

  static bool is_table(const Elf64_Shdr& header, const LargeElfLimits& limits) {
    switch (header.sh_type) {
      case SHT_DYNAMIC:
      case SHT_DYNSYM:
      case SHT_GNU_versym:
      case SHT_GNU_verdef:
      case SHT_GNU_verneed:
      case SHT_NOTE:
        return true;
      case SHT_STRTAB:
        return limits.kernel_names || (header.sh_flags & SHF_ALLOC) != 0;
      case SHT_SYMTAB:
        return limits.kernel_names;
      default:
        return false;
    }
  }

  Elf64_Ehdr header_{};
  Outline out_;
};

// Whether a page may hold what the readers look for: a library's file name, a mark of the static
// runtime, a name with one of CUDA's prefixes, or a mangled one.
bool may_name_cuda(std::string_view page, bool kernel_names) {
  if (kernel_names && find_text(page, "_Z") != std::string_view::npos) return true;
  for (const std::string_view text : {".so", "/cudart", "cudaErrorCudartUnloading"}) {
    if (find_text(page, text) != std::string_view::npos) return true;
  }
  // The first letters of all names that check knows.
  constexpr std::string_view kPrefixes[] = {"cu", "nc", "pn", "nv", "np", "__", "Nv"};
  for (std::size_t at = page.find('\0'); at != std::string_view::npos; at = page.find('\0', at)) {
    ++at;
    const std::string_view rest = page.substr(at, 8);
    if (rest.empty() || rest[0] == '\0') continue;
    for (const std::string_view prefix : kPrefixes) {
      if (rest.starts_with(prefix)) return true;
    }
  }
  return false;
}

// The second pass: what of the stream is kept.
class Keeper {
 public:
  Keeper(const Outline& outline, bool kernel_names, SparseBytes& out)
      : outline_(outline), kernel_names_(kernel_names), out_(out) {
    for (const Range& range : outline.ranges) headers_.push_back({range.begin, 0});
  }

  void read(const std::function<bool(std::vector<char>&)>& read_piece) {
    out_.keep(outline_.tail_at, outline_.tail);
    std::vector<char> piece;
    while (read_piece(piece)) {
      window_.append(piece.data(), piece.size());
      if (window_.size() >= kFront + kWindow) flush();
    }
    flush();
  }

 private:
  // Where the next header of a fat binary is expected.
  struct Headers {
    std::uint64_t next, inside;
  };
  static constexpr std::uint64_t kLongestHeader = 4096;
  static constexpr std::uint64_t kFatAlignment = 8;

  void flush() {
    const std::string_view window = window_;
    for (std::size_t index = 0; index < outline_.ranges.size(); ++index) {
      const Range& range = outline_.ranges[index];
      const std::uint64_t begin = std::max(range.begin, at_);
      const std::uint64_t end = std::min(range.end, at_ + window.size());
      if (begin >= end) continue;
      if (range.kind == Range::Kind::kFatBinary) {
        follow_headers(range, headers_[index]);
      } else if (range.kind == Range::Kind::kText) {
        keep_texts(begin, end);
      } else {
        const std::uint64_t fresh = std::max(begin, done_);
        if (fresh < end) out_.keep(fresh, window.substr(fresh - at_, end - fresh));
      }
    }
    done_ = at_ + window.size();
    const std::size_t drop =
        window_.size() > kFront ? (window_.size() - kFront) / kPage * kPage : 0;
    window_.erase(0, drop);
    at_ += drop;
  }

  // Pages that hold names, each with its neighbours: a name may lie on two.
  void keep_texts(std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t first = begin / kPage * kPage;
    for (std::uint64_t page = std::max(first, at_); page < end; page += kPage) {
      const std::uint64_t from = std::max(at_, page >= 64 ? page - 64 : 0);
      const std::uint64_t to = std::min(at_ + window_.size(), page + kPage + 64);
      const std::string_view near_page = std::string_view(window_).substr(from - at_, to - from);
      if (!may_name_cuda(near_page, kernel_names_)) continue;
      for (const std::uint64_t near : {page - kPage, page, page + kPage}) keep_page(near);
      if (page + 2 * kPage > at_ + window_.size()) wanted_ = page + kPage;
    }
    if (wanted_ != 0 && wanted_ >= at_ && wanted_ + kPage <= at_ + window_.size()) {
      keep_page(wanted_);
      wanted_ = 0;
    }
  }

  void keep_page(std::uint64_t page) {
    if (page < at_ || page >= at_ + window_.size() || page == last_kept_) return;
    last_kept_ = page;
    out_.keep(page, std::string_view(window_).substr(page - at_, kPage));
  }

  // From header to header, as read_fat_binaries() goes.
  void follow_headers(const Range& range, Headers& place) {
    const std::uint64_t have = std::min(at_ + window_.size(), range.end);
    while (place.next < have && place.next >= at_) {
      // Wait for the whole header, unless this is the end of the section.
      if (place.next + kLongestHeader > have && have < range.end) return;
      const std::string_view rest =
          std::string_view(window_).substr(place.next - at_, have - place.next);
      const FatStep step =
          fat_step(rest.substr(0, kFatHeaderSize), range.end - place.next, place.inside);
      const auto kept = std::min<std::uint64_t>({rest.size(), step.header, kLongestHeader});
      if (kept > 0) out_.keep(place.next, rest.substr(0, kept));
      place.next += step.skip;
      if (place.inside > 0) continue;
      const std::uint64_t past = (place.next - range.begin) % kFatAlignment;
      if (past != 0) place.next += kFatAlignment - past;
    }
  }

  const Outline& outline_;
  const bool kernel_names_;
  SparseBytes& out_;
  std::string window_;
  std::uint64_t at_ = 0;    // Offset of the window, a multiple of kPage.
  std::uint64_t done_ = 0;  // Tables are kept up to here.
  std::uint64_t wanted_ = 0;
  std::uint64_t last_kept_ = ~std::uint64_t{0};
  std::vector<Headers> headers_;  // One for each range.
};

}  // namespace

void read_large_elf(const std::function<bool(std::vector<char>&)>& read,
                    const std::function<bool()>& restart, const LargeElfLimits& limits,
                    const std::function<void(std::string_view)>& visit) {
  const Outline outline = OutlineReader().read(read, limits);
  if (!restart()) throw LargeElfError("cannot be read a second time");
  SparseBytes bytes(outline.size, limits.kept);
  Keeper(outline, limits.kernel_names, bytes).read(read);
  visit(bytes.view());
}

}  // namespace torchada
