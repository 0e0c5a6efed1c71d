#include "src/inspect/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace torchada {
namespace {

constexpr std::size_t kBlock = 65536;

// libarchive converts names to the thread's locale, and the C locale has only ASCII.
class Utf8Locale {
 public:
  Utf8Locale() : own_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (own_ != nullptr) before_ = uselocale(own_);
  }
  ~Utf8Locale() {
    if (own_ == nullptr) return;
    uselocale(before_);
    freelocale(own_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t own_;
  locale_t before_ = nullptr;
};

struct Closer {
  void operator()(struct archive* handle) const { archive_read_free(handle); }
};

// Reads one archive; `failure` says why it cannot go on.
class Reading {
 public:
  Reading(std::string_view bytes, const ArchiveLimits& limits)
      : bytes_(bytes), limits_(limits), handle_(archive_read_new()) {
    struct archive* handle = handle_.get();
    archive_read_support_format_zip(handle);
    archive_read_support_format_ar(handle);
    archive_read_support_format_tar(handle);
    archive_read_support_filter_gzip(handle);
    archive_read_support_filter_bzip2(handle);
    archive_read_support_filter_xz(handle);
    archive_read_support_filter_zstd(handle);
    if (archive_read_open_memory(handle, bytes.data(), bytes.size()) != ARCHIVE_OK) fail();
  }

  const std::string& failure() const { return failure_; }

  // False at the end, or on a failure.
  bool next(std::string& name) {
    if (!failure_.empty()) return false;
    const int status = archive_read_next_header(handle_.get(), &entry_);
    if (status == ARCHIVE_EOF) return false;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return fail();
    if (++members_ > limits_.members) return fail("too many members");
    const char* text = archive_entry_pathname_utf8(entry_);
    if (text == nullptr) text = archive_entry_pathname(entry_);
    name = text == nullptr ? "(a name that is not valid text)" : text;
    return within_limits();
  }

  // Current ar archives leave the type out.
  bool is_file() const {
    return archive_entry_filetype(entry_) == AE_IFREG || archive_entry_filetype(entry_) == 0;
  }

  // The member's size as the archive tells it, which may be wrong. 0 if it does not.
  std::uint64_t size() const {
    const la_int64_t out = archive_entry_size(entry_);
    return archive_entry_size_is_set(entry_) != 0 && out > 0 ? static_cast<std::uint64_t>(out) : 0;
  }

  // Appends the next bytes of the member; false at its end or on a failure.
  bool more(std::vector<char>& out) {
    const std::size_t had = out.size();
    out.resize(had + kBlock);
    const la_ssize_t got = archive_read_data(handle_.get(), out.data() + had, kBlock);
    out.resize(had + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0) return fail();
    unpacked_ += static_cast<std::uint64_t>(got);
    return within_limits() && got > 0;
  }

  // Skips a member. If the archive is compressed as a whole, the member is unpacked nevertheless.
  void skip() {
    if (archive_filter_count(handle_.get()) < 2) return;
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (within_limits()) {
      const int status = archive_read_data_block(handle_.get(), &block, &size, &offset);
      if (status == ARCHIVE_EOF) return;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
        fail();
        return;
      }
    }
  }

 private:
  bool fail(const std::string& reason = "") {
    const char* text = archive_error_string(handle_.get());
    if (!failure_.empty()) return false;
    failure_ = !reason.empty() ? reason : text == nullptr ? "damaged archive" : text;
    return false;
  }

  bool within_limits() {
    // Bytes after the filters, if there are any. In a zip each member is compressed separately.
    const auto filtered = static_cast<std::uint64_t>(archive_filter_bytes(handle_.get(), 0));
    const std::uint64_t total = filtered > unpacked_ ? filtered : unpacked_;
    if (total > limits_.total) return fail("the unpacked data are too large");
    if (total > limits_.free && total / limits_.ratio > bytes_.size()) {
      return fail("the unpacked data are more than " + std::to_string(limits_.ratio) +
                  " times as large as the archive");
    }
    return true;
  }

  std::string_view bytes_;
  const ArchiveLimits& limits_;
  std::unique_ptr<struct archive, Closer> handle_;
  struct archive_entry* entry_ = nullptr;
  std::uint64_t members_ = 0;
  std::uint64_t unpacked_ = 0;
  std::string failure_;
};

}  // namespace

bool is_archive(std::string_view name, std::string_view bytes) {
  using namespace std::literals;
  if (bytes.starts_with("PK\3\4"sv) || bytes.starts_with("PK\5\6"sv)) return true;
  if (bytes.starts_with("!<arch>\n"sv)) return true;
  constexpr std::size_t kTarMagic = 257;
  if (bytes.size() > 512 && bytes.substr(kTarMagic, 5) == "ustar"sv) return true;
  const bool compressed = bytes.starts_with("\x1f\x8b"sv) || bytes.starts_with("BZh"sv) ||
                          bytes.starts_with(
                              "\xfd"
                              "7zXZ\0"sv) ||
                          bytes.starts_with("\x28\xb5\x2f\xfd"sv);
  const std::string_view base = name.substr(name.rfind('/') + 1);
  return compressed && (base.find(".tar.") != std::string_view::npos || base.ends_with(".tgz"));
}

namespace {

class LargeMember : public MemberStream {
 public:
  // `begin` are the bytes that were read already, `number` counts the archive's headers.
  LargeMember(std::string_view bytes, const ArchiveLimits& limits, Reading& reading,
              const std::vector<char>& begin, std::uint64_t number)
      : bytes_(bytes), limits_(limits), reading_(&reading), begin_(begin), number_(number) {}

  bool read(std::vector<char>& piece) override {
    if (begins_) {
      begins_ = false;
      piece = begin_;
      return true;
    }
    piece.clear();
    return reading_->more(piece);
  }

  bool restart() override {
    again_ = std::make_unique<Reading>(bytes_, limits_);
    reading_ = again_.get();
    begins_ = false;
    std::string name;
    for (std::uint64_t at = 0; at < number_; ++at) {
      if (!reading_->next(name)) return false;
    }
    return true;
  }

 private:
  std::string_view bytes_;
  const ArchiveLimits& limits_;
  Reading* reading_;
  std::unique_ptr<Reading> again_;
  const std::vector<char>& begin_;
  std::uint64_t number_;
  bool begins_ = true;
};

}  // namespace

std::string read_archive(std::string_view bytes, const ArchiveLimits& limits,
                         const ArchiveVisitor& visitor) {
  const Utf8Locale locale;
  Reading reading(bytes, limits);
  std::string name;
  std::vector<char> data;
  for (std::uint64_t number = 1; reading.next(name); ++number) {
    if (!reading.is_file()) continue;
    data.clear();
    bool more = reading.more(data);
    if (!reading.failure().empty()) break;
    if (!visitor.wants(name, {data.data(), data.size()})) {
      if (more) reading.skip();
      continue;
    }
    data.reserve(static_cast<std::size_t>(std::min(reading.size(), limits.whole) + kBlock));
    while (more && data.size() <= limits.whole) more = reading.more(data);
    if (!reading.failure().empty()) break;
    if (data.size() <= limits.whole) {
      visitor.visit(name, {data.data(), data.size()});
      continue;
    }
    LargeMember large(bytes, limits, reading, data, number);
    visitor.visit_large(name, large);
    if (!reading.failure().empty()) break;
  }
  return reading.failure();
}

}  // namespace torchada
