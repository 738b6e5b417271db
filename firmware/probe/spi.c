/* One full-duplex transaction of SPI2, whose pins, clock and mode the client has set. */
#include "probe.h"

#define LONGEST 64

/*
 * Sets a bit of the command register and waits until the controller clears it. The request begins with {u32 limit in
 * microseconds}. Returns 0 after that time.
 */
static int is_done(unsigned bit) {
  unsigned start = cycles();
  poke(SPI2, bit);
  while (peek(SPI2) & bit) {
    if (has_passed(start, request_words[0])) {
      return 0;
    }
    poll();
  }
  return 1;
}

/* Request: {u32 limit, 1 to 64 bytes}. The answer has as many bytes. */
unsigned spi_transfer(unsigned length) {
  unsigned spi = base(SPI2);
  unsigned count = length - 4;
  if (count > LONGEST) {
    return OUT_OF_RANGE;
  }
  poke(spi + SPI_OUT_BITS, count * 8 - 1);
#ifdef SPI_IN_BITS
  poke(spi + SPI_IN_BITS, count * 8 - 1);
#endif
  for (unsigned at = 0; at < count; at += 4) {
    poke(spi + SPI_WORDS + at, request_words[1 + at / 4]);
  }
#ifdef SPI_UPDATE
  if (!is_done(SPI_UPDATE)) {
    return SPI_NEVER_FINISHED;
  }
#endif
  if (!is_done(SPI_GO)) {
    return SPI_NEVER_FINISHED;
  }
  for (unsigned at = 0; at < count; at += 4) {
    answer.words[at / 4] = peek(spi + SPI_WORDS + at);
  }
  answer.length = count;
  return OK;
}
