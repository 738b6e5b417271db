/*
 * Registers of the ESP32 that the probe uses (ESP32 Technical Reference Manual; each group names its chapter).
 * Addresses and bits only; the sources use them.
 */
#ifndef CHIP_ESP32_H
#define CHIP_ESP32_H

/* Chip number in the header of an image. */
#define CHIP_ID 0
/* Crystal frequency in hertz, until a client sets another. */
#define USUAL_CRYSTAL 40000000

/* UART, "UART Controller". Reads of the FIFO use its first address, writes use the AHB bus. */
#define UART0 0x3ff40000
#define UART0_SEND 0x60000000
#define UART1 0x3ff50000
#define UART1_SEND 0x60010000
#define UART_RECEIVED 0x000000ff
#define UART_WAITING_SHIFT 16
#define UART_WAITING 0xff

/* GPIO, "IO_MUX and GPIO Matrix": levels of pins 0 to 31. The next register holds pins 32 to 39. */
#define GPIO_IN 0x3ff4403c
#define BANKS 2

/* I2C0, "I2C Controller": bytes to send go to the address on the AHB bus. */
#define I2C0 0x3ff53000
#define I2C0_SEND 0x6001301c
#define I2C_GO 0x133
#define I2C_START 0
#define I2C_WRITE 1
#define I2C_READ 2
#define I2C_STOP 3

/* SPI2 and offsets in it, "SPI Controller". */
#define SPI2 0x3ff64000
#define SPI_WORDS 0x80
#define SPI_OUT_BITS 0x28
#define SPI_IN_BITS 0x2c
#define SPI_GO (1 << 18)

/* Divider of the processor's clock, "Reset and Clock", SYSCON_SYSCLK_CONF_REG: crystal / (bits 0 to 9 + 1). */
#define CLOCK_DIVIDER 0x3ff66000

/* Watchdogs, "Watchdog Timers" and "Low-Power Management": configuration register and write protection register. */
#define WATCHDOGS {{0x3ff4808c, 0x3ff480a4}, {0x3ff5f048, 0x3ff5f064}, {0x3ff60048, 0x3ff60064}}
#define WATCHDOG_KEY 0x50d83aa1
#define WATCHDOG_OFF 0

/* Ranges that READ_REG may read, both ends included ("System and Memory"). */
#define READABLE {{0x3ff00000, 0x3ff7ffff}, {0x3ffae000, 0x3fffffff}, {0x40000000, 0x400bffff}, {0x60000000, 0x6003ffff}}
/*
 * Ranges that WRITE_REG may write, and protected ranges in them: UART0, the flash controllers (SPI1, SPI0) and the
 * eFuses, each with its second address on the AHB bus.
 */
#define WRITABLE {{0x3ff00000, 0x3ff00fff}, {0x3ff40000, 0x3ff7ffff}, {0x60000000, 0x6003ffff}}
#define PROTECTED \
  {{0x3ff40000, 0x3ff40fff}, {0x60000000, 0x60000fff}, {0x3ff42000, 0x3ff43fff}, {0x60002000, 0x60003fff}, \
   {0x3ff5a000, 0x3ff5afff}, {0x6001a000, 0x6001afff}}

#ifndef HOST
static inline unsigned cycles(void) {
  unsigned count;
  __asm__ volatile("rsr.ccount %0" : "=r"(count));
  return count;
}

/* Loads without the memory barrier that the compiler adds to volatile loads, for the sampling loop. */
static inline unsigned sample_register(unsigned address) {
  unsigned word;
  __asm__ volatile("l32i %0, %1, 0" : "=r"(word) : "r"(address));
  return word;
}
#endif

/* SAR ADC1, "On-Chip Sensors and Analog Signal Processing", SENS_SAR_MEAS_START1_REG. */
#define ADC_MEASURE 0x3ff48854
#define ADC_CHANNELS 8

static inline void adc_start(unsigned channel) {
  unsigned chosen = 1u << 31 | 1u << (19 + channel) | 1u << 18;
  poke(ADC_MEASURE, chosen);
  poke(ADC_MEASURE, chosen | 1u << 17);
}

/* Returns the 12 bits of the measurement; negative while it runs. */
static inline int adc_result(void) {
  unsigned word = peek(ADC_MEASURE);
  return (word >> 16 & 1) ? (int)(word & 0xfff) : -1;
}

#endif
