// A plugin of clang's: closures get the layout that they have in programs that nvcc builds.
//
// nvcc replaces a lambda that is __host__ and __device__ by a class of its own. Behind the captures
// that class has a pointer to the lambda itself, unless the lambda can become a pointer to a
// function. A kernel that gets such a lambda within something larger, as Thrust and PyTorch do,
// finds what follows it 8 bytes later.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExternalASTSource.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

template <typename Attribute>
bool says(const clang::FunctionDecl& function) {
  const auto* const attribute = function.getAttr<Attribute>();
  return attribute != nullptr && !attribute->isImplicit();
}

bool is_for_host(const clang::FunctionDecl& function) {
  return !function.hasAttr<clang::CUDAGlobalAttr>() &&
         (says<clang::CUDAHostAttr>(function) || !says<clang::CUDADeviceAttr>(function));
}

// Does nvcc keep a pointer in this closure?
bool has_pointer(const clang::CXXRecordDecl& closure) {
  if (!closure.isLambda() || closure.isDependentContext() || closure.isGenericLambda()) {
    return false;
  }
  const bool becomes_function =
      closure.getLambdaCaptureDefault() == clang::LCD_None && closure.capture_size() == 0;
  const clang::CXXMethodDecl* const call = closure.getLambdaCallOperator();
  const auto* const around =
      llvm::dyn_cast_or_null<clang::FunctionDecl>(closure.getParentFunctionOrMethod());
  return !becomes_function && says<clang::CUDAHostAttr>(*call) &&
         says<clang::CUDADeviceAttr>(*call) && around != nullptr && is_for_host(*around);
}

class Layouts : public clang::ExternalASTSource {
 public:
  // Sizes, alignments and offsets are in bits.
  bool layoutRecordType(
      const clang::RecordDecl* record, std::uint64_t& size, std::uint64_t& alignment,
      llvm::DenseMap<const clang::FieldDecl*, std::uint64_t>& offsets,
      llvm::DenseMap<const clang::CXXRecordDecl*, clang::CharUnits>& /*bases*/,
      llvm::DenseMap<const clang::CXXRecordDecl*, clang::CharUnits>& /*virtual_bases*/) override {
    const auto* const closure = llvm::dyn_cast<clang::CXXRecordDecl>(record);
    if (closure == nullptr || !has_pointer(*closure)) return false;
    constexpr std::uint64_t kPointer = 64;
    const clang::ASTContext& context = record->getASTContext();
    size = 0;
    alignment = kPointer;
    for (const clang::FieldDecl* const field : record->fields()) {
      const clang::TypeInfo type = context.getTypeInfo(field->getType());
      offsets[field] = llvm::alignTo(size, type.Align);
      size = offsets[field] + type.Width;
      alignment = std::max<std::uint64_t>(alignment, type.Align);
    }
    size = llvm::alignTo(llvm::alignTo(size, kPointer) + kPointer, alignment);
    return true;
  }
};

class Consumer : public clang::ASTConsumer {
  void Initialize(clang::ASTContext& context) override { context_ = &context; }
  // Not earlier: clang's builtins are missing where such a source is there from the start.
  bool HandleTopLevelDecl(clang::DeclGroupRef /*declarations*/) override {
    if (context_->getExternalSource() == nullptr) {
      context_->setExternalSource(llvm::makeIntrusiveRefCnt<Layouts>());
    }
    return true;
  }

  clang::ASTContext* context_ = nullptr;
};

class Closures : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const clang::CompilerInstance& /*compiler*/,
                 const std::vector<std::string>& /*arguments*/) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Closures> kClosures("torchada-closures",
                                                             "closures as nvcc lays them out");

}  // namespace
