/* Time by the processor's cycle counter. */
#include "probe.h"

uint32_t crystal;
uint32_t cycles_per_microsecond;

/*
 * Divides in software on the ESP32. The chip can divide, but its compiler, built for a smaller Xtensa, has no
 * division.
 */
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

/* Calculates the cycles of a microsecond. After a reset into the ROM the processor's clock is the divided crystal. */
void use_crystal(unsigned hertz) {
  crystal = hertz;
  cycles_per_microsecond = divide(divide(hertz, (peek(CLOCK_DIVIDER) & 0x3ff) + 1), 1000000);
}

int has_passed(unsigned since, unsigned microseconds) {
  return cycles() - since >= microseconds * cycles_per_microsecond;
}

/* Waits microsecond by microsecond, because the counter overflows within a minute or two. */
void wait_microseconds(unsigned duration) {
  for (unsigned start = cycles(); duration > 0; duration--, start += cycles_per_microsecond) {
    while (!has_passed(start, 1)) {
      poll();
    }
  }
}
