/*
 * Moves bytes of UART1 in both directions. The client has already set pins, rate and format. Towards the line the
 * client sends only what fits into the ring, which it calculates from the reported number of sent bytes. From the
 * line there is no flow control, so lost bytes are reported.
 */
#include "probe.h"

/* Raw interrupt bits for errors of received bytes: parity, framing, overflow, break. */
#define LINE_ERRORS 0x9c
/* Number of bytes that triggers a report at once, and the maximum delay of a report in microseconds. */
#define ENOUGH 128
#define LONGEST_WAIT 2000
#define DATA_SIZE 512
/* Number of sent bytes that triggers a report at once. */
#define CREDIT_STEP (BRIDGE_OUT_RING / 4)

/* Request: {u32 1 or 0}. */
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

/* Request: bytes. Either all are accepted or none. The value is that of BRIDGE_DATA. */
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

/*
 * Event: {u8 errors, bytes}. The value is the number of bytes that have left the ring for the line since the bridge
 * was opened.
 */
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
