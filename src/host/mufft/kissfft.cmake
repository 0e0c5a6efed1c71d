# Finds kissfft.hh, the header of KissFFT that is a C++ template and therefore also computes in
# double. KissFFT's C library does not: distributions build it for float only.
find_path(HOST_KISSFFT_INCLUDE kissfft.hh PATH_SUFFIXES kissfft
  DOC "Directory of kissfft.hh, for the muFFT of the CPU stand-in")
if(NOT HOST_KISSFFT_INCLUDE)
  message(FATAL_ERROR "kissfft.hh (KissFFT) not found: the CPU stand-in's muFFT needs it. "
    "On Debian and Ubuntu install libkissfft-dev (packaging/install-build-deps.sh does), or pass "
    "-DHOST_KISSFFT_INCLUDE=DIRECTORY, or build without the stand-in (-DTORCHADA_BUILD_HOST=OFF).")
endif()
