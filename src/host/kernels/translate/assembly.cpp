#include "src/host/kernels/translate/assembly.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "src/host/kernels/translate/assembly_text.h"

namespace kernels {
namespace {

using llvm::Value;
using Names = std::set<std::string>;

// Parts of names without a meaning here: every order of memory is the strictest, all threads see
// one memory, there are no caches, and a result is rounded to nearest if nothing else is said.
const Names kWithoutMeaning = {"rn",      "approx",  "full", "sync",     "aligned", "uni",
                               "cta",     "cluster", "gpu",  "sys",      "relaxed", "acquire",
                               "release", "acq_rel", "sc",   "volatile", "weak",    "noftz",
                               "ftz",     "nc",      "ca",   "cg",       "cs",      "cv",
                               "lu",      "wb",      "wt",   "mmio"};
const Names kSpaces = {"global", "shared", "local", "const", "param"};
// Loads and stores by which threads may wait for each other.
const Names kOrdered = {"relaxed", "acquire", "release", "volatile", "cg", "cv", "mmio"};

bool is_number(const std::string& name) {
  const std::size_t digit = name.starts_with('-') ? 1 : 0;
  return name.size() > digit && std::isdigit(static_cast<unsigned char>(name[digit])) != 0;
}

// "shared::cta" is "shared".
std::string plain(const std::string& part) { return part.substr(0, part.find("::")); }

bool is_hint(const std::string& part) { return part.starts_with("L1") || part.starts_with("L2"); }

// Writes the code of one piece of inline assembly. Its registers are variables, which LLVM makes
// values of.
class Expansion {
 public:
  Expansion(llvm::CallInst* assembly, const llvm::Module& functions, int warp_size)
      : call_(assembly),
        functions_(functions),
        warp_size_(warp_size),
        builder_(assembly->getContext()) {}

  // Returns the first instruction that cannot be made; empty if all can.
  std::string run() {
    const auto& assembly = llvm::cast<llvm::InlineAsm>(*call_->getCalledOperand());
    const Assembly text = read_assembly(assembly.getAsmString());
    builder_.SetInsertPoint(call_);
    builder_.SetCurrentDebugLocation(call_->getDebugLoc());
    // A register holds the largest number that there is.
    word_ = builder_.getIntNTy(assembly.getAsmString().find("128") == std::string::npos ? 64 : 128);
    for (const std::string& name : text.registers) add_register(name);
    number_operands(assembly);
    llvm::BasicBlock* const before = call_->getParent();
    end_ = before->splitBasicBlock(call_);
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(before);
    std::string unknown = text.wrong;
    for (std::size_t i = 0; i < text.instructions.size() && unknown.empty(); ++i) {
      if (!make(text.instructions[i])) unknown = text.instructions[i].text;
    }
    builder_.CreateBr(end_);
    for (const auto& [name, label] : labels_) {
      if (!label->empty()) continue;
      builder_.SetInsertPoint(label);
      builder_.CreateBr(end_);
      if (unknown.empty()) unknown = "bra " + name;
    }
    builder_.SetInsertPoint(call_);
    if (!unknown.empty()) refuse(unknown);
    call_->replaceAllUsesWith(result());
    call_->eraseFromParent();
    return unknown;
  }

 private:
  // A name for find_refused.
  void refuse(const std::string& what) {
    llvm::Function* const function = llvm::Function::Create(
        llvm::FunctionType::get(builder_.getVoidTy(), false), llvm::GlobalValue::ExternalLinkage,
        "torchada_assembly", call_->getModule());
    function->addFnAttr("dontcall-error", "inline assembly (PTX), '" + what + "'");
    builder_.CreateCall(function);
  }

  void add_register(const std::string& name) {
    llvm::BasicBlock& entry = call_->getFunction()->getEntryBlock();
    registers_[name] = new llvm::AllocaInst(word_, 0, "", entry.begin());
  }

  // Outputs are $0, $1 ..., inputs follow; an input that is tied to an output is its first value.
  void number_operands(const llvm::InlineAsm& assembly) {
    unsigned int number = 0, argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& info : assembly.ParseConstraints()) {
      if (info.Type == llvm::InlineAsm::isClobber) continue;
      const std::string name = "$" + std::to_string(number++);
      add_register(name);
      if (info.Type == llvm::InlineAsm::isOutput) {
        outputs_.push_back(name);
        continue;
      }
      Value* const value = call_->getArgOperand(argument++);
      write(name, value);
      const std::string code = info.Codes.empty() ? "" : info.Codes.front();
      if (is_number(code)) write("$" + code, value);
    }
  }

  Value* result() {
    llvm::Type* const type = call_->getType();
    if (type->isVoidTy()) return llvm::PoisonValue::get(type);
    if (outputs_.size() == 1) return read(outputs_.front(), type);
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned int i = 0; i < outputs_.size(); ++i) {
      all = builder_.CreateInsertValue(all, read(outputs_[i], type->getStructElementType(i)), i);
    }
    return all;
  }

  Value* as_word(Value* value, bool is_signed = false) {
    if (value->getType()->isPointerTy()) value = builder_.CreatePtrToInt(value, word_);
    llvm::Type* const bits = builder_.getIntNTy(value->getType()->getPrimitiveSizeInBits());
    value = builder_.CreateBitCast(value, bits);
    return is_signed ? builder_.CreateSExtOrTrunc(value, word_)
                     : builder_.CreateZExtOrTrunc(value, word_);
  }
  Value* from_word(Value* value, llvm::Type* type) {
    if (type->isPointerTy()) return builder_.CreateIntToPtr(value, type);
    llvm::Type* const bits = builder_.getIntNTy(type->getPrimitiveSizeInBits());
    return builder_.CreateBitCast(builder_.CreateZExtOrTrunc(value, bits), type);
  }

  // A register, a number, or what the hardware knows. Null: there is no such thing.
  Value* read(const std::string& name, llvm::Type* type) {
    if (const auto known = registers_.find(name); known != registers_.end()) {
      return from_word(builder_.CreateLoad(word_, known->second), type);
    }
    if (name.starts_with('!') && type->isIntegerTy(1)) {
      Value* const value = read(name.substr(1), type);
      return value == nullptr ? nullptr : builder_.CreateNot(value);
    }
    if (name == "WARP_SZ") return llvm::ConstantInt::get(type, 32);
    if (is_number(name)) return number(name, type);
    return name.starts_with('%') && (warp_size_ == 32 || name.find("lane") == std::string::npos)
               ? special_register(name.substr(1), type)
               : nullptr;
  }
  Value* number(const std::string& name, llvm::Type* type) {
    const bool is_float = type->isFloatingPointTy();
    char* end = nullptr;
    std::uint64_t bits = 0;
    if (name.starts_with("0f") || name.starts_with("0F") || name.starts_with("0d") ||
        name.starts_with("0D")) {
      bits = std::strtoull(name.c_str() + 2, &end, 16);
    } else if (is_float) {
      const double value = std::strtod(name.c_str(), &end);
      return *end == '\0' ? llvm::ConstantFP::get(type, value) : nullptr;
    } else {
      bits = name.front() == '-' ? static_cast<std::uint64_t>(std::strtoll(name.c_str(), &end, 0))
                                 : std::strtoull(name.c_str(), &end, 0);
    }
    if (*end == 'U') ++end;
    return *end == '\0' ? from_word(as_word(builder_.getInt64(bits), true), type) : nullptr;
  }
  Value* special_register(std::string name, llvm::Type* type) {
    for (char& c : name) c = c == '.' ? '_' : c;
    llvm::Function* const function = find("reg_" + name);
    return function == nullptr ? nullptr : from_word(as_word(builder_.CreateCall(function)), type);
  }
  Value* read(const Operand& operand, llvm::Type* type) {
    return operand.names.size() == 1 ? read(operand.names.front(), type) : nullptr;
  }

  bool write(const std::string& name, Value* value, bool is_signed = false) {
    const auto known = registers_.find(name);
    if (known == registers_.end()) return name == "_";
    if (value != nullptr) builder_.CreateStore(as_word(value, is_signed), known->second);
    return value != nullptr;
  }

  // The function of assembly.cu, as a declaration in this module.
  llvm::Function* find(const std::string& name) {
    const llvm::Function* const function = functions_.getFunction("ptx_" + name);
    if (function == nullptr) return nullptr;
    llvm::Module& module = *call_->getModule();
    if (llvm::Function* const known = module.getFunction(function->getName())) return known;
    llvm::Function* const made =
        llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                               function->getName(), module);
    made->setAttributes(function->getAttributes());
    return made;
  }

  llvm::BasicBlock* new_block() {
    return llvm::BasicBlock::Create(call_->getContext(), "", call_->getFunction(), end_);
  }
  llvm::BasicBlock* label(const std::string& name) {
    llvm::BasicBlock*& block = labels_[name];
    if (block == nullptr) block = new_block();
    return block;
  }

  bool make(const Instruction& i) {
    if (!i.label.empty()) {
      llvm::BasicBlock* const block = label(i.label);
      if (!placed_.insert(i.label).second) return false;
      builder_.CreateBr(block);
      builder_.SetInsertPoint(block);
      return true;
    }
    if (i.predicate.empty()) return make_one(i);
    Value* const asked = read(i.predicate, builder_.getInt1Ty());
    if (asked == nullptr) return false;
    llvm::BasicBlock* const then = new_block();
    llvm::BasicBlock* const after = new_block();
    builder_.CreateCondBr(asked, i.negated ? after : then, i.negated ? then : after);
    builder_.SetInsertPoint(then);
    const bool made = make_one(i);
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    return made;
  }

  bool make_one(const Instruction& i) {
    const std::string& name = i.parts.front();
    if (name == "bra") return branch(i);
    if (name == "exit") return end_thread(i);
    if (name == "mov") return move(i);
    if (name == "ld" || name == "ldu") return load(i);
    if (name == "st") return store(i);
    if (name == "setp" || name == "set") return compare(i);
    return compute(i);
  }

  bool branch(const Instruction& i) {
    if (i.operands.size() != 1 || i.operands[0].names.size() != 1) return false;
    builder_.CreateBr(label(i.operands[0].names.front()));
    builder_.SetInsertPoint(new_block());
    return true;
  }
  bool end_thread(const Instruction&) {
    builder_.CreateCall(find("exit"));
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(new_block());
    return true;
  }

  // The type that an instruction's name ends in, as bits. Null: none.
  llvm::Type* bits_of(const std::string& part) {
    if (part == "pred") return builder_.getInt1Ty();
    if (part.empty() || std::string("usbf").find(part.front()) == std::string::npos) return nullptr;
    const int bits = std::atoi(part.c_str() + 1);
    const bool known = bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
    const bool alone = part == part.substr(0, 1) + std::to_string(bits);
    return known && alone ? builder_.getIntNTy(static_cast<unsigned int>(bits)) : nullptr;
  }

  // Of a value, or of parts of one on one side.
  bool move(const Instruction& i) {
    llvm::Type* const type = bits_of(i.parts.back());
    if (type == nullptr || i.parts.size() != 2 || i.operands.size() != 2) return false;
    const std::vector<std::string>& to = i.operands[0].names;
    const std::vector<std::string>& from = i.operands[1].names;
    if (to.size() == 1 && from.size() == 1) return write(to.front(), read(from.front(), type));
    const auto count = static_cast<unsigned int>(std::max(to.size(), from.size()));
    const unsigned int bits = type->getIntegerBitWidth() / count;
    if (std::min(to.size(), from.size()) != 1 || bits < 8) return false;
    llvm::Type* const part = builder_.getIntNTy(bits);
    Value* joined = from.size() == 1 ? read(from.front(), type) : llvm::ConstantInt::get(type, 0);
    if (joined == nullptr) return false;
    for (unsigned int n = 0; n < count; ++n) {
      if (from.size() == 1) {
        if (!write(to[n], builder_.CreateTrunc(builder_.CreateLShr(joined, std::uint64_t{n} * bits),
                                               part))) {
          return false;
        }
        continue;
      }
      Value* const piece = read(from[n], part);
      if (piece == nullptr) return false;
      joined = builder_.CreateOr(
          joined, builder_.CreateShl(builder_.CreateZExt(piece, type), std::uint64_t{n} * bits));
    }
    return from.size() == 1 || write(to.front(), joined);
  }

  // Addresses of shared memory are offsets in it. `number`: of the address among the instruction's.
  Value* address(const Instruction& i, const Operand& operand, std::size_t number = 0) {
    std::vector<std::string> spaces;
    for (const std::string& part : i.parts) {
      if (kSpaces.count(plain(part)) != 0) spaces.push_back(plain(part));
    }
    const bool shared = !spaces.empty() && spaces[std::min(number, spaces.size() - 1)] == "shared";
    Value* base = read(operand, shared ? builder_.getInt32Ty() : builder_.getInt64Ty());
    if (base == nullptr) return nullptr;
    base = shared ? builder_.CreateCall(find("shared_address"), base)
                  : builder_.CreateIntToPtr(base, builder_.getPtrTy());
    return builder_.CreatePtrAdd(base,
                                 builder_.getInt64(static_cast<std::uint64_t>(operand.offset)));
  }

  // What a load or a store moves: the type, and whether threads may wait by it.
  struct Access {
    llvm::Type* part;
    llvm::Type* all;
    bool ordered, acquires, releases;
    llvm::Align alignment;
  };
  bool read_access(const Instruction& i, std::size_t count, std::size_t operands, Access* made) {
    const std::set<std::string> vectors = {"v2", "v4", "v8"};
    bool hint = false, ordered = false;
    for (std::size_t n = 1; n + 1 < i.parts.size(); ++n) {
      const std::string& part = i.parts[n];
      hint = hint || part == "L2::cache_hint";
      ordered = ordered || kOrdered.count(part) != 0;
      if (!is_hint(part) && kWithoutMeaning.count(part) == 0 && kSpaces.count(plain(part)) == 0 &&
          (vectors.count(part) == 0 || part != "v" + std::to_string(count))) {
        return false;
      }
    }
    made->part = bits_of(i.parts.back());
    if (made->part == nullptr || made->part->isIntegerTy(1) ||
        i.operands.size() != operands + (hint ? 1 : 0)) {
      return false;
    }
    made->all = count == 1
                    ? made->part
                    : llvm::FixedVectorType::get(made->part, static_cast<unsigned int>(count));
    const std::uint64_t bytes = made->part->getIntegerBitWidth() / 8 * count;
    made->alignment = llvm::Align(bytes);
    made->ordered = ordered;
    made->acquires = i.has("acquire");
    made->releases = i.has("release");
    return true;
  }

  // Vectors are read and written at once: programs count on it, for values with a flag beside them.
  // A thread that waits for another reads again and again.
  bool load(const Instruction& i) {
    Access access;
    if (i.operands.size() < 2 || !i.operands[1].is_address) return false;
    const std::vector<std::string>& to = i.operands[0].names;
    if (!read_access(i, to.size(), 2, &access)) return false;
    Value* const from = address(i, i.operands[1]);
    if (from == nullptr) return false;
    llvm::LoadInst* const all = builder_.CreateAlignedLoad(access.all, from, access.alignment);
    all->setVolatile(access.ordered);
    if (access.acquires) builder_.CreateFence(llvm::AtomicOrdering::Acquire);
    const bool is_signed = i.parts.back().front() == 's';
    for (std::size_t n = 0; n < to.size(); ++n) {
      Value* const part = to.size() == 1 ? all : builder_.CreateExtractElement(all, n);
      if (!write(to[n], part, is_signed)) return false;
    }
    return true;
  }

  bool store(const Instruction& i) {
    Access access;
    if (i.operands.size() < 2 || !i.operands[0].is_address) return false;
    const std::vector<std::string>& from = i.operands[1].names;
    if (!read_access(i, from.size(), 2, &access)) return false;
    Value* const to = address(i, i.operands[0]);
    Value* all = llvm::PoisonValue::get(access.all);
    for (std::size_t n = 0; n < from.size(); ++n) {
      Value* const part = read(from[n], access.part);
      if (part == nullptr) return false;
      all = from.size() == 1 ? part : builder_.CreateInsertElement(all, part, n);
    }
    if (to == nullptr) return false;
    if (access.releases) builder_.CreateFence(llvm::AtomicOrdering::Release);
    builder_.CreateAlignedStore(all, to, access.alignment)->setVolatile(access.ordered);
    return true;
  }

  // setp.lt.and.s32 p|q, a, b, c: p is a < b && c, q is !(a < b) && c. set.lt.u32.s32 gives a
  // number.
  bool compare(const Instruction& i) {
    std::string name = "setp";
    std::string combine;
    std::vector<std::string> types;
    for (std::size_t n = 1; n < i.parts.size(); ++n) {
      const std::string& part = i.parts[n];
      if (part == "ftz") continue;
      const bool is_type = bits_of(part) != nullptr || part == "bf16";
      if (is_type) types.push_back(part);
      if (n != 1 && (part == "and" || part == "or" || part == "xor")) {
        combine = part;
      } else if (!is_type) {
        name += "_" + part;
      }
    }
    const bool sets = i.parts.front() == "set";
    if (types.size() != (sets ? 2 : 1)) return false;
    llvm::Function* const function = find(name + "_" + types.back());
    if (function == nullptr || i.operands.size() != (combine.empty() ? 3 : 4)) return false;
    const llvm::FunctionType* const type = function->getFunctionType();
    Value* const a = read(i.operands[1], type->getParamType(0));
    Value* const b = read(i.operands[2], type->getParamType(1));
    if (a == nullptr || b == nullptr) return false;
    Value* first = builder_.CreateCall(function, {a, b});
    Value* second = builder_.CreateNot(first);
    if (!combine.empty()) {
      Value* const other = read(i.operands[3], builder_.getInt1Ty());
      if (other == nullptr) return false;
      const auto both = [&](Value* value) {
        return combine == "and"  ? builder_.CreateAnd(value, other)
               : combine == "or" ? builder_.CreateOr(value, other)
                                 : builder_.CreateXor(value, other);
      };
      first = both(first);
      second = both(second);
    }
    if (sets && types.front() == "f32") first = builder_.CreateUIToFP(first, builder_.getFloatTy());
    return write(i.operands[0].names.front(), first, sets) &&
           (i.operands[0].second.empty() || write(i.operands[0].second, second));
  }

  // The function's name: the parts that have a meaning.
  static std::string function_name(const Instruction& i) {
    const std::string& first = i.parts.front();
    const bool names_space = first == "cvta" || first == "isspacep";
    std::string name = first == "red" ? "atom" : first == "barrier" ? "bar" : first;
    for (std::size_t n = 1; n < i.parts.size(); ++n) {
      const std::string& part = i.parts[n];
      const bool drops = kWithoutMeaning.count(part) != 0 || is_hint(part) ||
                         (!names_space && kSpaces.count(plain(part)) != 0);
      if (!drops) name += "_" + plain(part);
    }
    return name;
  }
  // Tells one place in the program from another.
  std::string place() const {
    const llvm::DebugLoc& at = call_->getDebugLoc();
    constexpr std::uint64_t kMostColumns = 4096;
    return std::to_string(at ? at.getLine() * kMostColumns + at.getCol() % kMostColumns : 0);
  }
  static bool names_lanes(const Instruction& i) {
    static const Names names = {"shfl",  "vote", "match",    "redux",   "activemask",
                                "elect", "mma",  "ldmatrix", "stmatrix"};
    return names.count(i.parts.front()) != 0 || i.has("warp");
  }

  // By the function of the instruction's name: its result goes to the first operand, the others are
  // its arguments. With two results the function's name ends in _2; the second is a bit.
  bool compute(const Instruction& i) {
    std::vector<Operand> operands = i.operands;
    const std::string& first = i.parts.front();
    if (i.has("L2::cache_hint") && !operands.empty()) operands.pop_back();
    if (first == "activemask") operands.push_back(Operand{{place()}, "", false, 0});
    if (first == "red") operands.insert(operands.begin(), Operand{{"_"}, "", false, 0});
    std::string name = function_name(i);
    if (warp_size_ != 32 && names_lanes(i)) return false;
    if (!operands.empty() && !operands.front().second.empty()) name += "_2";
    bool saturates = false;
    if (i.has("sat") && find(name) == nullptr) {
      saturates = true;
      name.replace(name.find("_sat"), 4, "");
    }
    llvm::Function* function = find(name);
    if (function == nullptr) function = find(name + "_of" + std::to_string(operands.size()));
    if (function == nullptr) return false;
    const llvm::FunctionType* const type = function->getFunctionType();
    const std::size_t results = type->getReturnType()->isVoidTy() ? 0 : 1;
    if (operands.size() < results) return false;
    // Registers in braces are arguments of their own.
    std::vector<Operand> inputs;
    for (std::size_t n = results; n < operands.size(); ++n) {
      if (operands[n].is_address) inputs.push_back(operands[n]);
      if (operands[n].is_address) continue;
      for (const std::string& one : operands[n].names) inputs.push_back({{one}, "", false, 0});
    }
    if (inputs.size() != type->getNumParams()) return false;
    std::vector<Value*> arguments;
    std::size_t addresses = 0;
    for (const Operand& input : inputs) {
      llvm::Type* const wanted = type->getParamType(static_cast<unsigned int>(arguments.size()));
      if (input.is_address != wanted->isPointerTy()) return false;
      arguments.push_back(input.is_address ? address(i, input, addresses++)
                                           : flushed(i, read(input, wanted)));
      if (arguments.back() == nullptr) return false;
    }
    Value* value = builder_.CreateCall(function, arguments);
    if (results == 0) return true;
    value = flushed(i, value);
    if (saturates) {
      if (!value->getType()->isFloatTy()) return false;
      value = builder_.CreateCall(find("saturated"), value);
    }
    const std::vector<std::string>& to = operands.front().names;
    if (const auto* const parts = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
      bool written = to.size() == parts->getNumElements();
      for (std::size_t n = 0; written && n < to.size(); ++n) {
        written = write(to[n], builder_.CreateExtractElement(value, n));
      }
      return written;
    }
    if (to.size() != 1) return false;
    // The register may be wider.
    const bool is_signed =
        first == "cvt" && i.parts.size() > 2 && i.parts[i.parts.size() - 2].starts_with('s');
    if (operands.front().second.empty()) {
      return write(operands.front().names.front(), value, is_signed);
    }
    return write(operands.front().names.front(),
                 builder_.CreateTrunc(value, builder_.getInt32Ty())) &&
           write(operands.front().second,
                 builder_.CreateTrunc(builder_.CreateLShr(value, 32), builder_.getInt1Ty()));
  }

  Value* flushed(const Instruction& i, Value* value) {
    if (value == nullptr || !i.has("ftz") || !value->getType()->isFloatTy()) return value;
    return builder_.CreateCall(find("flushed"), value);
  }

  llvm::CallInst* const call_;
  const llvm::Module& functions_;
  const int warp_size_;
  llvm::IRBuilder<> builder_;
  llvm::Type* word_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;  // what comes after it
  std::map<std::string, llvm::AllocaInst*> registers_;
  std::map<std::string, llvm::BasicBlock*> labels_;
  Names placed_;
  std::vector<std::string> outputs_;
};

std::vector<llvm::CallInst*> find_assembly(llvm::Module* module) {
  std::vector<llvm::CallInst*> found;
  for (llvm::Function& function : *module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->isInlineAsm()) found.push_back(call);
    }
  }
  return found;
}

}  // namespace

void expand_assembly(DeviceModule* code, const std::string& functions_file, int warp_size) {
  llvm::Module& module = *code->module;
  const std::vector<llvm::CallInst*> found = find_assembly(&module);
  if (found.empty()) return;
  llvm::SMDiagnostic why;
  std::unique_ptr<llvm::Module> functions =
      llvm::getLazyIRFileModule(functions_file, why, module.getContext());
  if (functions == nullptr) {
    throw std::runtime_error(functions_file + ": " + why.getMessage().str());
  }
  for (const char* const note : {"llvm.module.flags", "llvm.ident", "nvvm.annotations"}) {
    if (auto* const node = functions->getNamedMetadata(note)) node->eraseFromParent();
  }
  for (llvm::CallInst* const call : found) Expansion(call, *functions, warp_size).run();
  if (llvm::Linker::linkModules(module, std::move(functions), llvm::Linker::LinkOnlyNeeded)) {
    throw std::runtime_error(functions_file + ": it does not fit the module");
  }
}

}  // namespace kernels
