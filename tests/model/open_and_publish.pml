/* How the replacement libraries open MUSA and publish what they find without a lock: a model for
 * spin.
 *
 * README.md maps each step to the function and the atomic operation in stubs/ that it stands for,
 * and says what the model takes for granted. run_model.py lists the macros of each scenario, and
 * the mutants, which must fail:
 *   REPLACEMENTS     replacement libraries in the process, 1 or 2
 *   CALLS_0, 1, 2    first calls that each of three threads makes: 0 (thread 2 only), 1 or 2
 *   EXIT, FORK       the process exits or forks at any moment
 *   CALLBACK         a constructor of MUSA calls a CUDA function: of the runtime
 *   SIBLING_CALLS_BACK, and of the sibling too
 *   STRANGER         the program loads a MUSA of its own at any moment
 *   MUTANT_...       one defect
 */

/* Threads are 0 to 2, and: */
#define FORKING 3
#define LOADING 4
#define ALL_THREADS 5
#define NOBODY 255
#define SYMBOLS 2

/* MUSA's libraries. The sibling lies beside the runtime of the same installation. */
#define RUNTIME 0
#define SIBLING 1

/* Installations: the one that the environment names, and one that the program loads by itself. */
#define NAMED 1
#define STRANGE 2

/* Symbol 0 leads to the runtime, and which of its two spellings is right depends on the SDK.
 * Symbol 1 leads to the sibling. With two replacement libraries each has one of them. */
#define LIBRARY_OF(symbol) (symbol)
#if REPLACEMENTS == 2
#define REPLACEMENT_OF(symbol) (symbol)
#else
#define REPLACEMENT_OF(symbol) 0
#endif

/* What a slot holds. An address in MUSA says which spelling, library and installation it is of. */
#define NULL_SLOT 0
#define COLD 1
#define ENDED 2 /* The fallback of exit, or of a child of fork(). */
#define MUSA(installation, library, spelling) (8 + 4 * (installation) + 2 * (library) + (spelling))
#define IS_MUSA(value) ((value) >= 8)
#define INSTALLATION_IN(value) (((value) - 8) / 4)
#define LIBRARY_IN(value) ((((value) - 8) / 2) % 2)
#define SPELLING_IN(value) (((value) - 8) % 2)
#define RIGHT_SPELLING(symbol) (1 - (symbol)) /* Symbol 1 has one spelling, number 0. */

/* ---- The state of each replacement library: backend.cpp, lifetime.cpp, torchada_slots ---- */
#define UNWRITTEN 0
#define HALF_WRITTEN 255
byte storage[REPLACEMENTS];
bool claimed[REPLACEMENTS];
bool published[REPLACEMENTS];
byte sibling[REPLACEMENTS];
#define UNKNOWN 0
#define UNTOLD 1 /* MUSA did not tell its version. */
#define TOLD 2
byte sdk[REPLACEMENTS];
bool over[REPLACEMENTS];
bool was_cut_off[REPLACEMENTS]; /* In a child of fork(): another thread was in a dlopen of this replacement library. */
bool watches[REPLACEMENTS]; /* Handlers for exit and fork are registered. */
byte slot[SYMBOLS];
#ifdef MUTANT_LOCK_ACROSS_DLOPEN
bool own_lock[REPLACEMENTS];
#endif

/* ---- The state of each thread in each replacement library: stubs/system/thread.cpp ---- */
byte opening[REPLACEMENTS * ALL_THREADS];
#define OPENING(thread, replacement) opening[(replacement) * ALL_THREADS + (thread)]
#if REPLACEMENTS == 2
#define CONSTRUCTORS(thread) (OPENING(thread, 0) + OPENING(thread, 1))
#else
#define CONSTRUCTORS(thread) OPENING(thread, 0)
#endif
#define IN_CONSTRUCTOR(thread) (CONSTRUCTORS(thread) != 0)

/* ---- stubs/process/peers.cpp: what one replacement library asks the other ---- */
#ifdef MUTANT_CHILD_DOES_NOT_KNOW_WHAT_WAS_HALF_DONE
#define IS_OVER_HERE(replacement) over[replacement]
#else
#define IS_OVER_HERE(replacement) (over[replacement] || was_cut_off[replacement])
#endif
#if REPLACEMENTS == 2 && !defined(MUTANT_LIBRARIES_DO_NOT_ASK_EACH_OTHER)
#define IS_OPENING(thread, replacement) IN_CONSTRUCTOR(thread)
#define IS_OVER_ELSEWHERE(replacement) IS_OVER_HERE(1 - (replacement))
#else
#define IS_OPENING(thread, replacement) (OPENING(thread, replacement) != 0)
#define IS_OVER_ELSEWHERE(replacement) false
#endif
#define IS_OVER(replacement) (IS_OVER_HERE(replacement) || (!watches[replacement] && IS_OVER_ELSEWHERE(replacement)))

/* ---- The dynamic loader: one recursive lock, held while constructors run ---- */
#define OBJECT(installation, library) (2 * ((installation) - 1) + (library))
byte lock_owner = NOBODY;
byte lock_depth;
bool mapped[4];
bool constructed[4];
byte first_runtime; /* The first runtime in the loader's list; 0 if none is there. */

/* ---- exit(): handlers run last registered first. ---- */
#define END_OF(replacement) (replacement)
#define DESTRUCTOR_OF(object) (4 + (object))
#define HANDLERS 6
byte handler[HANDLERS];
byte handlers;
bool exit_began;
bool promised[REPLACEMENTS * 4]; /* By replacement library and object: watched when exit() began. */
bool destroyed[4];        /* The destructor of an object that a replacement library watched has run. */
byte place; /* Of the loops below; 0 between steps. */
bool seen_end;

/* ---- What the promises are about ---- */
byte the_one;     /* The installation that calls have reached. */
bool used[REPLACEMENTS]; /* A call through this replacement library has reached MUSA. */
bool child;       /* fork() has happened, and this is the child. */
bool half_done;   /* In the child: the thread that was in the loader is gone. */
bool returned[ALL_THREADS]; /* The call that a constructor makes has returned. */

/* Whether exit() runs the end of the replacement library before the destructor of the object, if
 * it runs both. */
inline is_watched(replacement, object, result) {
  result = true;
  seen_end = false;
  place = handlers;
  do
  :: place > 0 ->
    place--;
    if
    :: handler[place] == END_OF(replacement) -> seen_end = true
    :: handler[place] == DESTRUCTOR_OF(object) && !seen_end -> result = false
    :: else
    fi
  :: else -> break
  od;
  result = result && seen_end;
  place = 0;
  seen_end = false
}

/* atexit. The end of a replacement library does nothing when it runs again, so only its last place
 * counts, and the model keeps that one alone. */
inline register_handler(which) {
  place = 0;
  do
  :: place < handlers && handler[place] != which -> place++
  :: else -> break
  od;
  do
  :: place + 1 < handlers -> handler[place] = handler[place + 1]; place++
  :: else -> break
  od;
  if
  :: place == handlers -> handlers++
  :: else
  fi;
  assert(handlers <= HANDLERS);
  handler[handlers - 1] = which;
  place = 0
}

/* Every store to a slot comes by here, in the same step. */
inline store_slot(symbol, value) {
  assert(value != NULL_SLOT);
  assert(slot[symbol] != ENDED || value == ENDED);        /* Never back to MUSA. */
  assert(!IS_MUSA(slot[symbol]) || value == slot[symbol] || value == ENDED); /* Idempotent. */
  slot[symbol] = value
}

/* dlopen maps a library and constructs it while it holds the lock. From the second time on it
 * returns what is there, even to the thread that constructs it; other threads wait. With CALLBACK
 * the runtime's constructor calls a CUDA function. Its last act is to register its destructor. */
#define MAY_ENTER_LOADER(thread) (lock_owner == NOBODY || lock_owner == (thread))
#define LOADED(installation, library) mapped[OBJECT(installation, library)]
inline map(thread, installation, library) {
  lock_owner = thread;
  lock_depth++;
  mapped[OBJECT(installation, library)] = true;
  if
  :: library == RUNTIME && first_runtime == 0 -> first_runtime = installation
  :: else
  fi
}

/* The end changes nothing when it runs again. */
inline register_end(replacement) {
  if
  :: !over[replacement] -> register_handler(END_OF(replacement))
  :: else
  fi
}

inline call_back(thread) {
  returned[thread] = false;
  if
  :: run Callback(thread, 0)
  :: run Callback(thread, 1)
  fi;
  returned[thread]
}

inline constructed_now(installation, library) {
  if /* During exit() no promise is made about the library. */
  :: !exit_began -> register_handler(DESTRUCTOR_OF(OBJECT(installation, library)))
  :: else
  fi;
  constructed[OBJECT(installation, library)] = true;
  lock_depth--;
  lock_owner = (lock_depth == 0 -> NOBODY : lock_owner)
}

/* loader.cpp, open_library. A loader that a thread left half done must not be asked. */
inline open_library(thread, replacement, installation, library) {
  if
  :: d_step { MAY_ENTER_LOADER(thread) && LOADED(installation, library) -> assert(!half_done) }
  :: d_step {
       MAY_ENTER_LOADER(thread) && !LOADED(installation, library) ->
       assert(!half_done);
       OPENING(thread, replacement)++;
       map(thread, installation, library)
     };
#ifdef CALLBACK
    if
#ifdef SIBLING_CALLS_BACK
    :: CONSTRUCTORS(thread) == 1 -> call_back(thread) /* `returned` tells of one call at a time. */
#else
    :: library == RUNTIME && installation == NAMED -> call_back(thread)
#endif
    :: else
    fi;
#endif
    d_step {
      constructed_now(installation, library);
      OPENING(thread, replacement)--
    }
  fi
}

/* lifetime.cpp, end: every slot that leads to MUSA gets the fallback. */
inline end_slots(replacement) {
  if
  :: REPLACEMENT_OF(0) == replacement -> d_step { store_slot(0, ENDED) }
  :: else
  fi;
  if
  :: REPLACEMENT_OF(1) == replacement -> d_step { store_slot(1, ENDED) }
  :: else
  fi
}

/* lifetime.cpp, watch_lifetime */
inline watch_lifetime(replacement) {
  d_step { /* No scenario has both exit and fork, so the order of the two does not show. */
    register_end(replacement);
    watches[replacement] = true
  }
#if REPLACEMENTS == 2
  /* Another replacement library may have ended before this one watched. */
  if
  :: IS_OVER_ELSEWHERE(replacement) -> over[replacement] = true; end_slots(replacement)
  :: else
  fi
#endif
}

/* opening.cpp, open_installation: into `own`. */
inline open_installation(thread, replacement, own) {
  own = first_runtime; /* use_loaded_installation: find_loaded */
  if
  :: own != 0 -> open_library(thread, replacement, own, RUNTIME) /* RTLD_NOLOAD: waits, and finds it. */
  :: else ->
    open_library(thread, replacement, NAMED, RUNTIME); /* open_new_installation */
#ifdef MUTANT_ROOT_CHECKED_BEFORE_ONLY
    own = NAMED
#else
    own = first_runtime /* The first in the loader's list is the one that everybody finds. */
#endif
  fi
}

/* claimed.exchange; the winner starts to write `storage`. */
inline claim(replacement, lost) {
  d_step {
    claimed[replacement] = true;
    if
    :: !lost ->
      assert(!published[replacement]); /* A published Backend is immutable. */
      storage[replacement] = HALF_WRITTEN
    :: else
    fi
  }
}

/* backend.cpp, publish */
inline publish(replacement, own) {
#ifdef MUTANT_PUBLISH_BEFORE_COMPLETE
  published[replacement] = true;
#endif
  storage[replacement] = own;
  published[replacement] = true;
#ifdef MUTANT_WATCH_AFTER_PUBLISHING
  watch_lifetime(replacement)
#endif
}

/* backend.cpp, get_backend: the installation into `backend`. */
inline get_backend(thread, replacement, backend, settled, lost) {
  atomic {
    if
    :: published[replacement] ->
      backend = storage[replacement];
      assert(backend != UNWRITTEN && backend != HALF_WRITTEN);
      settled = true /* What is published is constructed. */
    :: else ->
      backend = 0;
#ifdef MUTANT_KEEPS_WHAT_A_CONSTRUCTOR_RESOLVED
      settled = true
#else
      settled = !IS_OPENING(thread, replacement)
#endif
    fi
  }
  if
  :: backend != 0
  :: else ->
#ifdef MUTANT_LOCK_ACROSS_DLOPEN
    atomic { !own_lock[replacement] -> own_lock[replacement] = true }
#endif
    open_installation(thread, replacement, backend);
#ifdef MUTANT_LOCK_ACROSS_DLOPEN
    own_lock[replacement] = false;
#endif
    if
    :: !settled
    :: else ->
#ifndef MUTANT_WATCH_AFTER_PUBLISHING
#ifdef MUTANT_ONLY_THE_PUBLISHER_WATCHES
      skip;
#else
      watch_lifetime(replacement);
#endif
#endif
#ifdef MUTANT_CLAIM_CHECKED_THEN_SET
      lost = claimed[replacement];
      claim(replacement, lost);
#else
      atomic { /* claimed.exchange */
        lost = claimed[replacement];
        claim(replacement, lost)
      }
#endif
      if
      :: !lost ->
#ifdef MUTANT_ONLY_THE_PUBLISHER_WATCHES
        watch_lifetime(replacement);
#endif
        publish(replacement, backend)
      :: else ->
        d_step {
          lost = false;
          settled = published[replacement];
          if
          :: settled -> backend = storage[replacement]
          :: else
          fi
        }
      fi
    fi
  fi
}

/* backend.cpp, get_library */
inline get_library(thread, replacement, library, backend, settled) {
  if
  :: library == RUNTIME
  :: else ->
    if
    :: sibling[replacement] != 0 -> assert(sibling[replacement] == backend)
    :: else ->
#ifndef MUTANT_KEEPS_A_SIBLING_UNDER_CONSTRUCTION
      settled = settled && !IS_OPENING(thread, replacement);
#endif
      open_library(thread, replacement, backend, SIBLING); /* open_sibling */
#ifndef MUTANT_SIBLING_IS_NOT_WATCHED
      if
#ifdef MUTANT_LOSER_DOES_NOT_WATCH_THE_SIBLING
      :: d_step { settled -> register_end(replacement) }
#else
      :: d_step { !IS_OPENING(thread, replacement) -> register_end(replacement) } /* watch_exit */
#endif
      :: else
      fi;
#endif
      if
      :: settled -> sibling[replacement] = backend
      :: else
      fi
    fi
  fi
}

/* backend.cpp, get_sdk, and suits: the spelling that the SDK has. */
inline get_spelling(replacement, symbol, backend, settled, spelling) {
  if
  :: RIGHT_SPELLING(symbol) == 0 -> spelling = 0
  :: else ->
    if
    :: d_step { sdk[replacement] != UNKNOWN -> spelling = sdk[replacement] }
    :: d_step {
         sdk[replacement] == UNKNOWN ->
         /* musaRuntimeGetVersion, which may not work before the constructor has ended. */
         spelling = (constructed[OBJECT(backend, RUNTIME)] -> TOLD : UNTOLD)
       };
#ifdef MUTANT_KEEPS_THE_VERSION_OF_A_CONSTRUCTOR
      sdk[replacement] = spelling
#else
      if
      :: settled -> sdk[replacement] = spelling
      :: else
      fi
#endif
    fi;
    spelling = (spelling == TOLD -> 1 : 0)
  fi
}

/* The jump: what it reaches is what the promises are about. */
inline jump(thread, symbol, late, seen, backend, settled, spare, found) {
  d_step {
    assert(found == ENDED || IS_MUSA(found));
    /* A call that begins after the end does not reach MUSA. */
    assert(!late || found == ENDED);
    if
    :: IS_MUSA(found) ->
      assert(LIBRARY_IN(found) == LIBRARY_OF(symbol));
      /* One MUSA for everybody. */
      assert(the_one == 0 || the_one == INSTALLATION_IN(found));
      the_one = INSTALLATION_IN(found);
      /* A child of fork() does not reach a MUSA that its parent has used. */
      assert(!child || !(used[0] || used[REPLACEMENTS - 1]));
      /* Nobody but the thread that constructs a library sees it before it is constructed. */
      assert(constructed[OBJECT(the_one, RUNTIME)] || lock_owner == thread);
      assert(constructed[OBJECT(the_one, LIBRARY_OF(symbol))] || lock_owner == thread);
      if
      :: !child && !IN_CONSTRUCTOR(thread) ->
        /* The end is watched before anybody uses MUSA. */
        assert(watches[REPLACEMENT_OF(symbol)]);
        if
        :: !exit_began ->
          is_watched(REPLACEMENT_OF(symbol), OBJECT(the_one, LIBRARY_OF(symbol)), spare);
          assert(spare);
          is_watched(REPLACEMENT_OF(symbol), OBJECT(the_one, RUNTIME), spare);
          assert(spare)
        :: else
        fi;
        used[REPLACEMENT_OF(symbol)] = true
      :: else
      fi
    :: else
    fi;
    found = 0;
    seen = 0;
    backend = 0;
    late = false;
    settled = false;
    spare = false
  }
}

/* resolver.cpp, torchada_resolve, and the trampoline before it: the address that is jumped to. */
inline call(thread, symbol, late, seen, backend, settled, spare, found) {
  /* Trampoline: the load of the slot. */
  atomic {
    late = (over[REPLACEMENT_OF(symbol)] && slot[symbol] == COLD) || destroyed[OBJECT(NAMED, RUNTIME)] ||
           destroyed[OBJECT(STRANGE, RUNTIME)];
    found = slot[symbol]
  }
  if
  :: found != COLD -> jump(thread, symbol, late, seen, backend, settled, spare, found)
  :: else ->
    d_step {
      seen = slot[symbol];
#ifndef MUTANT_NEVER_ASKS_WHETHER_IT_IS_OVER
      if
      :: IS_OVER(REPLACEMENT_OF(symbol)) -> found = ENDED; settled = true /* is_over */
      :: else
      fi
#endif
    };
    if
    :: found == ENDED
    :: else ->
      get_backend(thread, REPLACEMENT_OF(symbol), backend, settled, spare);
      get_library(thread, REPLACEMENT_OF(symbol), LIBRARY_OF(symbol), backend, settled);
      get_spelling(REPLACEMENT_OF(symbol), symbol, backend, settled, found);
      /* find_symbol: dlsym waits for constructors of other threads. */
      d_step {
        MAY_ENTER_LOADER(thread) ->
        found = MUSA(backend, LIBRARY_OF(symbol), found);
        backend = 0
      }
    fi;
    d_step { /* __atomic_compare_exchange_n */
      if
#ifdef MUTANT_PLAIN_STORE_TO_THE_SLOT
      :: settled -> store_slot(symbol, found)
#else
      :: settled && slot[symbol] == seen ->
        /* What a thread keeps is what every thread finds. */
        assert(child || !IS_MUSA(found) || SPELLING_IN(found) == RIGHT_SPELLING(symbol));
        store_slot(symbol, found)
#endif
      :: else
      fi;
      settled = false;
      seen = 0
    };
#ifndef MUTANT_NEVER_ASKS_WHETHER_IT_IS_OVER
    atomic {
      if
      :: IS_OVER(REPLACEMENT_OF(symbol)) -> found = ENDED /* is_over */
      :: else
      fi;
      jump(thread, symbol, late, seen, backend, settled, spare, found)
    }
#else
    jump(thread, symbol, late, seen, backend, settled, spare, found)
#endif
  fi
}

#define LOCALS \
  byte seen, backend, found; \
  bool late, settled, spare

#ifdef FORK
#define GONE(thread) unless { child && (thread) != FORKING }
#else
#define GONE(thread)
#endif

#ifdef CALLBACK
/* A constructor of MUSA that calls a CUDA function, on the thread that opens the library. */
proctype Callback(byte thread, symbol) {
  LOCALS;
  {
    call(thread, symbol, late, seen, backend, settled, spare, found);
    returned[thread] = true
  } GONE(thread)
}
#endif

/* A thread whose first calls these are. */
proctype Thread(byte thread, first, calls) {
  LOCALS;
  {
    call(thread, first, late, seen, backend, settled, spare, found);
    if
    :: calls == 2 -> call(thread, 1 - first, late, seen, backend, settled, spare, found)
    :: else
    fi
  } GONE(thread)
}

#ifdef EXIT
/* A destructor runs. No slot of a replacement library that had watched it may lead there. */
#define LEADS_TO(symbol, object) \
  (slot[symbol] / 2 == MUSA(1 + (object) / 2, (object) % 2, 0) / 2) /* By either spelling. */
#define DESTROY(object, replacement) \
  assert(!promised[4 * (replacement) + (object)] || REPLACEMENT_OF(0) != (replacement) || !LEADS_TO(0, object)); \
  assert(!promised[4 * (replacement) + (object)] || REPLACEMENT_OF(1) != (replacement) || !LEADS_TO(1, object)); \
  destroyed[object] = destroyed[object] || promised[4 * (replacement) + (object)]

/* exit(), begun at any moment by a thread that is in no call of ours. */
proctype Exit() {
  byte which = 0;
  d_step {
    exit_began = true;
    do
    :: which < REPLACEMENTS * 4 ->
      is_watched(which / 4, which % 4, promised[which]);
      promised[which] = promised[which] && mapped[which % 4];
      which++
    :: else -> break
    od;
    which = 0
  };
  do
  :: d_step {
       handlers > 0 ->
       handlers--;
       which = handler[handlers];
       handler[handlers] = 0
     };
     if
     :: which >= DESTRUCTOR_OF(0) ->
       d_step {
         DESTROY(which - DESTRUCTOR_OF(0), 0);
#if REPLACEMENTS == 2
         DESTROY(which - DESTRUCTOR_OF(0), 1);
#endif
         which = 0
       }
     :: else ->
       over[which] = true; /* end_by_exit */
       end_slots(which)
     fi
  :: d_step { handlers == 0 -> which = 0 } -> break
  od
}
#endif

#ifdef FORK
/* fork() at any moment, by a thread that is in no call of ours. What follows is the child: the
 * other threads are gone, and the loader's lock is free. The C library sees to both. */
proctype Fork() {
  LOCALS;
  atomic {
    child = true;
    half_done = lock_owner != NOBODY;
    was_cut_off[0] = OPENING(0, 0) + OPENING(1, 0) + OPENING(2, 0) != 0;
#if REPLACEMENTS == 2
    was_cut_off[1] = OPENING(0, 1) + OPENING(1, 1) + OPENING(2, 1) != 0;
#endif
    lock_owner = NOBODY;
    lock_depth = 0;
    if
    :: watches[0] -> over[0] = true; end_slots(0)
    :: else
    fi;
#if REPLACEMENTS == 2
    if
    :: watches[1] -> over[1] = true; end_slots(1)
    :: else
    fi
#endif
  };
  _nr_pr == 2; /* The others are gone. */
  if
  :: call(FORKING, 0, late, seen, backend, settled, spare, found);
     call(FORKING, 1, late, seen, backend, settled, spare, found)
  :: call(FORKING, 1, late, seen, backend, settled, spare, found);
     call(FORKING, 0, late, seen, backend, settled, spare, found)
  fi
}
#endif

#ifdef STRANGER
/* The program loads a MUSA of its own at any moment. */
proctype Stranger() {
  d_step { MAY_ENTER_LOADER(LOADING) -> map(LOADING, STRANGE, RUNTIME) };
  d_step { constructed_now(STRANGE, RUNTIME) }
}
#endif

init {
  atomic {
    byte each = 0;
    do
    :: each < SYMBOLS -> slot[each] = COLD; each++
    :: else -> break
    od;
#ifdef FORK
    run Fork();
#endif
    run Thread(0, 0, CALLS_0);
    run Thread(1, 1, CALLS_1);
#if CALLS_2
    if
    :: run Thread(2, 0, CALLS_2)
    :: run Thread(2, 1, CALLS_2)
    fi;
#endif
#ifdef EXIT
    run Exit();
#endif
#ifdef STRANGER
    run Stranger();
#endif
    each = 0
  }
}
