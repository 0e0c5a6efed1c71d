#include "src/companion/profiler/function.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace torchada::profiler {
namespace {

using Names = std::initializer_list<std::string_view>;

const Member& parameter(const Function& function, std::uint32_t index) {
  return prototype_members[function.prototype->first + index];
}

// The parameter that has one of the names.
std::optional<std::uint32_t> index_of(const Function& function, Names names) {
  for (std::uint32_t i = 0; i < function.prototype->count; ++i) {
    const std::string_view name = text_at(parameter(function, i).name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return i;
  }
  return std::nullopt;
}

std::optional<Place> find(const Function& function, Names names) {
  const auto index = index_of(function, names);
  if (!index) return std::nullopt;
  return Place{*index, false, 0, type_at(parameter(function, *index).type).size};
}

// A member of a struct, by the names that lead to it.
std::optional<Place> member(const ValueType& type, Place from, Names path) {
  const ValueType* at = &type;
  for (const std::string_view name : path) {
    if (at->kind != ValueKind::kStruct) return std::nullopt;
    const Member* const first = prototype_members + at->first;
    const Member* const last = first + at->count;
    const Member* const found =
        std::find_if(first, last, [&](const Member& each) { return name == text_at(each.name); });
    if (found == last) return std::nullopt;
    from.offset += found->offset;
    at = &type_at(found->type);
  }
  from.size = at->size;
  return from;
}

// The same in the struct that a parameter is, or points at.
std::optional<Place> member_of(const Function& function, Names parameters, Names path) {
  const auto index = index_of(function, parameters);
  if (!index) return std::nullopt;
  const ValueType& type = type_at(parameter(function, *index).type);
  const bool is_behind = type.kind == ValueKind::kPointer;
  return member(is_behind ? type_at(type.target) : type, {*index, is_behind, 0, 0}, path);
}

void set_once(std::optional<Place>* to, std::optional<Place> found) {
  if (!*to) *to = found;
}

constexpr std::string_view kAxes[] = {"x", "y", "z"};
constexpr std::string_view kGrids[] = {"gridDimX", "gridDimY", "gridDimZ"};
constexpr std::string_view kBlocks[] = {"blockDimX", "blockDimY", "blockDimZ"};

void describe_launch(Function* function) {
  Places& places = function->places;
  places.kernel = find(*function, {"func", "f"});
  for (int i = 0; i < 3; ++i) {
    places.grid[i] = find(*function, {kGrids[i]});
    set_once(&places.grid[i], member_of(*function, {"gridDim"}, {kAxes[i]}));
    set_once(&places.grid[i], member_of(*function, {"config"}, {"gridDim", kAxes[i]}));
    set_once(&places.grid[i], member_of(*function, {"config"}, {kGrids[i]}));
    places.block[i] = find(*function, {kBlocks[i]});
    set_once(&places.block[i], member_of(*function, {"blockDim"}, {kAxes[i]}));
    set_once(&places.block[i], member_of(*function, {"config"}, {"blockDim", kAxes[i]}));
    set_once(&places.block[i], member_of(*function, {"config"}, {kBlocks[i]}));
  }
  places.shared = find(*function, {"sharedMem", "sharedMemBytes"});
  set_once(&places.shared, member_of(*function, {"config"}, {"dynamicSmemBytes"}));
  set_once(&places.shared, member_of(*function, {"config"}, {"sharedMemBytes"}));
  set_once(&places.stream, member_of(*function, {"config"}, {"stream"}));
  set_once(&places.stream, member_of(*function, {"config"}, {"hStream"}));
}

void add(std::vector<Place>* to, std::optional<Place> found) {
  if (found) to->push_back(*found);
}

void describe_bytes(Function* function) {
  std::vector<Place>& bytes = function->places.bytes;
  add(&bytes, find(*function, {"count", "ByteCount", "N"}));
  if (!bytes.empty()) return;
  for (const std::string_view name : {"width", "height", "Width", "Height"}) {
    add(&bytes, find(*function, {name}));
  }
  for (const std::string_view name : {"width", "height", "depth"}) {
    add(&bytes, member_of(*function, {"p"}, {"extent", name}));
    add(&bytes, member_of(*function, {"extent"}, {name}));
  }
  for (const std::string_view name : {"WidthInBytes", "Height", "Depth"}) {
    add(&bytes, member_of(*function, {"pCopy"}, {name}));
  }
}

void describe_copy(Function* function) {
  Places& places = function->places;
  describe_bytes(function);
  places.to = find(*function, {"dst", "dstDevice", "dstHost"});
  places.from = find(*function, {"src", "srcDevice", "srcHost"});
  set_once(&places.to, member_of(*function, {"p"}, {"dstPtr", "ptr"}));
  set_once(&places.from, member_of(*function, {"p"}, {"srcPtr", "ptr"}));
}

Side side_of(const Function& function, std::string_view device, std::string_view context) {
  Side out;
  if (function.domain == kDriverDomain) {
    out.context = find(function, {context});
    set_once(&out.context, member_of(function, {"pCopy"}, {context}));
  } else {
    out.device = find(function, {device});
    set_once(&out.device, member_of(function, {"p"}, {device}));
  }
  return out;
}

// What is left of a name without marks of streams and versions.
std::string_view base_of(std::string_view name) {
  for (const std::string_view mark : {"_ptsz", "_ptds", "_v2", "_v3"}) {
    if (name.ends_with(mark)) name.remove_suffix(mark.size());
  }
  return name;
}

// Bytes of an element of a driver's cuMemsetD8, D16 or D32.
std::uint32_t element_of(std::string_view name) {
  return name.find("D16") != name.npos ? 2 : name.find("D32") != name.npos ? 4 : 1;
}

Role role_of(std::string_view base) {
  if (base.find("LaunchKernel") != base.npos || base.find("LaunchCooperativeKernel") != base.npos) {
    return base.find("MultiDevice") == base.npos ? Role::kLaunch : Role::kOther;
  }
  if (base.starts_with("cudaStreamCreate") || base.starts_with("cuStreamCreate") ||
      base.starts_with("cuCtxCreate")) {
    return Role::kMake;
  }
  if (base == "cudaStreamDestroy" || base == "cuStreamDestroy" || base == "cuCtxDestroy") {
    return Role::kDestroy;
  }
  if (base == "cudaGraphLaunch" || base == "cuGraphLaunch") return Role::kGraph;
  if (base.starts_with("cudaMemcpy") || base.starts_with("cuMemcpy")) return Role::kCopy;
  if (base.starts_with("cudaMemset") || base.starts_with("cuMemset")) return Role::kSet;
  if (base.ends_with("Synchronize") || base.ends_with("StreamWaitEvent")) return Role::kSynchronize;
  if (base.starts_with("cudaMalloc") || base.starts_with("cuMemAlloc")) return Role::kAllocate;
  if (base.starts_with("cudaFree") || base.starts_with("cuMemFree")) return Role::kFree;
  return Role::kOther;
}

std::uint32_t synchronization_of(const Numbers& numbers, std::string_view base) {
  if (base.ends_with("StreamWaitEvent")) return numbers.synchronization.stream_wait_event;
  if (base.ends_with("EventSynchronize")) return numbers.synchronization.event;
  if (base.ends_with("StreamSynchronize")) return numbers.synchronization.stream;
  return numbers.synchronization.context;
}

void lay_out_parameters(Function* function) {
  std::uint32_t end = 0;
  for (std::uint32_t i = 0; i < function->prototype->count; ++i) {
    const ValueType& type = type_at(parameter(*function, i).type);
    const std::uint32_t alignment = std::max<std::uint32_t>(type.alignment, 1);
    end = (end + alignment - 1) / alignment * alignment;
    function->offsets.push_back(end);
    end += type.size;
  }
}

}  // namespace

void describe(const Numbers& numbers, Function* function) {
  const std::string_view name = function->name();
  const std::string_view base = base_of(name);
  Places& places = function->places;
  function->role = role_of(base);
  function->is_per_thread = name.ends_with("_ptsz") || name.ends_with("_ptds");
  function->is_asynchronous = base.ends_with("Async");
  function->is_cooperative = base.find("Cooperative") != base.npos;
  lay_out_parameters(function);
  places.stream = find(*function, {"stream", "hStream"});
  switch (function->role) {
    case Role::kLaunch:
      describe_launch(function);
      break;
    case Role::kCopy:
      describe_copy(function);
      function->is_between_devices = base.find("Peer") != base.npos;
      if (function->is_between_devices) {
        places.from_side = side_of(*function, "srcDevice", "srcContext");
        places.to_side = side_of(*function, "dstDevice", "dstContext");
      }
      break;
    case Role::kSet:
      describe_bytes(function);
      places.to = find(*function, {"devPtr", "dstDevice"});
      places.value = find(*function, {"value", "uc", "us", "ui"});
      function->element = function->domain == kDriverDomain ? element_of(base) : 1;
      break;
    case Role::kSynchronize:
      places.event = find(*function, {"event", "hEvent"});
      function->synchronization = synchronization_of(numbers, base);
      break;
    case Role::kAllocate:
      places.pointer_out = find(*function, {"devPtr", "dptr", "ptr", "pp", "pHost"});
      add(&places.bytes, find(*function, {"size", "bytesize"}));
      break;
    case Role::kFree:
      places.pointer = find(*function, {"devPtr", "dptr", "ptr", "p"});
      break;
    case Role::kMake:
    case Role::kDestroy:
      places.pointer_out = find(*function, {"pStream", "phStream", "pctx"});
      places.pointer = find(*function, {"stream", "hStream", "ctx"});
      if (base.starts_with("cuCtx")) function->resource = Resource::kContext;
      break;
    case Role::kGraph:
      places.graph = find(*function, {"graphExec", "hGraphExec"});
      break;
    case Role::kOther:
      break;
  }
}

std::uint64_t read(const Place& place, void* const* arguments) {
  const void* from = arguments[place.parameter];
  if (place.is_behind) from = *static_cast<const void* const*>(from);
  if (!from) return 0;
  std::uint64_t out = 0;
  std::memcpy(&out, static_cast<const char*>(from) + place.offset,
              std::min<std::size_t>(place.size, sizeof out));
  return out;
}

}  // namespace torchada::profiler
