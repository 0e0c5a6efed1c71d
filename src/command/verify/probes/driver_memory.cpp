// Memory of libmusa: allocation, copies, fills, arrays, objects on them, facts of addresses.
#include <sys/mman.h>

#include "src/command/verify/probes/driver.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t kBytes = 4096;

// ---- allocation and copies

void probe_memory(Probing& p) {
  Driver driver(p);
  const std::string free_name = newest(p, "muMemFree_v2");
  const std::string range = newest(p, "muMemGetAddressRange_v2");
  const std::string device_copy = newest(p, "muMemcpyDtoD_v2");
  const Bytes bytes = counted_bytes(kBytes);
  const std::uint64_t a = driver.upload(bytes);
  const std::uint64_t b = driver.allocate(kBytes);
  p.expect(driver.read(a, kBytes) == bytes,
           {driver.allocate_name, driver.to_device_name, driver.to_host_name, "muCtxSynchronize"},
           "the bytes that were copied in", "different values");
  p.good(device_copy, {{"dstDevice", b}, {"srcDevice", a}, {"ByteCount", kBytes}});
  p.expect(driver.read(b, kBytes) == bytes, {device_copy}, "the bytes that were copied in",
           "different values");
  p.attempt([&] {
    OutBuffer base;
    OutBuffer size;
    p.good(range, {{"pbase", &base}, {"psize", &size}, {"dptr", a + 100}});
    p.expect(base.get<std::uint64_t>() == a && size.get<std::uint64_t>() >= kBytes, {range},
             "the allocation around the address", "another one");
  });
  p.attempt([&] {
    const Bytes other = counted_bytes(kBytes, 7);
    driver.write(a, other);
    p.good("muMemcpy", {{"dst", b}, {"src", a}, {"ByteCount", kBytes / 2}});
    const Bytes now = driver.read(b, kBytes);
    p.expect(std::equal(now.begin(), now.begin() + kBytes / 2, other.begin()) &&
                 std::equal(now.begin() + kBytes / 2, now.end(), bytes.begin() + kBytes / 2),
             {"muMemcpy"}, "the first half copied", "different values");
  });
  p.good(free_name, {{"dptr", a}});
  p.good(free_name, {{"dptr", b}});
  p.expect(true, {free_name}, "", "memory was freed");
}

void probe_info(Probing& p) {
  Driver driver(p);
  const std::string info = newest(p, "muMemGetInfo_v2");
  OutBuffer available;
  OutBuffer total;
  p.good(info, {{"free", &available}, {"total", &total}});
  const auto left = available.get<std::uint64_t>();
  const auto all = total.get<std::uint64_t>();
  p.expect(left > 0 && left <= all, {info}, "free memory of all memory",
           std::to_string(left) + " of " + std::to_string(all));
}

void probe_async(Probing& p) {
  Driver driver(p);
  const std::string in = newest(p, "muMemcpyHtoDAsync_v2");
  const std::string out = newest(p, "muMemcpyDtoHAsync_v2");
  const std::string across = newest(p, "muMemcpyDtoDAsync_v2");
  void* const stream = driver.stream();
  const Bytes bytes = counted_bytes(kBytes, 3);
  const std::uint64_t a = driver.upload(counted_bytes(kBytes, 90));
  const std::uint64_t b = driver.upload(counted_bytes(kBytes, 90));
  Bytes back(kBytes);
  p.good(in,
         {{"dstDevice", a}, {"srcHost", bytes.data()}, {"ByteCount", kBytes}, {"hStream", stream}});
  p.good(across, {{"dstDevice", b}, {"srcDevice", a}, {"ByteCount", kBytes}, {"hStream", stream}});
  p.good(out,
         {{"dstHost", back.data()}, {"srcDevice", b}, {"ByteCount", kBytes}, {"hStream", stream}});
  p.good("muStreamSynchronize", {{"hStream", stream}});
  p.expect(back == bytes, {in, across, out, "muStreamSynchronize"}, "the bytes that were copied in",
           "different values");
  p.attempt([&] {
    p.good("muMemcpyAsync", {{"dst", a}, {"src", b + 64}, {"ByteCount", 64}, {"hStream", stream}});
    p.good("muStreamSynchronize", {{"hStream", stream}});
    const Bytes now = driver.read(a, 64);
    p.expect(std::equal(now.begin(), now.end(), bytes.begin() + 64), {"muMemcpyAsync"},
             "the bytes that were copied", "different values");
  });
}

// The widths of the values, and the order of value and count, show in the bytes.
template <typename Element>
void probe_fill(Probing& p, const std::string& now, const std::string& later, const char* parameter,
                Element value) {
  Driver driver(p);
  void* const stream = driver.stream();
  constexpr std::size_t kCount = 21;
  const auto holds = [&](std::uint64_t place) {
    Bytes expected(kCount * sizeof(Element));
    for (std::size_t i = 0; i < kCount; ++i) {
      std::memcpy(&expected[i * sizeof(Element)], &value, sizeof value);
    }
    const Bytes rest = counted_bytes(kBytes);
    expected.insert(expected.end(), rest.begin() + static_cast<std::ptrdiff_t>(expected.size()),
                    rest.end());
    return driver.read(place, kBytes) == expected;
  };
  const char* const wanted = "the elements filled, and no others";
  p.attempt([&] {
    const std::uint64_t place = driver.upload(counted_bytes(kBytes));
    p.good(now, {{"dstDevice", place}, {parameter, value}, {"N", kCount}});
    p.expect(holds(place), {now}, wanted, "different values");
  });
  p.attempt([&] {
    const std::uint64_t place = driver.upload(counted_bytes(kBytes));
    p.good(later, {{"dstDevice", place}, {parameter, value}, {"N", kCount}, {"hStream", stream}});
    p.good("muStreamSynchronize", {{"hStream", stream}});
    p.expect(holds(place), {later}, wanted, "different values");
  });
}

void probe_fills(Probing& p) {
  probe_fill<std::uint8_t>(p, newest(p, "muMemsetD8_v2"), "muMemsetD8Async", "uc", 0x5A);
  probe_fill<std::uint16_t>(p, newest(p, "muMemsetD16_v2"), "muMemsetD16Async", "us", 0x5A07);
  probe_fill<std::uint32_t>(p, newest(p, "muMemsetD32_v2"), "muMemsetD32Async", "ui", 0x5A07C319);
}

template <typename Element>
void probe_fill_2d(Probing& p, const std::string& now, const std::string& later,
                   const char* parameter, Element value) {
  Driver driver(p);
  void* const stream = driver.stream();
  constexpr std::size_t kPitch = 64;
  constexpr std::size_t kWidth = 5;
  constexpr std::size_t kHeight = 3;
  Bytes expected = counted_bytes(kPitch * 8);
  for (std::size_t row = 0; row < kHeight; ++row) {
    for (std::size_t i = 0; i < kWidth; ++i) {
      std::memcpy(&expected[row * kPitch + i * sizeof value], &value, sizeof value);
    }
  }
  const auto fill = [&](const std::string& function, bool with_stream) {
    const std::uint64_t place = driver.upload(counted_bytes(expected.size()));
    Arguments arguments = {{"dstDevice", place},
                           {"dstPitch", kPitch},
                           {parameter, value},
                           {"Width", kWidth},
                           {"Height", kHeight}};
    if (with_stream) arguments.push_back({"hStream", stream});
    p.good(function, arguments);
    if (with_stream) p.good("muStreamSynchronize", {{"hStream", stream}});
    p.expect(driver.read(place, expected.size()) == expected, {function},
             "three rows of five elements filled", "different values");
  };
  p.attempt([&] { fill(now, false); });
  p.attempt([&] { fill(later, true); });
}

void probe_fills_2d(Probing& p) {
  probe_fill_2d<std::uint8_t>(p, "muMemsetD2D8_v2", "muMemsetD2D8Async", "uc", 0x5A);
  probe_fill_2d<std::uint16_t>(p, "muMemsetD2D16_v2", "muMemsetD2D16Async", "us", 0x5A07);
  probe_fill_2d<std::uint32_t>(p, "muMemsetD2D32_v2", "muMemsetD2D32Async", "ui", 0x5A07C319);
}

// A copying function, and the stream that it takes. Null: it takes none.
struct Copying {
  std::string function;
  void* stream;
};

// Copies as `record` says, and compares what is then at `place`.
void copy_and_compare(Probing& p, Driver& driver, const Copying& copying, Record* record,
                      std::uint64_t place, const Bytes& expected, const std::string& success) {
  Arguments arguments = {{"pCopy", record->data()}};
  if (copying.stream != nullptr) arguments.push_back({"hStream", copying.stream});
  p.good(copying.function, arguments);
  if (copying.stream != nullptr) p.good("muStreamSynchronize", {{"hStream", copying.stream}});
  const bool holds = driver.read(place, expected.size()) == expected;
  record->decide(holds, success, "different values");
  p.expect(holds, {copying.function}, success, "different values");
}

// Three rows of ten bytes, from the second byte of the second row to the third byte of the first.
void probe_copies_2d(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  constexpr std::size_t kFrom = 48;
  constexpr std::size_t kTo = 32;
  const Bytes bytes = counted_bytes(kFrom * 5);
  Bytes expected(kTo * 4, 0);
  for (std::size_t row = 0; row < 3; ++row) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>((row + 1) * kFrom + 1), 10,
                expected.begin() + static_cast<std::ptrdiff_t>(row * kTo + 2));
  }
  const auto copy = [&](const Copying& copying) {
    const std::uint64_t place = driver.upload(Bytes(expected.size(), 0));
    Record record(p, "MUSA_MEMCPY2D");
    record.set("srcXInBytes", 1)
        .set("srcY", 1)
        .set("srcMemoryType", p.value("MUmemorytype", "MU_MEMORYTYPE_HOST"))
        .set("srcHost", bytes.data())
        .set("srcPitch", kFrom)
        .set("dstXInBytes", 2)
        .set("dstMemoryType", p.value("MUmemorytype", "MU_MEMORYTYPE_DEVICE"))
        .set("dstDevice", place)
        .set("dstPitch", kTo)
        .set("WidthInBytes", 10)
        .set("Height", 3);
    copy_and_compare(p, driver, copying, &record, place, expected,
                     "three rows of ten bytes copied");
  };
  p.attempt([&] { copy({newest(p, "muMemcpy2D_v2"), nullptr}); });
  p.attempt([&] { copy({newest(p, "muMemcpy2DAsync_v2"), stream}); });
}

void probe_copies_3d(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  constexpr std::size_t kPitch = 16;
  constexpr std::size_t kRows = 4;
  const Bytes bytes = counted_bytes(kPitch * kRows * 3);
  Bytes expected(bytes.size(), 0);
  for (std::size_t plane = 0; plane < 2; ++plane) {
    for (std::size_t row = 0; row < 2; ++row) {
      std::copy_n(
          bytes.begin() + static_cast<std::ptrdiff_t>(((plane + 1) * kRows + row + 1) * kPitch + 3),
          6, expected.begin() + static_cast<std::ptrdiff_t>((plane * kRows + row) * kPitch));
    }
  }
  const auto copy = [&](const Copying& copying) {
    const std::uint64_t place = driver.upload(Bytes(expected.size(), 0));
    Record record(p, "MUSA_MEMCPY3D");
    record.set("srcXInBytes", 3)
        .set("srcY", 1)
        .set("srcZ", 1)
        .set("srcMemoryType", p.value("MUmemorytype", "MU_MEMORYTYPE_HOST"))
        .set("srcHost", bytes.data())
        .set("srcPitch", kPitch)
        .set("srcHeight", kRows)
        .set("dstMemoryType", p.value("MUmemorytype", "MU_MEMORYTYPE_DEVICE"))
        .set("dstDevice", place)
        .set("dstPitch", kPitch)
        .set("dstHeight", kRows)
        .set("WidthInBytes", 6)
        .set("Height", 2)
        .set("Depth", 2);
    copy_and_compare(p, driver, copying, &record, place, expected,
                     "a box of 6 by 2 by 2 bytes copied");
  };
  p.attempt([&] { copy({newest(p, "muMemcpy3D_v2"), nullptr}); });
  p.attempt([&] { copy({newest(p, "muMemcpy3DAsync_v2"), stream}); });
}

void probe_pitch(Probing& p) {
  Driver driver(p);
  const std::string function = newest(p, "muMemAllocPitch_v2");
  OutBuffer place;
  OutBuffer pitch;
  p.good(function, {{"dptr", &place},
                    {"pPitch", &pitch},
                    {"WidthInBytes", 200},
                    {"Height", 5},
                    {"ElementSizeBytes", 4}});
  const auto row = pitch.get<std::uint64_t>();
  const Bytes bytes = counted_bytes(kBytes);
  p.expect(row >= 200 && row < 1 << 16, {function}, "a pitch of at least the width",
           std::to_string(row));
  driver.write(place.get<std::uint64_t>() + 4 * row, Bytes(bytes.begin(), bytes.begin() + 200));
}

// Between two contexts of one device, which every machine has.
void probe_peers(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  const std::string create = newest(p, "muCtxCreate_v2");
  OutBuffer other;
  p.good(create, {{"pctx", &other}, {"flags", 0}, {"dev", 0}});
  const std::uint64_t to = driver.upload(Bytes(kBytes, 0));
  p.good("muCtxSetCurrent", {{"ctx", driver.context()}});
  const Bytes bytes = counted_bytes(kBytes);
  const std::uint64_t from = driver.upload(bytes);
  const auto copies = [&](const std::string& function, bool with_stream) {
    p.attempt([&] {
      driver.write(to, Bytes(kBytes, 0));
      Arguments arguments = {{"dstDevice", to},
                             {"dstContext", other.pointer()},
                             {"srcDevice", from},
                             {"srcContext", driver.context()},
                             {"ByteCount", kBytes / 2}};
      if (with_stream) arguments.push_back({"hStream", stream});
      p.good(function, arguments);
      if (with_stream) p.good("muStreamSynchronize", {{"hStream", stream}});
      Bytes expected(kBytes, 0);
      std::copy_n(bytes.begin(), kBytes / 2, expected.begin());
      p.expect(driver.read(to, kBytes) == expected, {function}, "the first half copied",
               "different values");
    });
  };
  copies("muMemcpyPeer", false);
  copies("muMemcpyPeerAsync", true);
  p.attempt([&] {
    OutBuffer reach;
    p.good("muDeviceCanAccessPeer", {{"canAccessPeer", &reach}, {"dev", 0}, {"peerDev", 0}});
    p.expect(reach.integer() == 0 || reach.integer() == 1, {"muDeviceCanAccessPeer"}, "0 or 1",
             std::to_string(reach.integer()));
  });
}

// ---- the host's memory

void probe_host_memory(Probing& p) {
  Driver driver(p);
  const std::string allocate = newest(p, "muMemAllocHost_v2");
  const auto device_address = [&](void* memory) {
    OutBuffer address;
    p.good("muMemHostGetDevicePointer_v2", {{"pdptr", &address}, {"p", memory}, {"Flags", 0}});
    return address.get<std::uint64_t>();
  };
  const Bytes bytes = counted_bytes(kBytes);
  const auto is_seen = [&](void* memory) {
    std::memcpy(memory, bytes.data(), kBytes);
    return driver.read(device_address(memory), kBytes) == bytes;
  };
  p.attempt([&] {
    OutBuffer memory;
    p.good(allocate, {{"pp", &memory}, {"bytesize", kBytes}});
    p.expect(is_seen(memory.pointer()), {allocate, "muMemHostGetDevicePointer_v2"},
             "memory that the device sees", "different values");
    p.good("muMemFreeHost", {{"p", memory.pointer()}});
    p.expect(true, {"muMemFreeHost"}, "", "freed");
  });
  p.attempt([&] {
    // CU_MEMHOSTALLOC_WRITECOMBINED is 4; the tables have no type with these flags.
    constexpr int kWriteCombined = 4;
    OutBuffer memory;
    p.good("muMemHostAlloc", {{"pp", &memory}, {"bytesize", kBytes}, {"Flags", kWriteCombined}});
    OutBuffer flags;
    p.good("muMemHostGetFlags", {{"pFlags", &flags}, {"p", memory.pointer()}});
    p.expect((flags.integer() & kWriteCombined) != 0 && is_seen(memory.pointer()),
             {"muMemHostAlloc", "muMemHostGetFlags"}, "the flags that were set",
             std::to_string(flags.integer()));
  });
  p.attempt([&] {
    const std::string enter = newest(p, "muMemHostRegister_v2");
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p.good(enter, {{"p", memory}, {"bytesize", kBytes}, {"Flags", 0}});
    p.expect(is_seen(memory), {enter}, "memory that the device sees", "different values");
    p.good("muMemHostUnregister", {{"p", memory}});
    p.expect(true, {"muMemHostUnregister"}, "", "done");
  });
}

// ---- what is known of an address

// One attribute, as many bytes as it has.
template <typename Value>
Value pointer_attribute(Probing& p, const char* name, std::uint64_t address) {
  OutBuffer buffer;
  p.good(
      "muPointerGetAttribute",
      {{"data", &buffer}, {"attribute", p.value("MUpointer_attribute", name)}, {"ptr", address}});
  p.forget();
  return buffer.get<Value>();
}

template <typename Value>
void decide_attribute(Probing& p, const std::string& name, std::uint64_t address, Value expected) {
  p.attempt([&] {
    const std::string full = "MU_POINTER_ATTRIBUTE_" + name;
    const auto found = pointer_attribute<Value>(p, full.c_str(), address);
    p.expect_value(found == expected, "MUpointer_attribute", full, std::to_string(expected),
                   std::to_string(found));
  });
}

void probe_pointers(Probing& p) {
  Driver driver(p);
  constexpr std::size_t kSize = 3 << 20;
  constexpr std::uint64_t kInside = 4096;
  const std::uint64_t base = driver.allocate(kSize);
  const std::uint64_t inside = base + kInside;
  decide_attribute<std::uint64_t>(p, "RANGE_START_ADDR", inside, base);
  decide_attribute<std::uint64_t>(p, "RANGE_SIZE", inside, kSize);
  decide_attribute<std::uint64_t>(p, "DEVICE_POINTER", inside, inside);
  decide_attribute<std::uint64_t>(p, "CONTEXT", inside,
                                  reinterpret_cast<std::uintptr_t>(driver.context()));
  p.attempt([&] {
    OutBuffer memory;
    p.good("muMemHostAlloc", {{"pp", &memory}, {"bytesize", kBytes}, {"Flags", 0}});
    const auto host = reinterpret_cast<std::uintptr_t>(memory.pointer());
    decide_attribute<std::uint64_t>(p, "HOST_POINTER", host, host);
    const int on_device = pointer_attribute<int>(p, "MU_POINTER_ATTRIBUTE_MEMORY_TYPE", inside);
    const int on_host = pointer_attribute<int>(p, "MU_POINTER_ATTRIBUTE_MEMORY_TYPE", host);
    const std::string found = std::to_string(on_device) + " and " + std::to_string(on_host);
    for (const auto& [name, number] :
         {std::pair("MU_MEMORYTYPE_DEVICE", on_device), std::pair("MU_MEMORYTYPE_HOST", on_host)}) {
      const Fact* fact = p.facts().value("MUmemorytype", name);
      if (fact) p.decide(fact->id, number == fact->value, fact->claim, std::to_string(number));
    }
    p.expect_value(on_device != on_host && on_device > 0 && on_host > 0, "MUpointer_attribute",
                   "MU_POINTER_ATTRIBUTE_MEMORY_TYPE", "two types", found);
  });
  p.attempt([&] {
    // Yes after it is set, and no before.
    const int attribute = p.value("MUpointer_attribute", "MU_POINTER_ATTRIBUTE_SYNC_MEMOPS");
    const auto before =
        pointer_attribute<std::uint8_t>(p, "MU_POINTER_ATTRIBUTE_SYNC_MEMOPS", base);
    const std::uint32_t yes = 1;
    p.good("muPointerSetAttribute", {{"value", &yes}, {"attribute", attribute}, {"ptr", base}});
    const auto after = pointer_attribute<std::uint8_t>(p, "MU_POINTER_ATTRIBUTE_SYNC_MEMOPS", base);
    const bool holds = before == 0 && after == 1;
    p.expect_value(holds, "MUpointer_attribute", "MU_POINTER_ATTRIBUTE_SYNC_MEMOPS", "0, then 1",
                   std::to_string(before) + ", then " + std::to_string(after));
    p.expect(holds, {"muPointerSetAttribute"}, "0, then 1",
             std::to_string(before) + ", then " + std::to_string(after));
  });
  p.attempt([&] {
    const int asked[] = {p.value("MUpointer_attribute", "MU_POINTER_ATTRIBUTE_RANGE_SIZE"),
                         p.value("MUpointer_attribute", "MU_POINTER_ATTRIBUTE_DEVICE_POINTER")};
    std::uint64_t size = 0;
    std::uint64_t address = 0;
    void* places[] = {&size, &address};
    p.good("muPointerGetAttributes", {{"numAttributes", 2},
                                      {"attributes", static_cast<const void*>(asked)},
                                      {"data", static_cast<const void*>(places)},
                                      {"ptr", inside}});
    p.expect(size == kSize && address == inside, {"muPointerGetAttributes"},
             "the same as one by one", std::to_string(size) + " and " + std::to_string(address));
  });
  p.expect(true, {"muPointerGetAttribute"}, "", "answered");
}

void probe_managed(Probing& p) {
  Driver driver(p);
  OutBuffer memory;
  const int attached = p.value("MUmemAttach_flags_enum", "MU_MEM_ATTACH_GLOBAL");
  p.good("muMemAllocManaged", {{"dptr", &memory}, {"bytesize", kBytes}, {"flags", attached}});
  const auto address = memory.get<std::uint64_t>();
  const Bytes bytes = counted_bytes(kBytes);
  std::memcpy(memory.pointer(), bytes.data(), kBytes);
  p.expect(driver.read(address, kBytes) == bytes, {"muMemAllocManaged"},
           "memory that the host and the device see", "different values");
  p.attempt([&] {
    const auto managed =
        pointer_attribute<std::uint8_t>(p, "MU_POINTER_ATTRIBUTE_IS_MANAGED", address);
    const auto other = pointer_attribute<std::uint8_t>(p, "MU_POINTER_ATTRIBUTE_IS_MANAGED",
                                                       driver.allocate(kBytes));
    p.expect_value(managed == 1 && other == 0, "MUpointer_attribute",
                   "MU_POINTER_ATTRIBUTE_IS_MANAGED", "1, and 0 for other memory",
                   std::to_string(managed) + " and " + std::to_string(other));
  });
  const auto told = [&](const char* attribute) {
    OutBuffer value;
    p.good("muMemRangeGetAttribute", {{"data", &value},
                                      {"dataSize", 4},
                                      {"attribute", p.value("MUmem_range_attribute", attribute)},
                                      {"devPtr", address},
                                      {"count", kBytes}});
    p.forget();
    return value.get<std::int32_t>();
  };
  const auto advise = [&](const char* advice) {
    p.good("muMemAdvise", {{"devPtr", address},
                           {"count", kBytes},
                           {"advice", p.value("MUmem_advise", advice)},
                           {"device", 0}});
    p.forget();
  };
  // Each pair of advice and answer shows both numbers.
  const auto follows = [&](const char* set, const char* unset, const char* attribute,
                           int when_set) {
    p.attempt([&] {
      const int before = told(attribute);
      advise(set);
      const int during = told(attribute);
      advise(unset);
      const int after = told(attribute);
      const std::string found =
          std::to_string(before) + ", " + std::to_string(during) + ", " + std::to_string(after);
      const bool holds = before != when_set && during == when_set && after == before;
      const std::string expected = "only in between " + std::to_string(when_set);
      p.expect_value(holds, "MUmem_advise", set, expected, found);
      p.expect_value(holds, "MUmem_advise", unset, expected, found);
      p.expect_value(holds, "MUmem_range_attribute", attribute, expected, found);
      p.expect(holds, {"muMemAdvise", "muMemRangeGetAttribute"}, expected, found);
    });
  };
  follows("MU_MEM_ADVISE_SET_READ_MOSTLY", "MU_MEM_ADVISE_UNSET_READ_MOSTLY",
          "MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY", 1);
  follows("MU_MEM_ADVISE_SET_PREFERRED_LOCATION", "MU_MEM_ADVISE_UNSET_PREFERRED_LOCATION",
          "MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION", 0);
}

// ---- arrays

void probe_arrays(Probing& p) {
  Driver driver(p);
  const auto format = p.value("MUarray_format", "MU_AD_FORMAT_UNSIGNED_INT8");
  OutBuffer array;
  p.attempt([&] {
    Record wanted(p, "MUSA_ARRAY_DESCRIPTOR");
    wanted.set("Width", 300).set("Height", 0).set("Format", format).set("NumChannels", 2);
    p.good("muArrayCreate_v2", {{"pHandle", &array}, {"pAllocateArray", wanted.data()}});
    Record told(p, "MUSA_ARRAY_DESCRIPTOR");
    p.good("muArrayGetDescriptor_v2",
           {{"pArrayDescriptor", told.filled()}, {"hArray", array.pointer()}});
    const bool holds = told.get("Width") == 300 && told.get("Height") == 0 &&
                       told.get("Format") == format && told.get("NumChannels") == 2;
    told.decide(holds, "what the array was made with", "different values");
    p.expect(holds, {"muArrayCreate_v2", "muArrayGetDescriptor_v2"}, "what the array was made with",
             "different values");
    const Bytes bytes = counted_bytes(200);
    Bytes back(180);
    p.good("muMemcpyHtoA_v2", {{"dstArray", array.pointer()},
                               {"dstOffset", 40},
                               {"srcHost", bytes.data()},
                               {"ByteCount", bytes.size()}});
    p.good("muMemcpyAtoH_v2", {{"dstHost", back.data()},
                               {"srcArray", array.pointer()},
                               {"srcOffset", 60},
                               {"ByteCount", back.size()}});
    p.expect(std::equal(back.begin(), back.end(), bytes.begin() + 20),
             {"muMemcpyHtoA_v2", "muMemcpyAtoH_v2"}, "the bytes that were copied in",
             "different values");
    p.good("muArrayDestroy", {{"hArray", array.pointer()}});
    p.expect(true, {"muArrayDestroy"}, "", "destroyed");
  });
  p.attempt([&] {
    const std::string create = newest(p, "muArray3DCreate_v2");
    Record wanted(p, "MUSA_ARRAY3D_DESCRIPTOR");
    wanted.set("Width", 30).set("Height", 20).set("Depth", 10).set("Format", format);
    wanted.set("NumChannels", 4);
    p.good(create, {{"pHandle", &array}, {"pAllocateArray", wanted.data()}});
    Record told(p, "MUSA_ARRAY3D_DESCRIPTOR");
    p.good("muArray3DGetDescriptor_v2",
           {{"pArrayDescriptor", told.filled()}, {"hArray", array.pointer()}});
    const bool holds = told.get("Width") == 30 && told.get("Height") == 20 &&
                       told.get("Depth") == 10 && told.get("Format") == format &&
                       told.get("NumChannels") == 4;
    told.decide(holds, "what the array was made with", "different values");
    p.expect(holds, {create, "muArray3DGetDescriptor_v2"}, "what the array was made with",
             "different values");
  });
}

void probe_mipmaps(Probing& p) {
  const Driver driver(p);
  Record wanted(p, "MUSA_ARRAY3D_DESCRIPTOR");
  wanted.set("Width", 64).set("Height", 32);
  wanted.set("Format", p.value("MUarray_format", "MU_AD_FORMAT_UNSIGNED_INT8"));
  wanted.set("NumChannels", 1);
  OutBuffer array;
  p.good("muMipmappedArrayCreate",
         {{"pHandle", &array}, {"pMipmappedArrayDesc", wanted.data()}, {"numMipmapLevels", 3}});
  OutBuffer level;
  p.good("muMipmappedArrayGetLevel",
         {{"pLevelArray", &level}, {"hMipmappedArray", array.pointer()}, {"level", 2}});
  Record told(p, "MUSA_ARRAY3D_DESCRIPTOR");
  p.good("muArray3DGetDescriptor_v2",
         {{"pArrayDescriptor", told.filled()}, {"hArray", level.pointer()}});
  const std::int64_t width = told.get("Width");
  const std::int64_t height = told.get("Height");
  p.expect(width == 16 && height == 8, {"muMipmappedArrayCreate", "muMipmappedArrayGetLevel"},
           "16 by 8", std::to_string(width) + " by " + std::to_string(height));
  p.good("muMipmappedArrayDestroy", {{"hMipmappedArray", array.pointer()}});
  p.expect(true, {"muMipmappedArrayDestroy"}, "", "destroyed");
}

// Objects on an array that kernels may write.
class ObjectsOfArray {
 public:
  explicit ObjectsOfArray(Probing& p) : p_(p), resource_(p, "MUSA_RESOURCE_DESC") {
    Record wanted(p, "MUSA_ARRAY3D_DESCRIPTOR");
    wanted.set("Width", kWidth).set("Height", kHeight).set("NumChannels", 1).set("Flags", 2);
    wanted.set("Format", p.value("MUarray_format", "MU_AD_FORMAT_UNSIGNED_INT8"));
    p.good(newest(p, "muArray3DCreate_v2"),
           {{"pHandle", &array_}, {"pAllocateArray", wanted.data()}});
    resource_.set("resType", p.value("MUresourcetype", "MU_RESOURCE_TYPE_ARRAY"));
    resource_.set("res.array.hArray", array_.pointer());
  }
  // What the object says that it is made of, and how, must be what it was made with.
  void probe_textures() {
    Record how(p_, "MUSA_TEXTURE_DESC");
    how.set("filterMode", p_.value("MUfilter_mode", "MU_TR_FILTER_MODE_LINEAR"));
    how.set("maxAnisotropy", 3);
    Record view(p_, "MUSA_RESOURCE_VIEW_DESC");
    view.set("format", p_.value("MUresourceViewFormat", "MU_RES_VIEW_FORMAT_UINT_1X8"));
    view.set("width", kWidth).set("height", kHeight);
    OutBuffer texture;
    p_.good("muTexObjectCreate", {{"pTexObject", &texture},
                                  {"pResDesc", resource_.data()},
                                  {"pTexDesc", how.data()},
                                  {"pResViewDesc", view.data()}});
    const auto object = texture.get<std::uint64_t>();
    expect_resource("muTexObjectCreate", "muTexObjectGetResourceDesc", "texObject", object);
    Record told(p_, "MUSA_TEXTURE_DESC");
    p_.good("muTexObjectGetTextureDesc", {{"pTexDesc", told.filled()}, {"texObject", object}});
    expect(told, told.get("maxAnisotropy") == 3, {"muTexObjectGetTextureDesc"});
    Record seen(p_, "MUSA_RESOURCE_VIEW_DESC");
    p_.good("muTexObjectGetResourceViewDesc",
            {{"pResViewDesc", seen.filled()}, {"texObject", object}});
    expect(seen, seen.get("width") == kWidth && seen.get("height") == kHeight,
           {"muTexObjectGetResourceViewDesc"});
    p_.good("muTexObjectDestroy", {{"texObject", object}});
    p_.expect(true, {"muTexObjectDestroy"}, "", "destroyed");
  }
  void probe_surfaces() {
    OutBuffer surface;
    p_.good("muSurfObjectCreate", {{"pSurfObject", &surface}, {"pResDesc", resource_.data()}});
    const auto object = surface.get<std::uint64_t>();
    expect_resource("muSurfObjectCreate", "muSurfObjectGetResourceDesc", "surfObject", object);
    p_.good("muSurfObjectDestroy", {{"surfObject", object}});
    p_.expect(true, {"muSurfObjectDestroy"}, "", "destroyed");
  }

 private:
  static constexpr std::int64_t kWidth = 64;
  static constexpr std::int64_t kHeight = 32;

  void expect(Record& told, bool holds, const std::vector<std::string>& functions) {
    constexpr const char* kExpected = "what the object was made with";
    told.decide(holds, kExpected, "different values");
    p_.expect(holds, functions, kExpected, "different values");
  }
  void expect_resource(const char* create, const char* get, const char* name,
                       std::uint64_t object) {
    Record told(p_, "MUSA_RESOURCE_DESC");
    p_.good(get, {{"pResDesc", told.filled()}, {name, object}});
    expect(told, told.get("res.array.hArray") == array_.get<std::int64_t>(), {create, get});
  }

  Probing& p_;
  OutBuffer array_;
  Record resource_;
};

void probe_objects(Probing& p) {
  const Driver driver(p);
  ObjectsOfArray objects(p);
  p.attempt([&] { objects.probe_textures(); });
  p.attempt([&] { objects.probe_surfaces(); });
}

// Two copies in one call. Each number is another one, so that exchanging two of them would show.
void probe_batch(Probing& p) {
  Driver driver(p);
  const std::vector<Bytes> bytes = {counted_bytes(700), counted_bytes(300, 9)};
  std::vector<std::uint64_t> to;
  std::vector<std::uint64_t> from;
  std::vector<std::uint64_t> sizes;
  for (const Bytes& piece : bytes) {
    from.push_back(driver.upload(piece));
    to.push_back(driver.upload(Bytes(piece.size(), 0)));
    sizes.push_back(piece.size());
  }
  Record attributes(p, "MUmemcpyAttributes");
  attributes.set("srcAccessOrder",
                 p.value("MUmemcpySrcAccessOrder", "MU_MEMCPY_SRC_ACCESS_ORDER_STREAM"));
  const std::vector<std::uint64_t> indexes = {0};
  void* const stream = driver.stream();
  OutBuffer failed;
  p.good("muMemoryTransferBatchAsync", {{"dsts", to.data()},
                                        {"srcs", from.data()},
                                        {"sizes", sizes.data()},
                                        {"count", bytes.size()},
                                        {"attrs", attributes.data()},
                                        {"attrsIdxs", indexes.data()},
                                        {"numAttrs", indexes.size()},
                                        {"failIdx", failed.data()},
                                        {"hStream", stream}});
  p.good("muStreamSynchronize", {{"hStream", stream}});
  const bool holds =
      driver.read(to[0], sizes[0]) == bytes[0] && driver.read(to[1], sizes[1]) == bytes[1];
  constexpr const char* kExpected = "both pieces are copied";
  p.expect(holds, {"muMemoryTransferBatchAsync"}, kExpected, "different values");
  if (!holds) return;
  attributes.decide(true, kExpected, "");
  p.expect_value(true, "MUmemcpySrcAccessOrder", "MU_MEMCPY_SRC_ACCESS_ORDER_STREAM", "",
                 kExpected);
}

}  // namespace

std::vector<Probe> driver_memory_probes() {
  return {
      {"driver_memory.round_trip", probe_memory},   {"driver_memory.info", probe_info},
      {"driver_memory.async", probe_async},         {"driver_memory.fills", probe_fills},
      {"driver_memory.fills_2d", probe_fills_2d},   {"driver_memory.copies_2d", probe_copies_2d},
      {"driver_memory.copies_3d", probe_copies_3d}, {"driver_memory.pitch", probe_pitch},
      {"driver_memory.host", probe_host_memory},    {"driver_memory.pointers", probe_pointers},
      {"driver_memory.managed", probe_managed},     {"driver_memory.arrays", probe_arrays},
      {"driver_memory.mipmaps", probe_mipmaps},     {"driver_memory.peers", probe_peers},
      {"driver_memory.batch", probe_batch},         {"driver_memory.objects", probe_objects}};
}

}  // namespace torchada::verify
