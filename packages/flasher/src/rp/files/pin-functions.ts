/**
 * Names of the functions of pins, as picotool shows them (RP2040 datasheet 1.4.3, RP2350 datasheet 1.2.3, "GPIO
 * functions"). The tables repeat every few pins, so they are rules here.
 */
import type { RpChip } from './rp-firmware.ts';

type PinFunction = (pin: number) => string;

const oneOf =
  (...names: readonly string[]): PinFunction =>
  (pin) =>
    names[pin % names.length] ?? '';

/** UART 0 has pins 0–3, 12–19 and 28–35 and so on: two groups of four, then two of the other. */
const uart = (pin: number) => (((pin + 4) >> 3) & 1 ? 1 : 0);
const uartPin: PinFunction = (pin) => `UART${uart(pin)} ${['TX', 'RX', 'CTS', 'RTS'][pin % 4]}`;
const uartAuxiliary: PinFunction = (pin) => (pin % 4 < 2 ? '' : `UART${uart(pin)} ${pin % 4 === 2 ? 'TX' : 'RX'}`);
const spi: PinFunction = (pin) => `SPI${(pin >> 3) & 1} ${['RX', 'CSn', 'SCK', 'TX'][pin % 4]}`;
const usb = oneOf('USB OVCUR DET', 'USB VBUS DET', 'USB VBUS EN');
const i2c = oneOf('I2C0 SDA', 'I2C0 SCL', 'I2C1 SDA', 'I2C1 SCL');
/** Slices 8 to 11 serve the pins from 32 on, twice. */
const pwm: PinFunction = (pin) => `PWM${pin < 32 ? (pin >> 1) & 7 : 8 + ((pin >> 1) & 3)} ${pin % 2 === 0 ? 'A' : 'B'}`;
const listed =
  (names: Readonly<Record<number, string>>): PinFunction =>
  (pin) =>
    names[pin] ?? '';

const clocks2040 = listed({
  20: 'CLOCK GPIN0',
  21: 'CLOCK GPOUT0',
  22: 'CLOCK GPIN1',
  23: 'CLOCK GPOUT1',
  24: 'CLOCK GPOUT2',
  25: 'CLOCK GPOUT3',
});

const highSpeed: Readonly<Record<number, string>> = {
  0: 'JTAG TCK',
  1: 'JTAG TMS',
  2: 'JTAG TDI',
  3: 'JTAG TDO',
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [12 + index, `HSTX${index}`])),
};

const clocksAndTrace = listed({
  0: 'XIP CS1',
  1: 'CORESIGHT TRACECLK',
  2: 'CORESIGHT TRACEDATA0',
  3: 'CORESIGHT TDATA1',
  4: 'CORESIGHT TDATA2',
  5: 'CORESIGHT TDATA3',
  8: 'XIP CS1',
  12: 'CLK GPIN',
  13: 'CLK GPOUT',
  14: 'CLK GPIN',
  15: 'CLK GPOUT',
  19: 'XIP CS1',
  20: 'CLK GPIN',
  21: 'CLK GPOUT',
  22: 'CLK GPIN',
  23: 'CLK GPOUT',
  24: 'CLK GPOUT',
  25: 'CLK GPOUT',
  47: 'XIP CS1',
});

/** By the number of the function. */
const functions: Readonly<Record<RpChip, { readonly pins: number; readonly names: readonly PinFunction[] }>> = {
  RP2040: {
    pins: 30,
    names: [oneOf(''), spi, uartPin, i2c, pwm, oneOf('SIO'), oneOf('PIO0'), oneOf('PIO1'), clocks2040, usb],
  },
  RP2350: {
    pins: 48,
    names: [
      listed(highSpeed),
      spi,
      uartPin,
      i2c,
      pwm,
      oneOf('SIO'),
      oneOf('PIO0'),
      oneOf('PIO1'),
      oneOf('PIO2'),
      clocksAndTrace,
      usb,
      uartAuxiliary,
    ],
  },
};

/** Numbers of functions that are shown for a file of neither chip. */
const UNKNOWN_CHIP_FUNCTIONS = 12;

/**
 * Names a function of a pin: `UART0 TX`, or `Unknown pin function 8` for a function that the pin does not have.
 *
 * @param chip Null: the file does not say which.
 * @returns null for a number that no pin of the chip has: such a line is not shown.
 */
export function pinFunctionName(chip: RpChip | null, pin: number, number: number): string | null {
  const table = chip === null ? { pins: 0, names: [] } : functions[chip];
  if (number >= (chip === null ? UNKNOWN_CHIP_FUNCTIONS : table.names.length)) {
    return null;
  }
  const name = pin < table.pins ? table.names[number]?.(pin) : '';
  return name || `Unknown pin function ${number}`;
}
