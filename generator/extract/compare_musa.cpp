#include "generator/extract/extract_musa.h"
#include "generator/extract/fact_difference.h"
#include "generator/extract/library_facts.h"

namespace torchada {
namespace {

const std::string kNotExported = "in the table, but not exported";
const std::string kNotInTable = "exported, but not in the table";
const std::string kNoSuchType = "type in the table, but not in the headers";
const std::string kPrototype = "prototype differs";
const std::string kEnumValue = "enum value differs";
const std::string kLayout = "layout differs";
const std::string kOtherType = "type differs";

class SdkComparison {
 public:
  SdkComparison(const MusaLibrary& table, const MusaLibrary& extracted,
                const std::vector<MusaLibrary>& all, int version, const ExpandPrototype& expand)
      : table_(table), extracted_(extracted), version_(version), expand_(expand) {
    for (const MusaLibrary& library : all) {
      for (const auto& [name, types] : library.types) types_.emplace(name, &types.front());
    }
    for (const std::string& kind :
         {kNotExported, kNotInTable, kNoSuchType, kPrototype, kEnumValue, kLayout, kOtherType}) {
      out_.counts[kind] = 0;
    }
  }

  MusaComparison run() {
    std::map<std::string, const MusaSymbol*> exported;  // By the linker's name.
    for (const auto& [name, symbol] : extracted_.symbols) exported[symbol.link_name] = &symbol;
    std::map<std::string, const MusaSymbol*> known;
    for (const auto& [name, symbol] : table_.symbols) {
      // A name recorded as absent is not expected among the exports.
      if (symbol.tier == Tier::kAbsent || !symbol.sdk.contains(version_)) continue;
      known[symbol.link_name] = &symbol;
      const auto found = exported.find(symbol.link_name);
      if (found == exported.end()) {
        add(name, kNotExported, std::string("tier ") + tier_name(symbol.tier));
      } else {
        compare_prototypes(symbol, *found->second);
      }
    }
    for (const auto& [link_name, symbol] : exported) {
      if (known.count(link_name) == 0) add(symbol->name, kNotInTable, "");
    }
    compare_types();
    return std::move(out_);
  }

 private:
  void add(const std::string& name, const std::string& kind, const std::string& detail) {
    ++out_.counts[kind];
    out_.lines.push_back(table_.name + ": " + name + ": " + kind +
                         (detail.empty() ? "" : ": " + detail));
  }

  void compare_prototypes(const MusaSymbol& known, const MusaSymbol& symbol) {
    if (symbol.prototypes.empty()) return;
    const Prototype& extracted = symbol.prototypes.front().prototype;
    for (const MusaPrototype& prototype : known.prototypes) {
      if (!prototype.sdk.contains(version_)) continue;
      std::optional<Prototype> expected = prototype.prototype;
      if (!prototype.like_symbol.empty()) expected = expand_ ? expand_(prototype) : std::nullopt;
      if (!expected || plain(*expected) == plain(extracted)) continue;
      add(known.name, kPrototype,
          "table " + describe(*expected) + ", extracted " + describe(extracted));
    }
  }

  // A typedef of an arithmetic type, such as mublas_int, is that type: only the machine's view
  // counts.
  Prototype plain(Prototype prototype) const {
    prototype.returns = plain(prototype.returns);
    for (Parameter& parameter : prototype.parameters) parameter.type = plain(parameter.type);
    return prototype;
  }

  std::string plain(std::string spelled) const {
    for (const std::string& name : names_in_type(spelled)) {
      const auto found = types_.find(name);
      if (found == types_.end() || found->second->kind != TypeKind::kScalar) continue;
      spelled.replace(spelled.find(name), name.size(), found->second->fact.underlying);
    }
    return spelled;
  }

  void compare_types() {
    const bool has_headers = !extracted_.types.empty();
    for (const auto& [name, variants] : table_.types) {
      const auto found = types_.find(name);
      for (const MusaType& type : variants) {
        if (type.tier == Tier::kAbsent || !type.sdk.contains(version_)) continue;
        if (found != types_.end()) {
          compare_type(name, type, *found->second);
        } else if (has_headers) {
          add(name, kNoSuchType, "");
        }
      }
    }
  }

  void compare_type(const std::string& name, const MusaType& known, const MusaType& extracted) {
    if (known.kind != extracted.kind) {
      add(name, kOtherType, "kind");
    } else if (known.kind == TypeKind::kEnum) {
      compare_enum(name, known, extracted);
    } else if (known.kind == TypeKind::kStruct) {
      if (!known.complete) return;
      for (const std::string& line : differences(known.fact.structure, extracted.fact.structure)) {
        add(name, kLayout, line);
      }
    } else if (known.complete || !known.fact.underlying.empty()) {
      for (const std::string& line : differences(known.fact, extracted.fact)) {
        add(name, kOtherType, line);
      }
    }
  }

  // The table may know only some values, and only the names of others.
  void compare_enum(const std::string& name, const MusaType& known, const MusaType& extracted) {
    EnumLayout before;
    EnumLayout now;
    std::map<std::string, const MusaEnumValue*> values;
    for (const MusaEnumValue& value : known.values) values[value.name] = &value;
    for (const MusaEnumValue& value : known.values) {
      if (value.known) before.values.push_back({value.name, value.value});
    }
    for (const MusaEnumValue& value : extracted.values) {
      const auto found = values.find(value.name);
      const bool compared = found == values.end() ? known.complete : found->second->known;
      if (compared) now.values.push_back({value.name, value.value});
    }
    for (const std::string& line : differences(before, now)) {
      // Order has no meaning in a table kept by hand.
      if (!line.starts_with("order")) add(name, kEnumValue, line);
    }
  }

  const MusaLibrary& table_;
  const MusaLibrary& extracted_;
  const int version_;
  const ExpandPrototype& expand_;
  std::map<std::string, const MusaType*> types_;
  MusaComparison out_;
};

}  // namespace

MusaComparison compare_musa(const MusaLibrary& table, const MusaLibrary& extracted,
                            const std::vector<MusaLibrary>& all, int version,
                            const ExpandPrototype& expand) {
  return SdkComparison(table, extracted, all, version, expand).run();
}

}  // namespace torchada
