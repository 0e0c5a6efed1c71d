#include "src/command/explain/answers.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <set>

#include "src/command/nearest.h"

namespace torchada::explain {
namespace {

constexpr std::size_t kMostSuggestions = 5;

// Accepts decimal numbers and 0x...; returns none for anything else.
std::optional<std::int64_t> number_of(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("+-");
  // Without other characters the position is npos, which exceeds 1 too.
  if (digits > 1 || std::isdigit(static_cast<unsigned char>(text[digits])) == 0) {
    return std::nullopt;
  }
  const bool hexadecimal = text.compare(digits, 2, "0x") == 0 || text.compare(digits, 2, "0X") == 0;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, hexadecimal ? 16 : 10);
  if (*end != '\0' || errno != 0) return std::nullopt;
  return value;
}

bool same_standing(const tables::Symbol& a, const tables::Symbol& b) {
  return a.standing == b.standing && a.decision == b.decision && a.as == b.as &&
         a.target == b.target && a.why == b.why && a.reason == b.reason && a.calls == b.calls &&
         a.delegated_to == b.delegated_to && a.besides == b.besides && a.prototype == b.prototype &&
         a.sdk == b.sdk;
}

class Search {
 public:
  Search(const tables::Tables& tables, const std::string& query) : tables_(tables) {
    out_.query = query;
  }

  Answer by_number(std::int64_t number) {
    for (const tables::Enumeration& type : tables_.types) {
      if (!type.is_status) continue;
      for (const tables::EnumValue& value : type.values) {
        if (value.value == number) add(type, value);
      }
    }
    for (const tables::MusaEnumeration& type : tables_.musa_types) {
      if (!type.is_status) continue;
      for (const tables::MusaEnumValue& value : type.values) {
        if (value.value == number) add(type, value);
      }
    }
    return std::move(out_);
  }

  Answer by_name() {
    functions();
    for (const tables::Enumeration& type : tables_.types) {
      for (const tables::EnumValue& value : type.values) {
        if (value.name == out_.query) add(type, value);
      }
    }
    for (const tables::MusaEnumeration& type : tables_.musa_types) {
      for (const tables::MusaEnumValue& value : type.values) {
        if (value.name == out_.query) add(type, value);
      }
    }
    find_types(tables_, &out_);
    if (!out_.is_known()) out_.nearest = nearest(out_.query, all_names(), kMostSuggestions);
    return std::move(out_);
  }

 private:
  void functions() {
    for (const tables::Library& library : tables_.libraries) {
      for (const tables::Symbol& symbol : library.symbols) {
        if (symbol.name == out_.query) add(library, symbol);
      }
    }
    for (const tables::MusaLibrary& library : tables_.musa) {
      for (const tables::MusaSymbol& symbol : library.symbols) {
        if (symbol.name == out_.query || symbol.link == out_.query) add(library, symbol);
      }
    }
  }

  void add(const tables::Library& library, const tables::Symbol& symbol) {
    for (CudaFunction& function : out_.cuda_functions) {
      if (function.libraries.front()->name == library.name &&
          same_standing(*function.symbol, symbol)) {
        function.libraries.push_back(&library);
        return;
      }
    }
    out_.cuda_functions.push_back({{&library}, &symbol, tables_.target_of(library, symbol)});
  }

  void add(const tables::MusaLibrary& library, const tables::MusaSymbol& symbol) {
    MusaFunction function{library.name, &symbol, {}};
    std::set<std::string> serves;
    for (const tables::Library& other : tables_.libraries) {
      for (const tables::Symbol& item : other.symbols) {
        const bool calls = item.calls.has(symbol.name);
        const bool leads = other.backend == library.name && item.target == symbol.name;
        if (leads || calls) serves.insert(item.name);
      }
    }
    function.serves.assign(serves.begin(), serves.end());
    out_.musa_functions.push_back(function);
  }

  void add(const tables::Enumeration& type, const tables::EnumValue& value) {
    CudaEnumerator out{&type, &value, nullptr, nullptr};
    for (const tables::MusaEnumeration& other : tables_.musa_types) {
      if (other.name != type.musa) continue;
      for (const tables::MusaEnumValue& item : other.values) {
        // With several SDK ranges, the newest is last in the list.
        if (item.name != value.musa) continue;
        out.musa_type = &other;
        out.musa = &item;
      }
    }
    out_.cuda_enumerators.push_back(out);
  }

  void add(const tables::MusaEnumeration& type, const tables::MusaEnumValue& value) {
    for (MusaEnumerator& known : out_.musa_enumerators) {
      // The type changed between the ranges, but not this enumerator.
      const bool same = known.type->name == type.name && known.value->name == value.name &&
                        known.value->value == value.value && known.value->tier == value.tier;
      if (!same || known.sdk.to != type.sdk.from) continue;
      known.sdk.to = type.sdk.to;
      return;
    }
    MusaEnumerator out{&type, &value, type.sdk, {}};
    for (const tables::Enumeration& other : tables_.types) {
      if (other.musa != type.name) continue;
      for (const tables::EnumValue& item : other.values) {
        const bool known = std::find(out.cuda.begin(), out.cuda.end(), item.name) != out.cuda.end();
        if (item.musa == value.name && !known) out.cuda.push_back(item.name);
      }
    }
    out_.musa_enumerators.push_back(out);
  }

  std::vector<std::string> all_names() const {
    std::set<std::string> out;
    for (const tables::Library& library : tables_.libraries) {
      for (const tables::Symbol& symbol : library.symbols) out.insert(symbol.name);
    }
    for (const tables::MusaLibrary& library : tables_.musa) {
      for (const tables::MusaSymbol& symbol : library.symbols) out.insert(symbol.name);
    }
    for (const tables::Enumeration& type : tables_.types) {
      out.insert(type.name);
      for (const tables::EnumValue& value : type.values) out.insert(value.name);
    }
    for (const tables::MusaEnumeration& type : tables_.musa_types) {
      out.insert(type.name);
      for (const tables::MusaEnumValue& value : type.values) out.insert(value.name);
    }
    for (const tables::CudaType& type : tables_.layouts) out.insert(type.name);
    for (const tables::MusaLayout& type : tables_.musa_layouts) out.insert(type.name);
    return {out.begin(), out.end()};
  }

  const tables::Tables& tables_;
  Answer out_;
};

}  // namespace

bool Answer::is_known() const {
  return !cuda_functions.empty() || !musa_functions.empty() || !cuda_enumerators.empty() ||
         !musa_enumerators.empty() || !cuda_types.empty() || !musa_types.empty();
}

Answer explain(const tables::Tables& tables, const std::string& query) {
  Search search(tables, query);
  const std::optional<std::int64_t> number = number_of(query);
  return number ? search.by_number(*number) : search.by_name();
}

}  // namespace torchada::explain
