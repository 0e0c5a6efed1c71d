/* torchada, for programs that want to know what serves them. Link with -ltorchada, which needs
   libc alone, or look the functions up with dlsym: without torchada they are simply not there.

   Nothing here opens a library, starts MUSA or changes anything. MUSA is opened by the first CUDA
   call that needs it: before that, torchada_backend() is "none". All functions may be called from
   any thread. */
#ifndef TORCHADA_TORCHADA_H
#define TORCHADA_TORCHADA_H

#ifdef __cplusplus
extern "C" {
#endif

/* The version of torchada, for example "0.1.0". Never null. */
const char* torchada_version(void);

/* 1 if a CUDA library of this torchada installation is loaded in the process, otherwise 0. */
int torchada_active(void);

/* What the CUDA libraries run on: "musa", "host" (the CPU stand-in), or "none" while no
   libmusart is loaded in the process. Never null. */
const char* torchada_backend(void);

/* The path of that libmusart; empty if none is loaded. Never null; valid while libmusart is
   loaded, which is until the process ends if our libraries loaded it. */
const char* torchada_backend_path(void);

/* The version of its SDK, major * 10000 + minor * 100 + patch; 0 if none is loaded. */
int torchada_sdk(void);

/* What to expect of a CUDA function. */
enum torchada_standing_t {
  TORCHADA_UNKNOWN = 0,    /* No library of ours exports it. */
  TORCHADA_SUPPORTED = 1,  /* MUSA has it, by evidence. */
  TORCHADA_ASSUMED = 2,    /* The same, on weaker evidence. */
  TORCHADA_EMULATED = 3,   /* Served by torchada itself, with MUSA's help where needed. */
  TORCHADA_UNSUPPORTED = 5 /* Returns its library's error. (4 is no standing.) */
};

/* According to the tables, whatever MUSA is installed. Uses the major of our CUDA libraries that
   the process has loaded, or 12 if it has loaded none or several majors. Null is unknown. */
enum torchada_standing_t torchada_standing(const char* symbol);

/* The same for a CUDA major: 11, 12 or 13. */
enum torchada_standing_t torchada_standing_in(const char* symbol, int major);

/* "supported", ...; "unknown" for any other number. */
const char* torchada_standing_name(enum torchada_standing_t standing);

#ifdef __cplusplus
}
#endif

#endif
