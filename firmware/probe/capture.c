/*
 * Captures levels of pins into RAM, as whole words of an input register, at a rate timed by the cycle counter. The
 * program does nothing else during a capture. Received bytes end a capture before its trigger. A paced capture they
 * also end later.
 */
#include "probe.h"

#define MAXIMUM_PINS 16
#define RUNS (ANSWER_SIZE / 4)
#define NO_TRIGGER 0xffffffff
/* Samples between two checks of the link before a trigger; a power of two. */
#define LOOK_EVERY 256

enum trigger { IMMEDIATE, LEVEL, EDGE, CHANGE };

static struct {
  /* Number of all samples, number of those before the trigger, and minimum cycles between samples. */
  uint32_t samples, before, period;
  uint32_t trigger_mask, trigger_value;
  uint8_t trigger, bank, pins, reserved;
  uint8_t pin[MAXIMUM_PINS];
  /* Address and value of a write before the first sample; 0 for no write. */
  uint32_t stimulus, stimulus_value;
} wanted;

/* Index of the first kept sample, and number of kept samples. */
static unsigned start, kept;
static uint8_t is_wanted;

#ifdef HOST
static uint32_t capture_start[4096] __attribute__((aligned(LOOK_EVERY * 4)));
#define capture_end (capture_start + 4096)
#else
extern uint32_t capture_start[], capture_end[];
#endif

unsigned capture_capacity(void) {
  return capture_end - capture_start;
}

/* Request: the structure above. */
unsigned start_capture(unsigned length) {
  (void)length;
  keep_request(&wanted, sizeof wanted);
  kept = 0;
  if (wanted.stimulus != 0 && !is_writable(wanted.stimulus)) {
    return ADDRESS_REFUSED;
  }
  is_wanted = wanted.samples - 2 <= capture_capacity() - 2 && wanted.before < wanted.samples - 1 && wanted.pins - 1u < MAXIMUM_PINS &&
              wanted.trigger <= CHANGE && wanted.bank < BANKS;
  return is_wanted ? OK : OUT_OF_RANGE;
}

void serve_capture(void) {
  unsigned levels = GPIO_IN + wanted.bank * 4;
  unsigned period = wanted.period, before = wanted.before;
  unsigned mask = wanted.trigger == IMMEDIATE ? 0 : wanted.trigger_mask;
  unsigned value = wanted.trigger == CHANGE ? ~sample_register(levels) : wanted.trigger_value;
  uint32_t *at = capture_start;
  uint32_t *wrapped = 0;
  /* Missing samples after the trigger; 0 before the trigger. */
  unsigned left = 0;
  int is_level = wanted.trigger < EDGE;
  int is_armed = is_level;
  unsigned begun = 0;
  int has_trigger = 0, is_cancelled = 1;

  if (!is_wanted) {
    return;
  }
  is_wanted = 0;
  if (wanted.stimulus != 0) {
    poke(wanted.stimulus, wanted.stimulus_value);
  }
  for (unsigned last = cycles();;) {
    unsigned word = sample_register(levels);
    *at++ = word;
    if (at == capture_end) {
      wrapped = at;
      at = capture_start;
    }
    if (left > 0) {
      if (--left == 0) {
        begun = cycles() - begun;
        is_cancelled = 0;
        break;
      }
    } else {
      int is_hit = ((word ^ value) & mask) == 0;
      if (is_hit && is_armed && (wrapped || at > capture_start + before)) {
        left = wanted.samples - before - 1;
        begun = cycles();
        has_trigger = 1;
      }
      is_armed = is_level || !is_hit;
      if (((unsigned)(uintptr_t)at & (LOOK_EVERY * 4 - 1)) == 0 && link_waiting()) {
        goto cancelled;
      }
    }
    unsigned now;
    while ((now = cycles()) - last < period) {
      if (link_waiting()) {
        goto cancelled;
      }
    }
    last = now;
  }
cancelled:;
  /* Without a trigger the last samples are kept; an aborted capture keeps the samples taken so far. */
  unsigned size = capture_capacity();
  unsigned all = wrapped ? size : (unsigned)(at - capture_start);
  unsigned later = wanted.samples - before - left;
  kept = has_trigger ? before + later : wanted.samples;
  kept = kept < all ? kept : all;
  start = at - capture_start + (at - capture_start < (int)kept ? size : 0) - kept;
  answer.words[0] = kept;
  answer.words[1] = has_trigger ? kept - later : NO_TRIGGER;
  answer.words[2] = begun;
  answer.words[3] = wanted.samples - before - 1;
  send_frame(CAPTURE_DONE, is_cancelled, answer.words, 16, OK);
}

static unsigned levels_of(unsigned word) {
  unsigned levels = 0;
  for (unsigned index = 0; index < wanted.pins; index++) {
    levels |= (word >> (wanted.pin[index] & 31) & 1) << index;
  }
  return levels;
}

/*
 * Request: {u32 first}. Answer: runs of equal levels from that sample on, {u16 samples, u16 levels} each. The value
 * is the number of kept samples.
 */
unsigned read_capture(unsigned length) {
  unsigned index = request_words[0];
  unsigned at = start + index;
  uint32_t *run = answer.words - 1;
  unsigned before = 0;
  (void)length;
  answer.value = kept;
  for (; index < kept; index++, at++) {
    at = at < capture_capacity() ? at : at - capture_capacity();
    unsigned levels = levels_of(capture_start[at]) << 16;
    if (run < answer.words || levels != before) {
      if (run == answer.words + RUNS - 1) {
        break;
      }
      *++run = before = levels;
    }
    ++*run;
    poll();
  }
  answer.length = (run + 1 - answer.words) * 4;
  return OK;
}
