// MCCL: collectives of one rank, and of two if the machine has two devices.
#include <cstring>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr int kCount = 100;

class Communicator {
 public:
  explicit Communicator(Probing& probing) : p(probing), device(probing) {
    OutBuffer id;
    p.good("mcclGetUniqueId", {{"uniqueId", &id}});
    p.expect_size("mcclUniqueId", id, false);
    const Fact* size = p.facts().size("mcclUniqueId");
    const std::size_t bytes = size && size->size ? static_cast<std::size_t>(*size->size) : 128;
    OutBuffer buffer;
    p.good("mcclCommInitRank",
           {{"comm", &buffer},
            {"nranks", 1},
            {"commId", std::vector<unsigned char>(id.bytes(), id.bytes() + bytes)},
            {"rank", 0}});
    handle = buffer.pointer();
    OutBuffer stream_buffer;
    p.good("musaStreamCreate", {{"pStream", &stream_buffer}});
    stream = stream_buffer.pointer();
    p.expect(handle != nullptr, {"mcclGetUniqueId", "mcclCommInitRank"}, "a communicator", "none");
  }

  Probing& p;
  Device device;
  void* handle = nullptr;
  void* stream = nullptr;
};

int ask(Communicator* c, const std::string& function, const std::string& parameter) {
  OutBuffer buffer;
  c->p.good(function, {{"comm", c->handle}, {parameter, &buffer}});
  return static_cast<int>(buffer.integer());
}

void probe_communicator(Probing& p) {
  Communicator c(p);
  const auto answer = [&](const std::string& function, const std::string& parameter, int expected) {
    p.attempt([&] {
      const int found = ask(&c, function, parameter);
      p.expect(found == expected, {function}, std::to_string(expected), std::to_string(found));
    });
  };
  answer("mcclCommCount", "count", 1);
  answer("mcclCommUserRank", "rank", 0);
  answer("mcclCommMuDevice", "device", 0);
  answer("mcclCommGetAsyncError", "asyncError", 0);
  p.attempt([&] {
    OutBuffer memory;
    p.good("mcclMemAlloc", {{"ptr", &memory}, {"size", 1 << 21}});
    p.attempt([&] {
      OutBuffer registration;
      p.good("mcclCommRegister", {{"comm", c.handle},
                                  {"buff", memory.pointer()},
                                  {"size", 1 << 21},
                                  {"handle", &registration}});
      p.good("mcclCommDeregister", {{"comm", c.handle}, {"handle", registration.pointer()}});
      p.expect(true, {"mcclCommRegister", "mcclCommDeregister"}, "", "registered");
    });
    p.attempt([&] {
      OutBuffer window;
      p.good("mcclCommWindowRegister", {{"comm", c.handle},
                                        {"buff", memory.pointer()},
                                        {"size", 1 << 21},
                                        {"win", &window},
                                        {"winFlags", 0}});
      p.good("mcclCommWindowDeregister", {{"comm", c.handle}, {"win", window.pointer()}});
      p.expect(true, {"mcclCommWindowRegister", "mcclCommWindowDeregister"}, "", "registered");
    });
    p.good("mcclMemFree", {{"ptr", memory.pointer()}});
    p.expect(true, {"mcclMemAlloc", "mcclMemFree"}, "", "allocated and freed");
  });
  p.attempt([&] {
    p.good("mcclCommDestroy", {{"comm", c.handle}});
    p.expect(true, {"mcclCommDestroy"}, "", "destroyed");
  });
  p.attempt([&] {
    Communicator other(p);
    p.good("mcclCommAbort", {{"comm", other.handle}});
    p.expect(true, {"mcclCommAbort"}, "", "aborted");
  });
}

// One rank: exactly the data sent must arrive.
void probe_collectives(Probing& p) {
  Communicator c(p);
  std::vector<float> values;
  for (int i = 0; i < kCount + 10; ++i) values.push_back(static_cast<float>(i) + 0.5F);
  const std::vector<float> nothing(values.size(), -7.F);
  const auto collective = [&](const std::string& function, Arguments more, bool in_place) {
    p.attempt([&] {
      float* from = c.device.upload(values);
      float* to = in_place ? from : c.device.upload(nothing);
      more.insert(more.end(), {{"sendbuff", from},
                               {"recvbuff", to},
                               {"buff", to},
                               {"count", kCount},
                               {"sendcount", kCount},
                               {"recvcount", kCount},
                               {"datatype", p.value("mcclDataType_t", "mcclFloat32")},
                               {"op", p.value("mcclRedOp_t", "mcclSum")},
                               {"root", 0},
                               {"comm", c.handle},
                               {"stream", c.stream}});
      p.good(function, more, true);
      std::vector<float> expected = values;
      if (!in_place) std::copy(nothing.begin() + kCount, nothing.end(), expected.begin() + kCount);
      p.expect(c.device.download<float>(to, values.size()) == expected, {function},
               std::to_string(kCount) + " elements arrive", "different values");
    });
  };
  collective("mcclAllReduce", {}, false);
  collective("mcclBroadcast", {}, false);
  collective("mcclReduce", {}, false);
  collective("mcclAllGather", {}, false);
  collective("mcclReduceScatter", {}, false);
  collective("mcclAlltoAll", {}, false);
  collective("mcclBcast", {}, true);
  const std::size_t counts = kCount;
  const std::size_t start = 0;
  collective(
      "mcclAllToAllv",
      {{"sendcounts", &counts}, {"sdispls", &start}, {"recvcounts", &counts}, {"rdispls", &start}},
      false);
  p.attempt([&] {
    float* from = c.device.upload(values);
    float* to = c.device.upload(nothing);
    const int type = p.value("mcclDataType_t", "mcclFloat32");
    p.good("mcclGroupStart", {});
    p.good("mcclSend", {{"sendbuff", from},
                        {"count", kCount},
                        {"datatype", type},
                        {"peer", 0},
                        {"comm", c.handle},
                        {"stream", c.stream}});
    p.good("mcclRecv", {{"recvbuff", to},
                        {"count", kCount},
                        {"datatype", type},
                        {"peer", 0},
                        {"comm", c.handle},
                        {"stream", c.stream}});
    p.good("mcclGroupEnd", {});
    std::vector<float> expected = values;
    std::copy(nothing.begin() + kCount, nothing.end(), expected.begin() + kCount);
    p.expect(c.device.download<float>(to, values.size()) == expected,
             {"mcclGroupStart", "mcclSend", "mcclRecv", "mcclGroupEnd"},
             "the bytes that were sent arrive", "different values");
  });
}

// ---- two ranks: only they reveal the numbers of types and operators

using Bytes = std::vector<unsigned char>;

class Pair {
 public:
  explicit Pair(Probing& probing) : p(probing), device(probing) {
    OutBuffer buffers;
    const int devices[2] = {0, 1};
    p.good("mcclCommInitAll", {{"comm", buffers.data()}, {"ndev", 2}, {"devlist", devices}});
    for (int i = 0; i < 2; ++i) {
      handles[i] = buffers.get<void*>(static_cast<std::size_t>(i) * sizeof(void*));
      use(i);
      OutBuffer stream;
      p.good("musaStreamCreate", {{"pStream", &stream}});
      streams[i] = stream.pointer();
    }
    p.expect(handles[0] && handles[1], {"mcclCommInitAll"}, "two communicators", "fewer");
  }

  void use(int index) { p.good("musaSetDevice", {{"device", index}}); }

  // The result of both ranks for one value of each. Empty if the call was refused.
  Bytes reduced(const Bytes& first, const Bytes& second, int type, int op) {
    void* places[2];
    for (int i = 0; i < 2; ++i) {
      use(i);
      places[i] = device.upload(i == 0 ? first : second);
    }
    std::int64_t status = 0;
    p.good("mcclGroupStart", {});
    for (int i = 0; i < 2; ++i) {
      const Answer answer = p.call("mcclAllReduce", {{"sendbuff", places[i]},
                                                     {"recvbuff", places[i]},
                                                     {"count", 1},
                                                     {"datatype", type},
                                                     {"op", op},
                                                     {"comm", handles[i]},
                                                     {"stream", streams[i]}});
      if (answer.number != 0) status = answer.number;
    }
    const Answer end = p.call("mcclGroupEnd", {});
    if (status != 0 || end.number != 0) return {};
    use(1);
    device.synchronize();
    use(0);
    return device.download<unsigned char>(places[0], first.size());
  }

  Probing& p;
  Device device;
  void* handles[2] = {};
  void* streams[2] = {};
};

template <typename T>
Bytes bytes_of(T value) {
  Bytes out(sizeof value);
  std::memcpy(out.data(), &value, sizeof value);
  out.resize(16, 0x77);  // Must not change.
  return out;
}

std::string hexadecimal(const Bytes& bytes) {
  std::string out;
  constexpr char kDigits[] = "0123456789abcdef";
  for (const unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out.empty() ? "refused" : out;
}

void probe_types(Probing& p) {
  Pair pair(p);
  struct Case {
    const char* name;
    const char* op;
    Bytes first, second, expected;
  };
  constexpr std::uint16_t kHalf[] = {0x3E00, 0x4000, 0x4300};    // 1.5 + 2 = 3.5
  constexpr std::uint16_t kBfloat[] = {0x3FC0, 0x4000, 0x4060};  // The same values.
  constexpr std::uint8_t kFp8E4M3[] = {0x3C, 0x40, 0x46};        // And in eight bits.
  constexpr std::uint8_t kFp8E5M2[] = {0x3E, 0x40, 0x43};
  // The maximum of -1 and 1 distinguishes signed from unsigned.
  const std::vector<Case> cases = {
      {"mcclInt8", "mcclMax", bytes_of<std::int8_t>(-1), bytes_of<std::int8_t>(1),
       bytes_of<std::int8_t>(1)},
      {"mcclUint8", "mcclMax", bytes_of<std::uint8_t>(255), bytes_of<std::uint8_t>(1),
       bytes_of<std::uint8_t>(255)},
      {"mcclInt32", "mcclMax", bytes_of(-1), bytes_of(1), bytes_of(1)},
      {"mcclUint32", "mcclMax", bytes_of(~0U), bytes_of(1U), bytes_of(~0U)},
      {"mcclInt64", "mcclMax", bytes_of(-1LL), bytes_of(1LL), bytes_of(1LL)},
      {"mcclUint64", "mcclMax", bytes_of(~0ULL), bytes_of(1ULL), bytes_of(~0ULL)},
      {"mcclFloat16", "mcclSum", bytes_of(kHalf[0]), bytes_of(kHalf[1]), bytes_of(kHalf[2])},
      {"mcclFloat32", "mcclSum", bytes_of(1.5F), bytes_of(2.F), bytes_of(3.5F)},
      {"mcclFloat64", "mcclSum", bytes_of(1.5), bytes_of(2.0), bytes_of(3.5)},
      {"mcclBfloat16", "mcclSum", bytes_of(kBfloat[0]), bytes_of(kBfloat[1]), bytes_of(kBfloat[2])},
      {"mcclFp8E4M3", "mcclSum", bytes_of(kFp8E4M3[0]), bytes_of(kFp8E4M3[1]),
       bytes_of(kFp8E4M3[2])},
      {"mcclFp8E5M2", "mcclSum", bytes_of(kFp8E5M2[0]), bytes_of(kFp8E5M2[1]),
       bytes_of(kFp8E5M2[2])}};
  for (const Case& one : cases) {
    p.attempt([&] {
      const int op = p.value("mcclRedOp_t", one.op);
      const int type = p.value("mcclDataType_t", one.name);
      const Bytes found = pair.reduced(one.first, one.second, type, op);
      if (found.empty() && std::strncmp(one.name, "mcclFp8", 7) == 0) {
        // Not every chip adds in eight bits.
        throw Stop("reducing this type is refused");
      }
      p.expect_value(found == one.expected, "mcclDataType_t", one.name, hexadecimal(one.expected),
                     hexadecimal(found));
    });
  }
}

void probe_operators(Probing& p) {
  Pair pair(p);
  const std::vector<std::pair<const char*, float>> cases = {
      {"mcclSum", 7.F}, {"mcclProd", 12.F}, {"mcclMax", 4.F}, {"mcclMin", 3.F}, {"mcclAvg", 3.5F}};
  for (const auto& [name, result] : cases) {
    p.attempt([&, op_name = name, expected = bytes_of(result)] {
      const int type = p.value("mcclDataType_t", "mcclFloat32");
      const int op = p.value("mcclRedOp_t", op_name);
      const Bytes found = pair.reduced(bytes_of(3.F), bytes_of(4.F), type, op);
      p.expect_value(found == expected, "mcclRedOp_t", op_name, hexadecimal(expected),
                     hexadecimal(found));
    });
  }
}

bool has_two_devices(Probing& p, const std::vector<std::string>& types) {
  OutBuffer count;
  p.good("musaGetDeviceCount", {{"count", &count}});
  if (count.integer() >= 2) return true;
  for (const std::string& type : types) {
    for (const Fact* fact : p.facts().values(type)) {
      if (fact->value) p.leave(fact->id, "needs two devices");
    }
  }
  return false;
}

void probe_results(Probing& p) {
  const Answer text = p.call("mcclGetErrorString", {{"result", 0}});
  p.expect(text.pointer && std::strlen(static_cast<const char*>(text.pointer)) > 0,
           {"mcclGetErrorString"}, "a string", "none");
  const Fact* success = p.facts().value("mcclResult_t", "mcclSuccess");
  OutBuffer version;
  const std::int64_t good = p.call("mcclGetVersion", {{"version", &version}}).number;
  if (success && success->value) {
    p.decide(success->id, good == *success->value, success->claim, std::to_string(good));
  }
  const Fact* invalid = p.facts().value("mcclResult_t", "mcclInvalidArgument");
  const std::int64_t refused = p.call("mcclGetVersion", {{"version", nullptr}}).number;
  if (invalid && invalid->value && refused != 0) {
    p.decide(invalid->id, refused == *invalid->value, invalid->claim + " for a null pointer",
             std::to_string(refused));
  }
}

}  // namespace

std::vector<Probe> collective_probes() {
  return {{"collectives.communicator", probe_communicator},
          {"collectives.one_rank", probe_collectives},
          {"collectives.operators",
           [](Probing& p) {
             if (has_two_devices(p, {"mcclRedOp_t"})) probe_operators(p);
           }},
          {"collectives.types",
           [](Probing& p) {
             if (has_two_devices(p, {"mcclDataType_t"})) probe_types(p);
           }},
          {"collectives.results", probe_results}};
}

}  // namespace torchada::verify
