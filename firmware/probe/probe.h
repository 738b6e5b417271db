/*
 * What the parts of the probe share: registers, time, the link's frames, rings of bytes. PROTOCOL.md has the meaning of every frame.
 */
#ifndef PROBE_H
#define PROBE_H
#include <stdint.h>

#define PROTOCOL_VERSION 1

#ifdef HOST
/* Tests on the computer that builds: registers and time come from host/host.c. */
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

/* The base of a group of registers, kept in one machine register: the compiler would load each whole address from memory instead. */
static inline unsigned base(unsigned address) {
  __asm__("" : "+r"(address));
  return address;
}

/* Offsets of the UARTs, the same on both chips. */
#define UART_RAW 0x04
#define UART_CLEAR 0x10
#define UART_DIVIDER 0x14
#define UART_STATUS 0x1c
/* Bytes that the transmit FIFO takes; one less than it has, so that it is never filled to the brim. */
#define UART_FIFO 127

/* Operations of the ROM that the probe has too ("Serial Protocol", section "Commands"). */
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

/* Frames that nobody asked for. */
enum event { HELLO = 0xf0, BRIDGE_DATA, CAPTURE_DONE, ADC_SAMPLES, LEVELS };

/* Second byte of a status whose first is 1; 5 and 7 are the ROM's. */
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
  /* No reason: the answer has gone out already. */
  DONE = 0x100
};

/* Largest request, header included; largest data of an answer or event. */
#define FRAME_SIZE 8192
#define ANSWER_SIZE 1000
/* Sizes of rings are powers of two. */
#define LINK_RING 8192
#define BRIDGE_IN_RING 8192
#define BRIDGE_OUT_RING 4096

struct ring {
  uint8_t *bytes;
  unsigned mask;
  /* Count all bytes ever put in and taken out; the difference is what waits. */
  unsigned in, out;
};

static inline unsigned waiting(const struct ring *ring) {
  return ring->in - ring->out;
}

static inline unsigned room(const struct ring *ring) {
  return ring->mask + 1 - waiting(ring);
}

/* Whether there was room for it. */
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

/* link.c */
extern uint32_t frame[FRAME_SIZE / 4];
/* Data of the request in work. */
#define request_words (frame + 2)
#define request_bytes ((uint8_t *)frame + 8)
/* Moves bytes between the hardware's FIFOs and the rings. Whatever waits calls it, because the FIFOs hold only 128 bytes. */
void poll(void);
/* Takes a few received bytes; a whole request is handled at once. */
void receive(void);
/* Whether bytes wait in the hardware. */
int link_waiting(void);
void send_frame(unsigned op, unsigned value, const void *data, unsigned length, unsigned reason);
void change_baud_rate(unsigned divider);

/* requests.c: what the answer to the request in work carries. */
struct answer {
  uint32_t words[ANSWER_SIZE / 4];
  uint32_t value, length;
};
extern struct answer answer;
/* @param reason why the request must not be done, or OK */
void handle(unsigned op, unsigned length, unsigned reason);
/* Copies the beginning of the request in work; `size` in bytes, a multiple of four. */
void keep_request(void *place, unsigned size);
void greet(void);

/* time.c */
extern uint32_t crystal;
extern uint32_t cycles_per_microsecond;
void use_crystal(unsigned hertz);
unsigned divide(unsigned dividend, unsigned divisor);
/* Whether so many microseconds have passed since the cycle counter was at `since`; at most 53 seconds of 80 MHz. */
int has_passed(unsigned since, unsigned microseconds);
void wait_microseconds(unsigned duration);

/*
 * Operations: each takes the number of bytes of its request, fills in the answer and gives a reason, OK among them.
 */
/* registers.c */
unsigned write_registers(unsigned length);
unsigned read_register(unsigned length);
int is_writable(unsigned address);
/* i2c.c and spi.c */
unsigned i2c_transfer(unsigned length);
unsigned i2c_scan(unsigned length);
unsigned spi_transfer(unsigned length);
/* bridge.c */
void poll_bridge(void);
void serve_bridge(void);
unsigned open_bridge(unsigned length);
unsigned send_to_bridge(unsigned length);
/* capture.c */
unsigned capture_capacity(void);
unsigned start_capture(unsigned length);
/* Runs a capture that was started. */
void serve_capture(void);
unsigned read_capture(unsigned length);
/* streams.c */
unsigned start_adc(unsigned length);
void serve_adc(void);
unsigned start_watch(unsigned length);
void serve_watch(void);
#endif
