#include "stubs/loading/visible_devices.h"

#include <string.h>

#include "src/shared/named_devices.h"
#include "stubs/reporting/log.h"
#include "stubs/system/loader.h"

namespace torchada {
namespace {

constexpr char kOneForm[] = "a list has either UUIDs or numbers; use one form";

bool names_device(const char* text) { return begins_with(text, kDevicePrefix); }

// False for a text with other characters than digits and hyphens, or with too many digits.
bool read_uuid(const char* text, size_t length, Uuid* uuid) {
  uuid->count = 0;
  for (size_t i = 0; i < length; ++i) {
    char digit = text[i];
    if (digit == '-') continue;
    if (digit >= 'A' && digit <= 'F') digit = static_cast<char>(digit - 'A' + 'a');
    const bool is_digit = (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    if (!is_digit || uuid->count == Uuid::kDigits) return false;
    uuid->digits[uuid->count++] = digit;
  }
  return true;
}

// The devices in MTML's order, or why they are not known.
struct Devices {
  unsigned count = 0;
  const char* file = nullptr;      // MTML, once it is open.
  const char* function = nullptr;  // Of MTML: the one that is missing or failed.
  int status = 0;                  // What it returned, 0 if it is missing.
};

// The functions of MTML. Without NVML's library, no table has them.
class Mtml {
 public:
  Mtml(void* handle, Devices* devices) : handle_(handle), devices_(devices) {}

  // False, and the reason is noted, if MTML lacks the function or it fails.
  template <typename... Arguments>
  bool call(const char* function, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    const auto address = reinterpret_cast<Function>(find_symbol(handle_, function));
    const int status = address ? address(arguments...) : 0;
    if (address && status == 0) return true;
    devices_->function = function;
    devices_->status = status;
    return false;
  }

 private:
  void* handle_;
  Devices* devices_;
};

bool ask_each(Mtml* mtml, const void* library, Uuid* uuids, unsigned* count) {
  unsigned told = 0;
  if (!mtml->call("mtmlLibraryCountDevice", library, &told)) return false;
  if (told > VisibleDevices::kMost) told = VisibleDevices::kMost;
  for (unsigned i = 0; i < told; ++i) {
    void* device = nullptr;
    char text[128] = {};  // Longer than any text of MTML's.
    constexpr auto kRoom = static_cast<unsigned>(sizeof text) - 1;
    if (!mtml->call("mtmlLibraryInitDeviceByIndex", library, i, &device)) return false;
    if (!mtml->call("mtmlDeviceGetUUID", static_cast<const void*>(device), &text[0], kRoom)) {
      return false;
    }
    const char* const own = names_device(text) ? text + kPrefixLength : text;
    if (!read_uuid(own, strlen(own), &uuids[i])) uuids[i].count = 0;
  }
  *count = told;
  return true;
}

// The UUIDs are those of MTML's devices, in its order. Nothing of MUSA is called.
TORCHADA_APART Devices ask_devices(const Backend& backend, Uuid* uuids) {
  Devices out;
  void* const handle = open_sibling(&backend, BackendLibrary::kMtml);
  if (!handle) return out;
  out.file = path_of(handle);
  Mtml mtml(handle, &out);
  void* library = nullptr;
  if (!mtml.call("mtmlLibraryInit", &library)) return out;
  if (!ask_each(&mtml, library, uuids, &out.count)) out.count = 0;
  // It frees the devices too. Its own failure changes nothing.
  Devices ignored;
  Mtml(handle, &ignored).call("mtmlLibraryShutDown", library);
  return out;
}

enum class Match { kNone, kOne, kMore };

// An entry is a UUID or the beginning of one.
Match match(const Uuid& entry, const Uuid* uuids, unsigned count, unsigned* device) {
  Match out = Match::kNone;
  for (unsigned i = 0; i < count; ++i) {
    if (entry.count > uuids[i].count) continue;
    if (memcmp(entry.digits, uuids[i].digits, entry.count) != 0) continue;
    if (out == Match::kOne) return Match::kMore;
    out = Match::kOne;
    *device = i;
  }
  return out;
}

void say_unknown(const Devices& devices, Line* why) {
  if (!devices.file) {
    *why << "the library of the MUSA driver that knows UUIDs, libmtml, cannot be opened";
  } else {
    *why << devices.function << " of " << devices.file;
    if (devices.status != 0) {
      *why << " returned " << devices.status;
    } else {
      *why << " is missing";
    }
  }
  *why << "; list device numbers, such as 0,1";
}

// Why the entry names no device, or null. Sets `device` if it does.
const char* find_device(const char* entry, size_t length, const Uuid* uuids, unsigned count,
                        unsigned* device) {
  if (*entry == ' ') return "a blank is before it; write the list without blanks";
  if (begins_with(entry, kPartPrefix))
    return "MUSA's devices have no MIG parts; name whole devices";
  if (!names_device(entry)) return kOneForm;
  Uuid wanted;
  if (!read_uuid(entry + kPrefixLength, length - kPrefixLength, &wanted)) return "it is no UUID";
  const Match found = match(wanted, uuids, count, device);
  if (found == Match::kNone) return "no device has a UUID that begins so";
  return found == Match::kMore ? "more than one device has a UUID that begins so" : nullptr;
}

void name_entry(const char* variable, const char* entry, Line* why) {
  constexpr size_t kMost = 100;
  const size_t length = strcspn(entry, ",");
  *why << variable << ": \"";
  why->append(entry, length < kMost ? length : kMost);
  *why << "\"";
}

void hide(const char* variable, const char* entry, Line* why) {
  name_entry(variable, entry, why);
  *why << " and what follows is hidden: ";
}

// Adds the entry's device, or says why it is not shown. Returns whether the list goes on.
bool add(const char* variable, const char* entry, size_t length, const Devices& devices,
         VisibleDevices* out) {
  unsigned device = 0;
  const bool is_unknown = names_device(entry) && (!devices.file || devices.function);
  const char* const problem =
      is_unknown ? nullptr : find_device(entry, length, out->uuids, devices.count, &device);
  if (problem || is_unknown) {
    hide(variable, entry, &out->why);
    if (problem) {
      out->why << problem;
    } else {
      say_unknown(devices, &out->why);
    }
    return false;
  }
  if (out->is_named[device]) {
    out->numbers.clear();
    name_entry(variable, entry, &out->why);
    out->why << " names a device for the second time, so every device is hidden; name each once";
    return false;
  }
  out->is_named[device] = true;
  if (out->numbers.size() != 0) out->numbers << ",";
  out->numbers << int64_t{device};
  return true;
}

}  // namespace

void number_devices(const Backend& backend, const char* variable, const char* value,
                    VisibleDevices* out) {
  if (begins_with_number(value)) {
    const char* const name = first_named_device(value);
    out->numbers.append(value, static_cast<size_t>(name - value) - 1);
    hide(variable, name, &out->why);
    out->why << kOneForm;
    return;
  }
  Devices devices;
  if (names_device(value)) devices = ask_devices(backend, out->uuids);
  for (const char* entry = value;; ++entry) {
    const size_t length = strcspn(entry, ",");
    if (!add(variable, entry, length, devices, out)) return;
    entry += length;
    if (!*entry) return;
  }
}

}  // namespace torchada
