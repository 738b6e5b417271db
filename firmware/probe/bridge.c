/*
 * Bytes of UART1 both ways at once. The client has set pins, rate and format before. Towards the line a client sends no more than
 * the ring has room for, which it counts from the number of bytes that have gone out; from the line nothing can be held back, so what
 * is lost is reported.
 */
#include "probe.h"

/* Bits of the raw interrupts that report on received bytes: parity, framing, overflow, break. */
#define LINE_ERRORS 0x9c
/* Beside them in reports: the ring was full. */
#define RING_FULL 1
/* Sent at once when there is so much, and otherwise after this time in microseconds. */
#define ENOUGH 128
#define LONGEST_WAIT 2000
#define DATA_SIZE 512
/* Bytes that went out before the client is told at once. */
#define CREDIT_STEP (BRIDGE_OUT_RING / 4)

static uint8_t bytes_in[BRIDGE_IN_RING], bytes_out[BRIDGE_OUT_RING];
static struct {
  struct ring in, out;
  unsigned is_open, errors;
  /* Bytes that had gone out, and the time, when the client was told last. */
  unsigned reported, last;
} bridge = {.in = {bytes_in, BRIDGE_IN_RING - 1, 0, 0}, .out = {bytes_out, BRIDGE_OUT_RING - 1, 0, 0}};

/* {u32 1 or 0} */
unsigned open_bridge(unsigned length) {
  unsigned uart = base(UART1);
  (void)length;
  bridge.is_open = request_words[0];
  while (bridge.is_open && (peek(uart + UART_STATUS) & UART_RECEIVED)) {
    peek(uart);
  }
  poke(uart + UART_CLEAR, LINE_ERRORS);
  bridge.in.in = bridge.in.out = bridge.out.in = bridge.out.out = bridge.reported = bridge.errors = 0;
  return OK;
}

void poll_bridge(void) {
  unsigned uart = base(UART1);
  if (!bridge.is_open) {
    return;
  }
  unsigned status = peek(uart + UART_STATUS);
  for (unsigned count = status & UART_RECEIVED; count > 0; count--) {
    bridge.errors |= put(&bridge.in, peek(uart)) ? 0 : RING_FULL;
  }
  for (unsigned busy = status >> UART_WAITING_SHIFT & UART_WAITING; busy < UART_FIFO && waiting(&bridge.out) > 0; busy++) {
    poke(UART1_SEND, take(&bridge.out));
  }
}

/* Bytes; all of them are taken or none. The value is that of BRIDGE_DATA. */
unsigned send_to_bridge(unsigned length) {
  answer.value = bridge.out.out;
  if (!bridge.is_open) {
    return NOT_OPEN;
  }
  if (length > room(&bridge.out)) {
    return NO_ROOM;
  }
  for (unsigned index = 0; index < length; index++) {
    put(&bridge.out, request_bytes[index]);
  }
  return OK;
}

/* {u8 errors, bytes}; the value is the number of bytes that have left the ring for the line since the bridge was opened. */
void serve_bridge(void) {
  unsigned uart = base(UART1);
  uint8_t *data = (uint8_t *)answer.words;
  unsigned count = waiting(&bridge.in);
  unsigned gone = bridge.out.out - bridge.reported;
  if (!bridge.is_open) {
    return;
  }
  unsigned raw = peek(uart + UART_RAW) & LINE_ERRORS;
  poke(uart + UART_CLEAR, raw);
  bridge.errors |= raw;
  if (count < ENOUGH && gone < CREDIT_STEP &&
      (!has_passed(bridge.last, LONGEST_WAIT) || (count | gone | bridge.errors) == 0)) {
    return;
  }
  count = count < DATA_SIZE ? count : DATA_SIZE;
  *data++ = bridge.errors;
  bridge.errors = 0;
  for (unsigned index = count; index > 0; index--) {
    *data++ = take(&bridge.in);
  }
  bridge.reported = bridge.out.out;
  bridge.last = cycles();
  send_frame(BRIDGE_DATA, bridge.reported, answer.words, 1 + count, OK);
}
