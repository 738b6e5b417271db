/*
 * READ_REG and WRITE_REG like the ROM's, with two differences. A full mask writes without reading, so that no FIFO
 * loses a byte. Addresses that would stop the chip or must not be written are refused before anything is written.
 */
#include "probe.h"

struct entry {
  uint32_t address, value, mask, delay;
};

static int is_within(unsigned address, const struct pair *ranges, unsigned count) {
  for (; count > 0; count--, ranges++) {
    if (address >= ranges->first && address <= ranges->last) {
      return (address & 3) == 0;
    }
  }
  return 0;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

int is_writable(unsigned address) {
  static const struct pair writable[] = WRITABLE;
  static const struct pair protected[] = PROTECTED;
  return is_within(address, writable, COUNT(writable)) && !is_within(address, protected, COUNT(protected));
}

unsigned read_register(unsigned length) {
  static const struct pair readable[] = READABLE;
  unsigned address = request_words[0];
  (void)length;
  /* Reading the FIFO of UART0 would take a byte of the next request. */
  if (!is_within(address, readable, COUNT(readable)) || address == UART0 || address == UART0_SEND) {
    return ADDRESS_REFUSED;
  }
  answer.value = peek(address);
  return OK;
}

/* Ignores bytes behind the last whole entry, like the ROM. */
unsigned write_registers(unsigned length) {
  const struct entry *entries = (const struct entry *)request_words;
  const struct entry *end = entries + length / sizeof *entries;
  for (const struct entry *entry = entries; entry < end; entry++) {
    if (!is_writable(entry->address)) {
      return ADDRESS_REFUSED;
    }
  }
  for (const struct entry *entry = entries; entry < end; entry++) {
    wait_microseconds(entry->delay);
    uint32_t value = entry->value;
    if (entry->mask != 0xffffffff) {
      value = (peek(entry->address) & ~entry->mask) | (value & entry->mask);
    }
    poke(entry->address, value);
    poll();
  }
  return OK;
}
