# Options of this architecture: Intel's CET, and code that touches no vector register.
set(TORCHADA_ARCH_COMPILE_OPTIONS -fcf-protection=full)
set(TORCHADA_ARCH_LINK_OPTIONS -Wl,-z,ibt -Wl,-z,shstk)
set(TORCHADA_GENERAL_REGISTERS_ONLY -mgeneral-regs-only)
