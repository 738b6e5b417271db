/* Requests: decodes received bytes (SLIP, RFC 1055), the table of operations, and the capabilities that a client receives. */
#include "probe.h"

/* Maximum bytes decoded in one call, so that the FIFOs are polled often enough. */
#define RECEIVED_AT_ONCE 64
#define CHECKSUM_SEED 0xef
#define SYNC_ANSWERS 8
#define I2C_LONGEST 254
#define SPI_LONGEST 64

/* State of the frame being received. Bytes beyond the buffer are counted but not stored. */
static struct {
  unsigned length, is_escaped, is_damaged;
} arriving;

static uint32_t facts[] = {
  PROTOCOL_VERSION | CHIP_ID << 8 | (FRAME_SIZE - 8) << 16,
  0,
  0,
  0,
  (1u << (OPERATIONS_END - CAPABILITIES)) - 1,
  LINK_RING | ANSWER_SIZE << 16,
  BRIDGE_IN_RING | BRIDGE_OUT_RING << 16,
  0,
  I2C_LONGEST | SPI_LONGEST << 16,
  ADC_CHANNELS,
};

static unsigned tell_capabilities(unsigned op) {
  facts[1] = crystal;
  facts[2] = cycles_per_microsecond;
  facts[3] = cycles();
  facts[7] = capture_capacity();
  send_frame(op, 0, facts, sizeof facts, OK);
  return DONE;
}

void greet(void) {
  tell_capabilities(HELLO);
}

/* Request: empty, or {u32 crystal frequency in hertz}. */
static unsigned capabilities(unsigned length) {
  if (length == 4) {
    if (request_words[0] - 1000000 > 99000000) {
      return OUT_OF_RANGE;
    }
    use_crystal(request_words[0]);
  }
  return tell_capabilities(CAPABILITIES);
}

/* Request: {u32 new rate, u32 old rate}, like the ROM's. The answer is sent at the old rate. */
static unsigned set_baud_rate(unsigned length) {
  unsigned rate = request_words[0];
  unsigned divider = divide(crystal * 16, rate);
  (void)length;
  if (divider - 16 > 0xffef) {
    return OUT_OF_RANGE;
  }
  send_frame(CHANGE_BAUDRATE, 0, 0, 0, OK);
  change_baud_rate(divider);
  return DONE;
}

static const struct {
  uint8_t op, shortest;
  unsigned (*run)(unsigned length);
} operations[] = {
  {WRITE_REG, 0, write_registers},
  {READ_REG, 4, read_register},
  {CHANGE_BAUDRATE, 8, set_baud_rate},
  {CAPABILITIES, 0, capabilities},
  {I2C_TRANSFER, 8, i2c_transfer},
  {I2C_SCAN, 8, i2c_scan},
  {SPI_TRANSFER, 5, spi_transfer},
  {BRIDGE_OPEN, 4, open_bridge},
  {BRIDGE_SEND, 0, send_to_bridge},
  {CAPTURE_START, 48, start_capture},
  {CAPTURE_READ, 4, read_capture},
  {ADC_STREAM, 16, start_adc},
  {WATCH, 12, start_watch},
};

/* @param reason Reason for refusing the request, or OK. */
static void handle(unsigned op, unsigned length, unsigned reason) {
  unsigned index = op == SYNC ? 0 : sizeof operations / sizeof operations[0];
  unsigned answers = op == SYNC ? SYNC_ANSWERS : 1;
  answer.value = answer.length = 0;
  if (reason == OK && index > 0) {
    reason = INVALID;
    do {
      index--;
      if (operations[index].op == op && length >= operations[index].shortest) {
        reason = operations[index].run(length);
        break;
      }
    } while (index > 0);
  }
  for (; reason != DONE && answers > 0; answers--) {
    send_frame(op, answer.value, answer.words, answer.length, reason);
  }
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
