/*
 * Registers and time for tests of the probe's logic on the build computer. Requests come from standard input, answers
 * go to standard output, and the program ends with its input. The models are as simple as the tests allow and prove
 * nothing about a chip.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "probe.h"
/* The probe also has a function `poll`, which the compiler renames by an option. */
#undef poll
#include <poll.h>

/*
 * Number of polls without input after which the program blocks on its input, and the interval at which it checks for
 * input.
 */
#define IDLE_LOOKS 20000
#define FEW_LOOKS 50
#define PLAIN 512

/* A register that counts its reads. */
#define READ_COUNTER 0x3ff6e000
#define LEVELS_LOW 0x3ff4403c
#define LEVELS_HIGH 0x3ff44040

static uint8_t input[4096];
static unsigned input_length, input_at, idle, now, reads_counted, level_reads;
/* Values of registers without a model. */
static struct {
  unsigned address, value;
} plain[PLAIN];

/* UART1 in loopback, at most 64 bytes. */
static uint8_t loop[64];
static unsigned loop_in, loop_out;

/*
 * I2C0 with devices at 0x48 and 0x76, each with a pointer and 256 registers. The device at 0x02 holds the clock low
 * forever.
 */
static struct {
  uint8_t out[32], in[32];
  unsigned out_count, in_count, slot, left, raw, is_running, address, has_pointer;
  uint8_t pointer, registers[256];
} i2c;

unsigned cycles(void) {
  return now += 8;
}

static int has_input(void) {
  struct pollfd input_poll = {STDIN_FILENO, POLLIN, 0};
  return poll(&input_poll, 1, 0) > 0;
}

/* Reads input, and blocks until there is some. */
static void take_input(void) {
  fflush(stdout);
  ssize_t count = read(STDIN_FILENO, input, sizeof input);
  if (count <= 0) {
    exit(0);
  }
  input_length = (unsigned)count;
  input_at = idle = 0;
}

static unsigned *plain_register(unsigned address) {
  for (unsigned index = 0; index < PLAIN; index++) {
    if (plain[index].address == address || plain[index].address == 0) {
      plain[index].address = address;
      return &plain[index].value;
    }
  }
  abort();
}

static unsigned i2c_next(void) {
  unsigned byte = i2c.out[0];
  memmove(i2c.out, i2c.out + 1, --i2c.out_count);
  return byte;
}

/* Runs the commands as far as the FIFOs allow. */
static void i2c_run(void) {
  while (i2c.is_running) {
    unsigned word = *plain_register(0x3ff53058 + 4 * i2c.slot);
    unsigned op = word >> 11 & 7, count = word & 0xff;
    if (op == I2C_START) {
      i2c.address = 0x100;
    } else if (op == I2C_STOP) {
      i2c.raw |= 1 << 7;
      i2c.is_running = 0;
    } else {
      i2c.left = i2c.left ? i2c.left : count;
      for (; i2c.left > 0; i2c.left--) {
        if (op == I2C_READ) {
          if (i2c.in_count == 32) {
            return;
          }
          i2c.in[i2c.in_count++] = i2c.registers[i2c.pointer++];
          continue;
        }
        if (i2c.out_count == 0) {
          return;
        }
        unsigned byte = i2c_next();
        if (i2c.address == 0x100) {
          i2c.address = byte >> 1;
          i2c.has_pointer = byte & 1;
          if (i2c.address == 0x02) {
            i2c.left = 1;
            i2c.out_count = 0;
            return;
          }
          if (i2c.address != 0x48 && i2c.address != 0x76) {
            i2c.raw |= 1 << 10;
            i2c.is_running = 0;
            return;
          }
        } else if (!i2c.has_pointer) {
          i2c.pointer = byte;
          i2c.has_pointer = 1;
        } else {
          i2c.registers[i2c.pointer++] = byte;
        }
      }
    }
    i2c.slot++;
  }
}

static unsigned i2c_peek(unsigned offset) {
  if (offset == 0x20) {
    i2c_run();
    return i2c.raw;
  }
  if (offset == 0x08) {
    i2c_run();
    return i2c.in_count << 8 | i2c.out_count << 18;
  }
  unsigned byte = i2c.in[0];
  i2c.in_count--;
  memmove(i2c.in, i2c.in + 1, 31);
  return byte;
}

unsigned peek(unsigned address) {
  switch (address) {
    case UART0 + UART_STATUS:
      if (input_at == input_length && (++idle > IDLE_LOOKS || (idle % FEW_LOOKS == 0 && has_input()))) {
        take_input();
      }
      return input_length - input_at < 100 ? input_length - input_at : 100;
    case UART0:
      idle = 0;
      return input[input_at++];
    case UART1 + UART_STATUS:
      return (loop_in - loop_out) | (loop_in - loop_out + UART_FIFO - sizeof loop) << UART_WAITING_SHIFT;
    case UART1:
      return loop[loop_out++ % sizeof loop];
    case I2C0 + 0x08:
    case I2C0 + 0x1c:
    case I2C0 + 0x20:
      return i2c_peek(address - I2C0);
    case READ_COUNTER:
      return ++reads_counted;
    /* Pin 4 changes every 8 reads, pin 5 every 32, pin 6 stays high. */
    case LEVELS_LOW:
      level_reads++;
      return (level_reads >> 3 & 1) << 4 | (level_reads >> 5 & 1) << 5 | 1 << 6;
    case LEVELS_HIGH:
      return 1 << 2;
    case ADC_MEASURE:
      for (unsigned channel = 0, word = *plain_register(address); channel < ADC_CHANNELS; channel++) {
        if (word >> (19 + channel) & 1) {
          return 1 << 16 | channel * 100;
        }
      }
      return 0;
    case CLOCK_DIVIDER:
      return 0;
  }
  return *plain_register(address);
}

void poke(unsigned address, unsigned value) {
  switch (address) {
    case UART0_SEND:
      putchar((int)(value & 0xff));
      return;
    case UART1_SEND:
      if (loop_in - loop_out < sizeof loop) {
        loop[loop_in++ % sizeof loop] = value;
      }
      return;
    case I2C0_SEND:
      i2c.out[i2c.out_count++ & 31] = value;
      return;
    case I2C0 + 0x24:
      i2c.raw = 0;
      return;
    case I2C0 + 0x18:
      if (value & 0x3000) {
        i2c.out_count = i2c.in_count = 0;
      }
      break;
    case I2C0 + 0x04:
      i2c.slot = i2c.left = 0;
      i2c.is_running = 1;
      i2c_run();
      return;
    case SPI2:
      for (unsigned word = 0; word < 16; word++) {
        unsigned *data = plain_register(SPI2 + SPI_WORDS + 4 * word);
        *data = ~*data;
      }
      return;
  }
  *plain_register(address) = value;
}

#undef main
int main(void) {
  probe_main();
}
