#include "generator/tables/fact_list.h"

#include <algorithm>
#include <set>

#include "generator/tables/type_spelling.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

std::string version_text(int number) {
  std::string out = std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100);
  if (number % 100 != 0) out += "." + std::to_string(number % 100);
  return out;
}

// Adds each source only once.
std::function<void(const std::string&)> citing(std::vector<std::string>* sources) {
  return [sources](const std::string& source) {
    if (!contains(*sources, source)) sources->push_back(source);
  };
}

std::function<void(const std::string&)> citing(std::string* source) {
  return [source](const std::string& more) {
    if (source->find(more) == std::string::npos) *source += (source->empty() ? "" : ", ") + more;
  };
}

class FactList {
 public:
  explicit FactList(Tables* tables) : tables_(tables) {}

  std::vector<MusaFact> take() {
    for (MusaLibrary& library : tables_->musa) {
      for (auto& [name, symbol] : library.symbols) add_symbol(library, &symbol);
      for (auto& [name, variants] : library.types) {
        for (MusaType& type : variants) add_type(library, &type);
      }
      for (MusaEnumValue& value : library.constants) {
        MusaFact& fact = add("constant", library.name, value.name, {});
        fact.claim = value.known ? std::to_string(value.value) : kUnknownClaim;
        fact.tier = &value.tier;
        fact.value = &value;
        fact.place = {library.file, 0};
        if (!value.source.empty()) fact.sources = {value.source};
        fact.assumed = value.assumed_range;
        fact.cite = [](const std::string&) {};  // A report confirms no macro.
      }
    }
    add_backend(&tables_->backend);
    for (MusaQuirk& quirk : tables_->quirks) {
      MusaFact& fact = add("quirk", "", quirk.name, quirk.sdk);
      fact.library = quirk.library;
      fact.claim = quirk.says;
      fact.tier = &quirk.tier;
      fact.sources = quirk.sources;
      fact.cite = citing(&quirk.sources);
      fact.place = quirk.place;
      fact.quirk = &quirk;
    }
    return std::move(out_);
  }

 private:
  // `path` is the part of the name after the library.
  MusaFact& add(const std::string& kind, const std::string& library, const std::string& path,
                const SdkRange& sdk) {
    MusaFact fact;
    const std::string range = range_text(sdk);
    fact.id = kind + ":" + library + (library.empty() || path.empty() ? "" : "/") + path +
              (range.empty() ? "" : "@" + range);
    fact.kind = kind;
    fact.library = library;
    fact.name = path.substr(path.rfind('/') + 1);
    fact.sdk = sdk;
    if (!ids_.insert(fact.id).second) {
      throw TableError({tables_->directory + "/musa", 0}, "two facts are named '" + fact.id + "'");
    }
    out_.push_back(fact);
    return out_.back();
  }

  void add_symbol(const MusaLibrary& library, MusaSymbol* symbol) {
    MusaFact& fact = add("symbol", library.name, symbol->name, symbol->sdk);
    fact.claim =
        symbol->tier == Tier::kAbsent ? "not exported" : "exported as " + symbol->link_name;
    fact.tier = &symbol->tier;
    fact.sources = symbol->sources;
    fact.cite = citing(&symbol->sources);
    fact.place = symbol->place;
    fact.symbol = symbol;
    for (MusaPrototype& prototype : symbol->prototypes) {
      MusaFact& item =
          add("prototype", library.name, symbol->name, common(symbol->sdk, prototype.sdk));
      item.claim = spelled(expand(*tables_, prototype), symbol->name);
      item.tier = &prototype.tier;
      item.sources = symbol->sources;
      if (!prototype.source.empty()) item.sources = {prototype.source};
      item.cite = citing(&prototype.source);
      item.place = prototype.place;
      item.symbol = symbol;
      item.prototype = &prototype;
    }
  }

  MusaFact& add_of_type(const MusaLibrary& library, MusaType* type, const std::string& kind,
                        const std::string& path) {
    MusaFact& fact = add(kind, library.name, path, type->sdk);
    fact.tier = &type->tier;
    fact.type_tier = &type->tier;
    fact.sources = type->sources;
    fact.assumed = type->assumed_range;
    fact.cite = citing(&type->sources);
    fact.place = type->place;
    fact.type = type;
    return fact;
  }

  void add_type(const MusaLibrary& library, MusaType* type) {
    if (type->kind == TypeKind::kEnum) {
      for (MusaEnumValue& value : type->values) {
        MusaFact& fact = add_of_type(library, type, "value", type->name + "/" + value.name);
        fact.claim = value.known ? std::to_string(value.value) : kUnknownClaim;
        fact.tier = &value.tier;
        fact.value = &value;
        if (value.source.empty()) continue;
        fact.sources = {value.source};
        fact.assumed = value.assumed_range;
      }
    } else if (type->kind == TypeKind::kStruct) {
      const StructLayout& layout = type->fact.structure;
      add_of_type(library, type, "size", type->name).claim =
          layout.size != 0 ? std::to_string(layout.size) + " bytes" : kUnknownClaim;
      for (const Field& field : layout.fields) {
        MusaFact& fact = add_of_type(library, type, "field", type->name + "/" + field.name);
        fact.claim = field.type + " at " + std::to_string(field.offset);
        fact.field = &field;
      }
    } else {
      add_of_type(library, type, "type", type->name).claim =
          type->kind == TypeKind::kCallback ? spelled(type->fact.callback, "(*)")
                                            : type->fact.underlying;
    }
  }

  void add_backend(MusaBackend* backend) {
    const auto fill = [](MusaFact* fact, MusaEvidence* evidence, const std::string& claim) {
      fact->claim = claim;
      fact->tier = &evidence->tier;
      fact->cite = citing(&evidence->source);
      if (!evidence->source.empty()) fact->sources = {evidence->source};
      fact->place = evidence->place;
    };
    for (BackendInfo& library : tables_->registry.backends) {
      for (MusaSoname& soname : library.sonames) {
        MusaFact& fact = add("soname", library.name, soname.name, soname.sdk);
        fill(&fact, &soname.evidence, "a file " + soname.name);
        fact.assumed = soname.assumed_range;
      }
    }
    for (MusaBackend::Version& version : backend->versions) {
      fill(&add("version", version.library, "", {}), &version.evidence,
           version.call + ": " + version.encoding);
    }
    for (MusaBackend::RuntimeVersion& version : backend->runtime_versions) {
      const std::string end = version.to == kNoSdkEnd ? "" : std::to_string(version.to);
      fill(&add("runtime", "", std::to_string(version.from) + "-" + end, {}), &version.evidence,
           version.sdk == 0 ? "the SDK's version" : "SDK " + version_text(version.sdk));
    }
    for (auto* list : {&backend->variables, &backend->prefixes}) {
      for (MusaBackend::Variable& variable : *list) {
        fill(&add("environment", "", variable.musa, {}), &variable.evidence,
             variable.cuda + " becomes " + variable.musa);
      }
    }
  }

  Tables* tables_;
  std::vector<MusaFact> out_;
  std::set<std::string> ids_;
};

}  // namespace

std::string probed_name(const MusaFact& fact) {
  const std::string name = fact.id.substr(0, fact.id.find('@'));
  return fact.kind == "value" || fact.kind == "symbol" ? name.substr(0, name.rfind('/')) : name;
}

std::string range_text(const SdkRange& range) {
  std::string out;
  if (range.from != 0) out = ">=" + version_text(range.from);
  if (range.to != kNoSdkEnd) out += (out.empty() ? "<" : " <") + version_text(range.to);
  return out;
}

std::string spelled(const Prototype& prototype, const std::string& name) {
  const auto joined = [](const std::string& type, const std::string& what) {
    return type + (type.empty() || type.back() == '*' || what.empty() ? "" : " ") + what;
  };
  std::string out = joined(prototype.returns, name) + "(";
  for (std::size_t i = 0; i < prototype.parameters.size(); ++i) {
    const Parameter& parameter = prototype.parameters[i];
    const std::size_t bound = std::min(parameter.type.find('['), parameter.type.size());
    out += (i == 0 ? "" : ", ") + joined(parameter.type.substr(0, bound), parameter.name) +
           parameter.type.substr(bound);
  }
  return out + (prototype.parameters.empty() ? "void)" : ")");
}

std::vector<MusaFact> list_facts(Tables* tables) { return FactList(tables).take(); }

FactNames::FactNames(const Tables& tables) {
  // The list lets its reader write into the tables; this one only compares addresses.
  for (const MusaFact& fact : list_facts(const_cast<Tables*>(&tables))) {
    names_.emplace(fact.tier, fact.id);
  }
}

std::string FactNames::of(const Tier* tier) const {
  const auto found = names_.find(tier);
  return found == names_.end() ? "" : found->second;
}

}  // namespace torchada
