/*
 * Bytes between the hardware's FIFOs and the rings: the client's, over UART0 as configured by the ROM or the C3's USB
 * port, and those of the bridge, over UART1.
 */
#include "probe.h"

static uint8_t received_bytes[LINK_RING];
struct ring received = {received_bytes, LINK_RING - 1, 0, 0};
static uint8_t bytes_in[BRIDGE_IN_RING], bytes_out[BRIDGE_OUT_RING];
struct bridge bridge = {.in = {bytes_in, BRIDGE_IN_RING - 1, 0, 0}, .out = {bytes_out, BRIDGE_OUT_RING - 1, 0, 0}};

#ifdef USB_BYTE
/*
 * Set by the first byte over USB: it proves a host there. UART0 is ignored from then on, because it may receive
 * noise.
 */
uint32_t is_usb;
#endif

int link_waiting(void) {
#ifdef USB_BYTE
  if (is_usb) {
    return peek(USB_STATE) & USB_HAS_BYTE;
  }
#endif
  return peek(UART0 + UART_STATUS) & UART_RECEIVED;
}

static void poll_bridge(void) {
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
