/*
 * Whole I2C transactions on controller I2C0, whose pins and clock the client has set. The FIFOs hold 32 bytes and are
 * filled and emptied during the transaction.
 */
#include "probe.h"

/* Offsets and bits, the same on both chips. */
#define CONTROL 0x04
#define STATUS 0x08
#define FIFO_SETTINGS 0x18
#define RECEIVE 0x1c
#define RAW 0x20
#define CLEAR 0x24
#define COMMANDS 0x58
#define FIFO_SIZE 32
#define FIFO_RESET 0x3000
#define FIFO_DIRECT 0x400

#define BUS_BUSY (1 << 4)
#define RECEIVED(status) ((status) >> 8 & 63)
#define WAITING(status) ((status) >> 18 & 63)

#define ARBITRATION_LOST (1 << 5)
#define COMPLETE (1 << 7)
#define TIME_OUT (1 << 8)
#define NO_ACKNOWLEDGE (1 << 10)

#define CHECK_ACKNOWLEDGE (1 << 8)
#define SEND_NO_ACKNOWLEDGE (1 << 10)

#define LONGEST 254

/* Offset of the address in a request: directly before the bytes to write, so that all bytes to send are contiguous. */
#define ADDRESS 7

static unsigned slot;

static void command(unsigned word) {
  poke(slot, word);
  slot += 4;
}

/* Writes `count` bytes to the address in the request, then reads `reads` bytes into the answer. */
static unsigned transact(unsigned count, unsigned reads) {
  unsigned i2c = base(I2C0);
  unsigned settings = peek(i2c + FIFO_SETTINGS) & ~(FIFO_RESET | FIFO_DIRECT);
  uint8_t *out = request_bytes + ADDRESS;
  uint8_t *in = (uint8_t *)answer.words;
  unsigned writes = count > 0 || reads == 0 ? count + 1 : 0;
  const uint8_t *out_end = out + writes;

  out[0] <<= 1;
  slot = i2c + COMMANDS;
  if (writes > 0) {
    command(I2C_START << 11);
    command(I2C_WRITE << 11 | CHECK_ACKNOWLEDGE | writes);
  }
  if (reads > 0) {
    out[writes] = out[0] | 1;
    out_end++;
    command(I2C_START << 11);
    command(I2C_WRITE << 11 | CHECK_ACKNOWLEDGE | 1);
    if (reads > 1) {
      command(I2C_READ << 11 | (reads - 1));
    }
    command(I2C_READ << 11 | SEND_NO_ACKNOWLEDGE | 1);
  }
  command(I2C_STOP << 11);
  poke(i2c + CLEAR, 0x7ff);
  poke(i2c + FIFO_SETTINGS, settings | FIFO_RESET);
  poke(i2c + FIFO_SETTINGS, settings);

  unsigned before = 0;
  unsigned since = cycles();
  unsigned space = FIFO_SIZE;
  /* Fills the FIFO before the start, and repeatedly afterwards. */
  for (unsigned is_started = 0;; is_started = 1) {
    for (; out < out_end && space > 0; space--) {
      poke(I2C0_SEND, *out++);
    }
    if (!is_started) {
      poke(i2c + CONTROL, I2C_GO);
    }
    unsigned raw = peek(i2c + RAW);
    unsigned status = peek(i2c + STATUS);
    if (status != before) {
      before = status;
      since = cycles();
    }
    space = FIFO_SIZE - WAITING(status);
    for (unsigned received = RECEIVED(status); received > 0 && answer.length < reads; received--) {
      in[answer.length++] = peek(i2c + RECEIVE);
    }
    if (raw & ARBITRATION_LOST) {
      return I2C_ARBITRATION_LOST;
    }
    if (has_passed(since, request_words[0]) || (raw & TIME_OUT)) {
      return I2C_TIME_OUT;
    }
    if (raw & NO_ACKNOWLEDGE) {
      /* Waits until the controller has sent the stop. */
      if ((status & BUS_BUSY) == 0) {
        return I2C_NO_ACKNOWLEDGE;
      }
    } else if ((raw & COMPLETE) && answer.length == reads) {
      return OK;
    }
    poll();
  }
}

/*
 * Request: {u32 limit, u8 bytes to read, u8 0, u8 0, u8 address, bytes to write}. After a fault the answer holds the
 * bytes read before it.
 */
unsigned i2c_transfer(unsigned length) {
  unsigned reads = request_bytes[4];
  return request_bytes[ADDRESS] > 127 || length - 8 > LONGEST || reads > LONGEST ? OUT_OF_RANGE : transact(length - 8, reads);
}

/*
 * Request: {u32 limit, u8 first, u8 last, u8 0, u8 0}. The answer has one bit for each address. A bus fault ends the
 * scan, and the value is the address at which it ended.
 */
unsigned i2c_scan(unsigned length) {
  unsigned reason = OK;
  (void)length;
  for (unsigned word = 0; word < 4; word++) {
    answer.words[word] = 0;
  }
  for (unsigned address = request_bytes[4]; address <= request_bytes[5] && address < 128; address++) {
    request_bytes[ADDRESS] = answer.value = address;
    reason = transact(0, 0);
    if (reason == OK) {
      answer.words[address >> 5] |= 1u << (address & 31);
    } else if (reason == I2C_NO_ACKNOWLEDGE) {
      reason = OK;
    } else {
      break;
    }
  }
  answer.length = 16;
  return reason;
}
