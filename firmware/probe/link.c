/* The link to the client: the current request, and frames to the client (SLIP, RFC 1055). */
#include "probe.h"

uint32_t frame[FRAME_SIZE / 4];
struct answer answer;
/* Known room in the transmit FIFO. */
static unsigned sendable;

static void send_byte(unsigned byte) {
#ifdef USB_BYTE
  if (is_usb) {
    while (!(peek(USB_STATE) & USB_HAS_ROOM)) {
      poll();
    }
    poke(USB_BYTE, byte);
    return;
  }
#endif
  while (sendable == 0) {
    unsigned busy = peek(UART0 + UART_STATUS) >> UART_WAITING_SHIFT & UART_WAITING;
    sendable = busy < UART_FIFO ? UART_FIFO - busy : 0;
    poll();
  }
  sendable--;
  poke(UART0_SEND, byte);
}

static void send_escaped(const uint8_t *bytes, unsigned count) {
  for (; count > 0; count--) {
    unsigned byte = *bytes++;
    if (byte == END || byte == ESCAPE) {
      send_byte(ESCAPE);
      byte = byte == END ? ESCAPED_END : ESCAPED_ESCAPE;
    }
    send_byte(byte);
  }
}

void send_frame(unsigned op, unsigned value, const void *data, unsigned count, unsigned reason) {
  uint32_t head[2] = {1 | op << 8 | (count + 4) << 16, value};
  uint32_t status = reason == OK ? 0 : 1 | reason << 8;
  send_byte(END);
  send_escaped((const uint8_t *)head, 8);
  send_escaped(data, count);
  send_escaped((const uint8_t *)&status, 4);
  send_byte(END);
#ifdef USB_BYTE
  if (is_usb) {
    poke(USB_STATE, USB_SEND_NOW);
  }
#endif
}

void change_baud_rate(unsigned divider) {
  while (peek(UART0 + UART_STATUS) >> UART_WAITING_SHIFT & UART_WAITING) {
    poll();
  }
  /* Waits for the last byte to leave the shift register. */
  wait_microseconds(2000);
  poke(UART0 + UART_DIVIDER, (divider & 15) << 20 | divider >> 4);
}

void keep_request(void *place, unsigned size) {
  for (unsigned word = 0; word < size / 4; word++) {
    ((uint32_t *)place)[word] = request_words[word];
  }
}
