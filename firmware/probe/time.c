/* Time by the processor's cycle counter. */
#include "probe.h"

uint32_t crystal;
uint32_t cycles_per_microsecond;

/* The ESP32 can divide, but the compiler for its smaller sister does not know. */
unsigned divide(unsigned dividend, unsigned divisor) {
#ifdef __riscv
  return dividend / divisor;
#else
  unsigned quotient = 0;
  for (int bit = 31; bit >= 0; bit--) {
    if (dividend >> bit >= divisor) {
      dividend -= divisor << bit;
      quotient |= 1u << bit;
    }
  }
  return quotient;
#endif
}

/* After a reset into the ROM the processor runs on the crystal, divided. */
void use_crystal(unsigned hertz) {
  crystal = hertz;
  cycles_per_microsecond = divide(divide(hertz, (peek(CLOCK_DIVIDER) & 0x3ff) + 1), 1000000);
}

int has_passed(unsigned since, unsigned microseconds) {
  return cycles() - since >= microseconds * cycles_per_microsecond;
}

/* One by one, because the counter overflows in a minute or two. */
void wait_microseconds(unsigned duration) {
  for (unsigned start = cycles(); duration > 0; duration--, start += cycles_per_microsecond) {
    while (!has_passed(start, 1)) {
      poll();
    }
  }
}
