/* How slots lead calls through a profiler, or no longer, beside first calls that resolve them: a model for spin.
 *
 * README.md maps each step to the function and the atomic operation in stubs/ that it stands for. run_model.py lists
 * the macros of each scenario, and the mutants, which must fail:
 *   CHANGES      how often a profiler begins or ends, at any moment
 *   LATE         the first plan learns of a profiler that began before this library was loaded
 *   EXIT         the process exits at any moment
 *   MUTANT_...   one defect
 */

/* What a slot holds. PLAIN leads to MUSA, SEEN there through the companion, LAST is the fallback of the end. */
#define COLD 1
#define PLAIN 2
#define SEEN 3
#define LAST 4

#define CALLERS 2

byte slot = COLD;
byte epoch = 0; /* Odd: a profiler sees the calls. */
bool over = false;
#ifdef LATE
bool was_planned = false;
#endif
byte resolving = 0; /* Calls between their two looks at the epoch. */
bool changing = false;

#define IS_OBSERVED(of) ((of) % 2 == 1)

/* Replaces what is expected, and does nothing otherwise. */
inline exchange(expected, wanted) {
  d_step {
    if
    :: slot == expected -> slot = wanted
    :: else
    fi
  }
}

/* observe_here: the epoch first, then each slot that is not yet cold. */
inline observe(seen) {
#ifdef MUTANT_SLOTS_BEFORE_THE_EPOCH
  seen = slot;
  exchange(seen, COLD);
  epoch++
#else
  d_step { changing = true; epoch++ };
  seen = slot;
#ifdef MUTANT_PUTS_BACK_WITHOUT_LOOKING
  slot = COLD;
#else
  if
  :: over /* The final fallbacks stay. */
  :: else -> exchange(seen, COLD)
  fi;
#endif
  changing = false
#endif
}

/* A call whose slot is cold: torchada_resolve, settle. */
proctype Caller() {
  byte seen, found, address;
  d_step { seen = slot; resolving++ };
  if
  :: seen != COLD -> goto called
  :: else
  fi;
#ifdef MUTANT_EPOCH_BEFORE_THE_PLAN
  found = epoch;
#endif
#ifdef LATE
  d_step { /* plan_route: watch_lifetime, when MUSA is opened */
    if
    :: !was_planned -> was_planned = true; epoch++
    :: else
    fi
  };
#endif
#ifndef MUTANT_EPOCH_BEFORE_THE_PLAN
  found = epoch;
#endif
  address = (IS_OBSERVED(found) -> SEEN : PLAIN);
#ifdef LATE
  assert(address == SEEN); /* The first call, too. */
#endif
  exchange(seen, address);
#ifndef MUTANT_NO_SECOND_LOOK_AT_THE_EPOCH
  if
  :: epoch != found -> exchange(address, COLD)
  :: else
  fi;
#endif
called:
  resolving--;
  seen = 0; found = 0; address = 0
}

#if CHANGES
proctype Profiler() {
  byte seen, times = 0;
  do
  :: times < CHANGES -> observe(seen); times++
  :: else -> break
  od;
  seen = 0
}
#endif

#ifdef EXIT
/* end: `over` before the slots. */
proctype Exit() {
  over = true;
  slot = LAST
}
#endif

/* Whenever nobody is at it, the slot leads where the epoch says, or is cold: until the end begins. */
active proctype Judge() {
end:
  atomic {
    resolving == 0 && !changing && !over && slot == (IS_OBSERVED(epoch) -> PLAIN : SEEN) -> assert(false)
  }
}

/* Once the slot has the fallback of the end, it keeps it. */
active proctype Last() {
end_before:
  slot == LAST;
end_after:
  atomic { slot != LAST -> assert(slot == LAST) }
}

init {
  atomic {
    byte each = 0;
    do
    :: each < CALLERS -> run Caller(); each++
    :: else -> break
    od;
#if CHANGES
    run Profiler();
#endif
#ifdef EXIT
    run Exit();
#endif
    each = 0
  }
}
