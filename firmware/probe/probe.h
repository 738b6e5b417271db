/*
 * Shared declarations of the probe: registers, time, frames of the link, rings of bytes. PROTOCOL.md describes every
 * frame.
 */
#ifndef PROBE_H
#define PROBE_H
#include <stdint.h>

#define PROTOCOL_VERSION 1

#ifdef HOST
/* For tests on the build computer: registers and time come from host/host.c. */
unsigned peek(unsigned address);
void poke(unsigned address, unsigned value);
unsigned cycles(void);
#define sample_register peek
#define main probe_main
int probe_main(void);
#else
static inline unsigned peek(unsigned address) {
  return *(volatile unsigned *)address;
}
static inline void poke(unsigned address, unsigned value) {
  *(volatile unsigned *)address = value;
}
#endif

#include CHIP_HEADER

/*
 * Keeps the base of a register group in a machine register. Otherwise the compiler loads each whole address from
 * memory.
 */
static inline unsigned base(unsigned address) {
  __asm__("" : "+r"(address));
  return address;
}

/* Offsets of the UARTs, the same on both chips. */
#define UART_RAW 0x04
#define UART_CLEAR 0x10
#define UART_DIVIDER 0x14
#define UART_STATUS 0x1c
/* Maximum bytes put into the transmit FIFO: one less than its size, so that it is never completely full. */
#define UART_FIFO 127

/* Operations of the ROM that the probe also supports ("Serial Protocol", section "Commands"). */
enum rom_operation { SYNC = 0x08, WRITE_REG = 0x09, READ_REG = 0x0a, CHANGE_BAUDRATE = 0x0f };

enum operation {
  CAPABILITIES = 0xe0,
  I2C_TRANSFER,
  I2C_SCAN,
  SPI_TRANSFER,
  BRIDGE_OPEN,
  BRIDGE_SEND,
  CAPTURE_START,
  CAPTURE_READ,
  ADC_STREAM,
  WATCH,
  OPERATIONS_END
};

/* Unsolicited frames. */
enum event { HELLO = 0xf0, BRIDGE_DATA, CAPTURE_DONE, ADC_SAMPLES, LEVELS };

/* Second byte of a status whose first byte is 1. The values 5 and 7 are the ROM's. */
enum reason {
  OK = 0,
  INVALID = 0x05,
  WRONG_CHECKSUM = 0x07,
  ADDRESS_REFUSED = 0x20,
  OUT_OF_RANGE = 0x21,
  NO_ROOM = 0x22,
  NOT_OPEN = 0x23,
  I2C_NO_ACKNOWLEDGE = 0x30,
  I2C_TIME_OUT = 0x31,
  I2C_ARBITRATION_LOST = 0x32,
  SPI_NEVER_FINISHED = 0x33,
  /* Not a reason: the answer has already been sent. */
  DONE = 0x100
};

/* Maximum size of a request with its header, and of the data of an answer or event. */
#define FRAME_SIZE 8192
#define ANSWER_SIZE 1000
/* Sizes of rings, powers of two. */
#define LINK_RING 8192
#define BRIDGE_IN_RING 8192
#define BRIDGE_OUT_RING 4096

struct ring {
  uint8_t *bytes;
  unsigned mask;
  /* Total bytes ever put in and taken out; the difference is the number of waiting bytes. */
  unsigned in, out;
};

static inline unsigned waiting(const struct ring *ring) {
  return ring->in - ring->out;
}

static inline unsigned room(const struct ring *ring) {
  return ring->mask + 1 - waiting(ring);
}

/* Returns 1 if the ring had room for the byte. */
static inline int put(struct ring *ring, uint8_t byte) {
  int has_room = room(ring) > 0;
  if (has_room) {
    ring->bytes[ring->in++ & ring->mask] = byte;
  }
  return has_room;
}

static inline uint8_t take(struct ring *ring) {
  return ring->bytes[ring->out++ & ring->mask];
}

/* An address range, both ends included; a pair of registers. */
struct pair {
  uint32_t first, last;
};

/* fifos.c */
/* Received bytes of the client. */
extern struct ring received;
/* Additional error bit of the bridge: the ring was full. */
#define RING_FULL 1
struct bridge {
  struct ring in, out;
  unsigned is_open, errors;
  /* Number of sent bytes in the last report, and its time. */
  unsigned reported, last;
};
extern struct bridge bridge;
#ifdef USB_BYTE
extern uint32_t is_usb;
#endif
/*
 * Moves bytes between the hardware's FIFOs and the rings. Every waiting loop must call it, because the FIFOs hold
 * only 128 bytes.
 */
void poll(void);
/* Returns nonzero if received bytes are in the hardware. */
int link_waiting(void);

/* link.c */
#define END 0xc0
#define ESCAPE 0xdb
#define ESCAPED_END 0xdc
#define ESCAPED_ESCAPE 0xdd
extern uint32_t frame[FRAME_SIZE / 4];
/* Data of the current request. */
#define request_words (frame + 2)
#define request_bytes ((uint8_t *)frame + 8)
/* Answer to the current request. */
struct answer {
  uint32_t words[ANSWER_SIZE / 4];
  uint32_t value, length;
};
extern struct answer answer;
/* Copies the beginning of the current request; `size` is in bytes, a multiple of four. */
void keep_request(void *place, unsigned size);
void send_frame(unsigned op, unsigned value, const void *data, unsigned length, unsigned reason);
void change_baud_rate(unsigned divider);

/* requests.c */
/* Decodes some received bytes, and handles a complete request at once. */
void receive(void);
void greet(void);

/* time.c */
extern uint32_t crystal;
extern uint32_t cycles_per_microsecond;
void use_crystal(unsigned hertz);
unsigned divide(unsigned dividend, unsigned divisor);
/* Returns nonzero if the microseconds have passed since `since`, a value of cycles(). At most 53 seconds at 80 MHz. */
int has_passed(unsigned since, unsigned microseconds);
void wait_microseconds(unsigned duration);

/* Operations: each takes the length of its request in bytes, fills in the answer and returns a reason or OK. */
/* registers.c */
unsigned write_registers(unsigned length);
unsigned read_register(unsigned length);
int is_writable(unsigned address);
/* i2c.c and spi.c */
unsigned i2c_transfer(unsigned length);
unsigned i2c_scan(unsigned length);
unsigned spi_transfer(unsigned length);
/* bridge.c */
void serve_bridge(void);
unsigned open_bridge(unsigned length);
unsigned send_to_bridge(unsigned length);
/* capture.c */
unsigned capture_capacity(void);
unsigned start_capture(unsigned length);
/* Runs a capture that was requested before. */
void serve_capture(void);
unsigned read_capture(unsigned length);
/* streams.c */
unsigned start_adc(unsigned length);
void serve_adc(void);
unsigned start_watch(unsigned length);
void serve_watch(void);
#endif
