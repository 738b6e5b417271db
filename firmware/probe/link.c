/*
 * The link to the client: UART0 as configured by the ROM, or the C3's USB port. Decodes received bytes into requests
 * and encodes answers (SLIP, RFC 1055).
 */
#include "probe.h"

#define END 0xc0
#define ESCAPE 0xdb
#define ESCAPED_END 0xdc
#define ESCAPED_ESCAPE 0xdd
/* Maximum bytes decoded in one call, so that the FIFOs are polled often enough. */
#define RECEIVED_AT_ONCE 64
#define CHECKSUM_SEED 0xef

uint32_t frame[FRAME_SIZE / 4];
static uint8_t received_bytes[LINK_RING];
static struct ring received = {received_bytes, LINK_RING - 1, 0, 0};
/* State of the frame being received. Bytes beyond the buffer are counted but not stored. */
static struct {
  unsigned length, is_escaped, is_damaged;
} arriving;
/* Known room in the transmit FIFO. */
static unsigned sendable;

#ifdef USB_BYTE
/*
 * Set by the first byte over USB: it proves a host there. UART0 is ignored from then on, because it may receive
 * noise.
 */
static uint32_t is_usb;
#endif

int link_waiting(void) {
#ifdef USB_BYTE
  if (is_usb) {
    return peek(USB_STATE) & USB_HAS_BYTE;
  }
#endif
  return peek(UART0 + UART_STATUS) & UART_RECEIVED;
}

/* Drops a byte if the ring is full; the checksum of its frame then fails. */
void poll(void) {
#ifdef USB_BYTE
  unsigned usb = base(USB_BYTE);
  while (peek(usb + USB_STATE - USB_BYTE) & USB_HAS_BYTE) {
    is_usb = 1;
    put(&received, peek(usb));
  }
  if (!is_usb)
#endif
  {
    unsigned uart = base(UART0);
    for (unsigned count = peek(uart + UART_STATUS) & UART_RECEIVED; count > 0; count--) {
      put(&received, peek(uart));
    }
  }
  poll_bridge();
}

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

/* Checksum of the data of one of the probe's own operations. The ROM's operations have none here. */
static unsigned checksum(unsigned count) {
  unsigned sum = CHECKSUM_SEED;
  for (const uint8_t *bytes = request_bytes; count > 0; count--) {
    sum ^= *bytes++;
  }
  return sum;
}

/* Handles a frame. A frame with another first byte than a request is noise or an echo and gets no answer. */
static void take_frame(void) {
  unsigned head = frame[0];
  unsigned op = head >> 8 & 0xff;
  unsigned count = head >> 16;
  if ((head & 0xff) != 0) {
    return;
  }
  unsigned reason = OK;
  if (arriving.is_damaged || arriving.length != count + 8 || count > FRAME_SIZE - 8) {
    reason = INVALID;
  } else if (op >= CAPABILITIES && checksum(count) != frame[1]) {
    reason = WRONG_CHECKSUM;
  }
  handle(op, count, reason);
}

/*
 * Decodes received bytes. Every delimiter ends the previous frame, so a lost delimiter costs at most the two frames
 * beside it.
 */
void receive(void) {
  for (unsigned left = RECEIVED_AT_ONCE; left > 0 && waiting(&received) > 0; left--) {
    unsigned byte = take(&received);
    unsigned is_escaped = arriving.is_escaped;
    arriving.is_escaped = 0;
    if (byte == END) {
      arriving.is_damaged |= is_escaped;
      if (arriving.length > 0) {
        take_frame();
      }
      arriving.length = arriving.is_damaged = 0;
      frame[0] = 0;
      continue;
    }
    if (is_escaped) {
      arriving.is_damaged |= byte - ESCAPED_END > 1;
      byte = byte == ESCAPED_END ? END : ESCAPE;
    } else if (byte == ESCAPE) {
      arriving.is_escaped = 1;
      continue;
    }
    if (arriving.length < FRAME_SIZE) {
      ((uint8_t *)frame)[arriving.length] = byte;
    }
    arriving.length++;
  }
}
