// muRAND: the requested distribution is generated, judged by statistics.
#include <cmath>
#include <set>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr std::size_t kCount = 1 << 16;

class Generator {
 public:
  Generator(Probing& probing, const std::string& type) : device(probing), p_(probing) {
    OutBuffer buffer;
    p_.good("murandCreateGenerator",
            {{"generator", &buffer}, {"rng_type", p_.value("murandRngType_t", type)}});
    handle = buffer.pointer();
  }

  void seed(std::uint64_t seed, std::uint64_t offset) {
    p_.good("murandSetPseudoRandomGeneratorSeed", {{"generator", handle}, {"seed", seed}});
    p_.good("murandSetGeneratorOffset", {{"generator", handle}, {"offset", offset}});
  }

  template <typename T>
  std::vector<T> generate(const std::string& function, std::size_t count, Arguments more = {}) {
    auto* place = static_cast<T*>(device.allocate(count * sizeof(T)));
    more.insert(more.end(),
                {{"generator", handle}, {"outputPtr", place}, {"num", count}, {"n", count}});
    p_.good(function, more, true);
    return device.download<T>(place, count);
  }

  Device device;
  void* handle = nullptr;

 private:
  Probing& p_;
};

template <typename T>
double mean(const std::vector<T>& values) {
  double sum = 0;
  for (const T value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

template <typename T>
double deviation(const std::vector<T>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const T value : values)
    sum += (static_cast<double>(value) - middle) * (static_cast<double>(value) - middle);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

std::string text(double middle, double spread) {
  return "mean " + std::to_string(middle) + ", deviation " + std::to_string(spread);
}

template <typename T>
void expect_moments(Probing& p, const std::string& function, const std::vector<T>& values,
                    double middle, double spread) {
  const double found = mean(values);
  const double width = deviation(values);
  p.expect(std::abs(found - middle) < spread / 20 && std::abs(width - spread) < spread / 20,
           {function}, text(middle, spread), text(found, width));
}

void probe_type(Probing& p, const Fact& type, std::set<std::vector<unsigned>>* sequences) {
  OutBuffer buffer;
  const std::int64_t status =
      p.call("murandCreateGenerator", {{"generator", &buffer}, {"rng_type", *type.value}}).number;
  if (status != 0) {
    // The README says so.
    if (p.is_stand_in() && type.name == "MURAND_RNG_PSEUDO_MTGP32") {
      p.leave(type.id, "the stand-in has no such generator");
    } else {
      p.contradict(type.id, "a generator", "status " + std::to_string(status));
    }
    return;
  }
  Generator generator(p, type.name);
  generator.seed(4711, 0);
  const auto numbers = generator.generate<unsigned>("murandGenerate", 64);
  p.forget();
  // The default generator is one of the others.
  const bool is_default = type.name == "MURAND_RNG_PSEUDO_DEFAULT";
  const bool is_new = is_default || sequences->insert(numbers).second;
  p.expect_value(is_new, "murandRngType_t", type.name, "its own sequence",
                 is_new ? "numbers" : "another generator's sequence");
}

// No published behaviour shows which generator a number selects. The probe only shows that each
// number selects a generator, and that it differs from those of other numbers.
void probe_types(Probing& p) {
  std::set<std::vector<unsigned>> sequences;
  for (const Fact* fact : p.facts().values("murandRngType_t")) {
    if (!fact->value) continue;
    p.attempt([&] { probe_type(p, *fact, &sequences); });
  }
}

void probe_sequences(Probing& p) {
  Generator generator(p, "MURAND_RNG_PSEUDO_XORWOW");
  generator.seed(99, 0);
  const auto first = generator.generate<unsigned>("murandGenerate", 512);
  generator.seed(99, 0);
  const auto again = generator.generate<unsigned>("murandGenerate", 512);
  generator.seed(98, 0);
  const auto other = generator.generate<unsigned>("murandGenerate", 512);
  generator.seed(99, 1024);
  const auto later = generator.generate<unsigned>("murandGenerate", 512);
  const bool holds = first == again && first != other;
  p.expect(holds, {"murandCreateGenerator", "murandGenerate", "murandSetPseudoRandomGeneratorSeed"},
           "the seed determines the numbers", "it does not");
  p.expect(later != first, {"murandSetGeneratorOffset"}, "other numbers", "the same");
  p.attempt([&] {
    OutBuffer stream;
    p.good("musaStreamCreate", {{"pStream", &stream}});
    p.good("murandSetStream", {{"generator", generator.handle}, {"stream", stream.pointer()}});
    generator.seed(99, 0);
    const auto on_stream = generator.generate<unsigned>("murandGenerate", 512);
    p.expect(on_stream == first, {"murandSetStream"}, "the same numbers", "different numbers");
  });
  p.attempt([&] {
    p.good("murandDestroyGenerator", {{"generator", generator.handle}});
    p.expect(true, {"murandDestroyGenerator"}, "", "destroyed");
  });
}

void probe_distributions(Probing& p) {
  Generator generator(p, "MURAND_RNG_PSEUDO_XORWOW");
  generator.seed(7, 0);
  p.attempt([&] {
    expect_moments(p, "murandGenerateUniform",
                   generator.generate<float>("murandGenerateUniform", kCount), 0.5,
                   std::sqrt(1.0 / 12));
  });
  p.attempt([&] {
    expect_moments(p, "murandGenerateUniformDouble",
                   generator.generate<double>("murandGenerateUniformDouble", kCount), 0.5,
                   std::sqrt(1.0 / 12));
  });
  p.attempt([&] {
    expect_moments(
        p, "murandGenerateNormal",
        generator.generate<float>("murandGenerateNormal", kCount, {{"mean", 3.0}, {"stddev", 0.5}}),
        3, 0.5);
  });
  p.attempt([&] {
    expect_moments(p, "murandGenerateNormalDouble",
                   generator.generate<double>("murandGenerateNormalDouble", kCount,
                                              {{"mean", -2.0}, {"stddev", 4.0}}),
                   -2, 4);
  });
}

void probe_status(Probing& p) {
  const Fact* fact = p.facts().value("murandStatus_t", "MURAND_STATUS_TYPE_ERROR");
  OutBuffer buffer;
  const std::int64_t status =
      p.call("murandCreateGenerator", {{"generator", &buffer}, {"rng_type", 9999}}).number;
  if (fact && fact->value) {
    p.decide(fact->id, status == *fact->value, fact->claim + " for an unknown generator",
             std::to_string(status));
  }
  const Fact* uninitialized = p.facts().value("murandStatus_t", "MURAND_STATUS_NOT_INITIALIZED");
  const std::int64_t none = p.call("murandDestroyGenerator", {{"generator", nullptr}}).number;
  if (uninitialized && uninitialized->value) {
    p.decide(uninitialized->id, none == *uninitialized->value,
             uninitialized->claim + " for a null generator", std::to_string(none));
  }
}

}  // namespace

std::vector<Probe> random_probes() {
  return {{"random.types", probe_types},
          {"random.sequences", probe_sequences},
          {"random.distributions", probe_distributions},
          {"random.status", probe_status}};
}

}  // namespace torchada::verify
