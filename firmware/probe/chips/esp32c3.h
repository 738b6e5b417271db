/*
 * Registers of the ESP32-C3 that the probe uses (ESP32-C3 Technical Reference Manual; each group names its chapter).
 * Addresses and bits only; the sources use them.
 */
#ifndef CHIP_ESP32C3_H
#define CHIP_ESP32C3_H

/* Chip number in the header of an image. */
#define CHIP_ID 5
/* Crystal frequency in hertz. */
#define USUAL_CRYSTAL 40000000

/* UART, "UART Controller". */
#define UART0 0x60000000
#define UART0_SEND 0x60000000
#define UART1 0x60010000
#define UART1_SEND 0x60010000
#define UART_RECEIVED 0x000003ff
#define UART_WAITING_SHIFT 16
#define UART_WAITING 0x3ff

/* USB Serial/JTAG, "USB Serial/JTAG Controller": data byte, and status bits for room and received bytes. */
#define USB_BYTE 0x60043000
#define USB_STATE 0x60043004
#define USB_SEND_NOW (1 << 0)
#define USB_HAS_ROOM (1 << 1)
#define USB_HAS_BYTE (1 << 2)

/* GPIO, "IO MUX and GPIO Matrix": levels of all pins. */
#define GPIO_IN 0x6000403c
#define BANKS 1

/* I2C0, "I2C Controller". */
#define I2C0 0x60013000
#define I2C0_SEND 0x6001301c
#define I2C_GO 0xb33
#define I2C_START 6
#define I2C_WRITE 1
#define I2C_READ 3
#define I2C_STOP 2

/* SPI2 and offsets in it, "SPI Controller". Settings must be taken over (SPI_UPDATE) before a transfer starts. */
#define SPI2 0x60024000
#define SPI_WORDS 0x98
#define SPI_OUT_BITS 0x1c
#define SPI_UPDATE (1 << 23)
#define SPI_GO (1 << 24)

/* Divider of the processor's clock, "Reset and Clock", SYSTEM_SYSCLK_CONF_REG: crystal / (bits 0 to 9 + 1). */
#define CLOCK_DIVIDER 0x600c0058

/*
 * Watchdogs, "Watchdog Timers": configuration register and write protection register. The timer groups' watchdogs
 * take a new configuration over only with TIMG_WDT_CONF_UPDATE_EN. In the first one, the RTC's, that bit belongs to a
 * stage that is never reached. The super watchdog can feed itself.
 */
#define WATCHDOGS {{0x60008090, 0x600080a8}, {0x6001f048, 0x6001f064}, {0x60020048, 0x60020064}}
#define WATCHDOG_KEY 0x50d83aa1
#define WATCHDOG_OFF (1 << 22)
#define SUPER_WATCHDOG 0x600080ac
#define SUPER_WATCHDOG_PROTECTION 0x600080b0
#define SUPER_WATCHDOG_KEY 0x8f1d312a
#define SUPER_WATCHDOG_FEEDS_ITSELF (1u << 31)

/* Ranges that READ_REG may read, both ends included ("System and Memory"). */
#define READABLE {{0x3fc80000, 0x3fcdffff}, {0x40000000, 0x4005ffff}, {0x60000000, 0x600d0fff}}
/*
 * Ranges that WRITE_REG may write, and protected ranges in them: UART0, the flash controllers (SPI1, SPI0), the
 * eFuses, the flash's cache and encryption.
 */
#define WRITABLE {{0x60000000, 0x600d0fff}}
#define PROTECTED \
  {{0x60000000, 0x60000fff}, {0x60002000, 0x60003fff}, {0x60008800, 0x60008bff}, {0x600c4000, 0x600c5fff}, {0x600cc000, 0x600ccfff}}

#ifndef HOST
/* Reads the performance counter, which start-esp32c3.S sets to count cycles ("ESP-RISC-V CPU", "Custom CSRs"). */
static inline unsigned cycles(void) {
  unsigned count;
  __asm__ volatile("csrr %0, 0x7e2" : "=r"(count));
  return count;
}

static inline unsigned sample_register(unsigned address) {
  return *(volatile unsigned *)address;
}
#endif

/* SAR ADC1, "On-Chip Sensor and Analog Signal Processing": interrupt clear, one-time sampling, raw interrupts, data. */
#define ADC_CLEAR 0x6004004c
#define ADC_ONE_TIME 0x60040020
#define ADC_INTERRUPTS 0x60040044
#define ADC_DATA 0x6004002c
#define ADC_CHANNELS 5

static inline void adc_start(unsigned channel) {
  unsigned chosen = 1u << 31 | channel << 25 | 3u << 23;
  poke(ADC_CLEAR, 1u << 31);
  poke(ADC_ONE_TIME, chosen);
  poke(ADC_ONE_TIME, chosen | 1u << 29);
}

/* Returns the 12 bits of the measurement; negative while it runs. */
static inline int adc_result(void) {
  return peek(ADC_INTERRUPTS) >> 31 ? (int)(peek(ADC_DATA) & 0xfff) : -1;
}

#endif
