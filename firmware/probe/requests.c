/* Table of operations, and the capabilities that a client receives. */
#include "probe.h"

#define SYNC_ANSWERS 8
#define I2C_LONGEST 254
#define SPI_LONGEST 64

struct answer answer;

void keep_request(void *place, unsigned size) {
  for (unsigned word = 0; word < size / 4; word++) {
    ((uint32_t *)place)[word] = request_words[word];
  }
}

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

void handle(unsigned op, unsigned length, unsigned reason) {
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
