/** ESP32 (Technical Reference Manual 5.x, chapters "IO_MUX and GPIO Matrix", "I2C", "UART", "LED PWM", "SPI", "RMT", "PCNT", "On-Chip Sensors"). */
import { entry } from '../macro.ts';
import type { ChipTable, LabPin, PullPad } from './lab-chip.ts';
import { registerGroups } from './register-groups.ts';
import {
  clockGates,
  firstBank,
  flashLock,
  linkLimits,
  linkLock,
  readableWords,
  strapNote,
  uartFifo,
} from './shared-parts.ts';

const GPIO = 0x3ff4_4000;
const IO_MUX = 0x3ff4_9000;
const RTC_IO = 0x3ff4_8400;
const SENS = 0x3ff4_8800;
const DPORT = 0x3ff0_0000;
const UART1 = 0x3ff5_0000;
const I2C0 = 0x3ff5_3000;
const RMT = 0x3ff5_6000;
const PCNT = 0x3ff5_7000;
const LEDC = 0x3ff5_9000;
const SPI2 = 0x3ff6_4000;

/** IO_MUX offsets by GPIO. */
const ioMuxOffsets: Readonly<Record<number, number>> = {
  0: 0x44,
  1: 0x88,
  2: 0x40,
  3: 0x84,
  4: 0x48,
  5: 0x6c,
  6: 0x60,
  7: 0x64,
  8: 0x68,
  9: 0x54,
  10: 0x58,
  11: 0x5c,
  12: 0x34,
  13: 0x38,
  14: 0x30,
  15: 0x3c,
  16: 0x4c,
  17: 0x50,
  18: 0x70,
  19: 0x74,
  21: 0x7c,
  22: 0x80,
  23: 0x8c,
  25: 0x24,
  26: 0x28,
  27: 0x2c,
  32: 0x1c,
  33: 0x20,
  34: 0x14,
  35: 0x18,
  36: 0x04,
  37: 0x08,
  38: 0x0c,
  39: 0x10,
};

const rtcPad = (offset: number, up = 27, down = 28, rtcFunction = 19): PullPad => ({
  address: RTC_IO + offset,
  up,
  down,
  rtcFunction,
});

/** Pads of the RTC domain, which hold the pull resistors of these pins. */
const pads: Readonly<Record<number, PullPad>> = {
  0: rtcPad(0x98),
  2: rtcPad(0x9c),
  4: rtcPad(0x94),
  12: rtcPad(0xa8),
  13: rtcPad(0xa4),
  14: rtcPad(0xac),
  15: rtcPad(0xa0),
  25: rtcPad(0x84, 27, 28, 17),
  26: rtcPad(0x88, 27, 28, 17),
  27: rtcPad(0xb0),
  32: rtcPad(0x8c, 22, 23, 17),
  33: rtcPad(0x8c, 27, 28, 18),
};

const adcChannels: Readonly<Record<number, number>> = { 36: 0, 37: 1, 38: 2, 39: 3, 32: 4, 33: 5, 34: 6, 35: 7 };

const warnings: Readonly<Record<number, string>> = {
  0: strapNote(0),
  2: strapNote(2),
  5: strapNote(5),
  12: strapNote(12, ': high at a reset sets the flash to 1.8 V'),
  15: strapNote(15),
  16: 'GPIO 16 is connected to PSRAM on WROVER modules.',
  17: 'GPIO 17 is connected to PSRAM on WROVER modules.',
};

/**
 * Packages with flash or PSRAM on GPIO 16 and 17 (ESP32 Series Datasheet, section "Pin Mapping Between Chip and
 * Flash/PSRAM").
 */
const embedded = ['ESP32-D2WD', 'ESP32-U4WDH', 'ESP32-PICO-D4', 'ESP32-PICO-V3', 'ESP32-PICO-V3-02', 'ESP32-D0WDR2-V3'];

function lockOf(gpio: number, packageName: string | null): string | undefined {
  if (gpio === 1 || gpio === 3) {
    return linkLock(gpio, 'UART0');
  }
  if (gpio >= 6 && gpio <= 11) {
    return flashLock(gpio);
  }
  return (gpio === 16 || gpio === 17) && packageName !== null && embedded.includes(packageName)
    ? `GPIO ${gpio} is connected to the memory in this package.`
    : undefined;
}

function pinOf(gpio: number, offset: number, packageName: string | null): LabPin {
  const locked = lockOf(gpio, packageName);
  const warning = warnings[gpio];
  const inputOnly = gpio >= 34;
  return {
    gpio,
    ioMux: IO_MUX + offset,
    ...(locked !== undefined && { locked }),
    ...(warning !== undefined && { warning }),
    ...(inputOnly && { inputOnly }),
    pad: pads[gpio] ?? null,
    pulls: !inputOnly,
    adcChannel: adcChannels[gpio] ?? null,
  };
}

const analog = (offset: number, bit: number) => ({ address: RTC_IO + offset, bit });

export const esp32: ChipTable = ({ packageName, crystal }) => {
  const pins = Object.entries(ioMuxOffsets).map(([gpio, offset]) => pinOf(Number(gpio), offset, packageName));
  const parts = {
    pins,
    gpio: {
      banks: [
        firstBank(GPIO),
        {
          first: 32,
          out: GPIO + 0x10,
          outSet: GPIO + 0x14,
          outClear: GPIO + 0x18,
          enable: GPIO + 0x2c,
          enableSet: GPIO + 0x30,
          enableClear: GPIO + 0x34,
          input: GPIO + 0x40,
        },
      ],
      pinConfig: GPIO + 0x88,
      inputSelect: GPIO + 0x130,
      inputPinMask: 0x3f,
      inputRouted: 1 << 7,
      constantHigh: 0x38,
      constantLow: 0x30,
      outputSelect: GPIO + 0x530,
      plainOutput: 0x100,
      ioMuxFunction: 2,
    },
    gates: clockGates(DPORT + 0xc0, DPORT + 0xc4, { pcnt: 10, sarAdc: null }),
    i2c: {
      base: I2C0,
      fifoWrite: 0x6001_301c,
      signals: { scl: 29, sda: 30 },
      control: { setUp: 0x113, start: 0x133, takeOver: null },
      clockConfig: null,
      periodLess: 0,
      timeout: { halfPeriods: 20 },
      ops: { start: 0, write: 1, read: 2, stop: 3, end: 4 },
      slots: 16,
    },
    ledc: {
      config: { address: LEDC + 0x190, value: 1, mask: 1 },
      timer: LEDC + 0x160,
      divisorShift: 5,
      timerFlags: 1 << 25,
      timerReset: 1 << 24,
      timerTakeOver: 1 << 26,
      channel: LEDC + 0xa0,
      signal: 79,
    },
    uart: {
      base: UART1,
      fifoWrite: 0x6001_0000,
      signals: { tx: 17, rx: 17 },
      clockConfig: null,
      widestDivider: 0xf_ffff,
      config8n1: 0x0800_001c,
      takeOver: null,
      receivedMask: 0xff,
      fifo: uartFifo,
    },
    adc: {
      gate: null,
      pads: {
        36: analog(0x7c, 27),
        37: analog(0x7c, 26),
        38: analog(0x7c, 25),
        39: analog(0x7c, 24),
        34: analog(0x80, 29),
        35: analog(0x80, 28),
        32: analog(0x8c, 17),
        33: analog(0x8c, 18),
      },
      setUp: [
        // Amplifier off, power on, software control.
        entry(SENS, 0x1000_0000, { mask: 0x1800_0000 }),
        entry(SENS, 0x3_0000, { mask: 0x3_0000 }),
        entry(SENS + 0x0c, 0xc_0000, { mask: 0xc_0000 }),
        // 12 bits, 11 dB attenuation on all channels.
        entry(SENS + 0x2c, 3, { mask: 3 }),
        entry(SENS + 0x34, 0xffff_ffff),
      ],
      convert: [
        { ...entry(SENS + 0x54, 0x8004_0000), channel: { as: 'bit', shift: 19 } },
        { ...entry(SENS + 0x54, 0x8006_0000), channel: { as: 'bit', shift: 19 } },
      ],
      done: { address: SENS + 0x54, bit: 16 },
      value: { address: SENS + 0x54, mask: 0xfff },
      fullScale: 3.3,
    },
    spi: {
      base: SPI2,
      signals: { clk: 8, q: 9, d: 10, cs: 11 },
      setUp: [
        { offset: 0x38, value: 0 },
        { offset: 0x08, value: 0 },
      ],
      clock: 0x18,
      widestPredivider: 8192,
      pin: { offset: 0x34, value: 6 },
      idleHigh: 29,
      user: { offset: 0x1c, value: 0x1800_0031 },
      outEdge: 7,
      lengths: [0x28, 0x2c],
      data: 0x80,
      update: null,
      start: 18,
    },
    rmt: {
      config0: RMT + 0x20,
      // Clock on.
      config0Flags: 0x8000_0000,
      config1: RMT + 0x24,
      apbConfig: { address: RMT + 0xf0, value: 1 },
      interruptRaw: RMT + 0xa0,
      memory: RMT + 0x800,
      blocks: 1,
      words: 32,
      signal: 83,
    },
    pcnt: {
      config0: PCNT,
      countRising: 1 << 18,
      countFalling: 1 << 16,
      limited: 1 << 12,
      config2: PCNT + 0x08,
      limit: 0x7fff,
      count: PCNT + 0x60,
      control: PCNT + 0xb0,
      reset: 1,
      pause: 2,
      signals: { input: 39, control: 41 },
    },
  } as const;
  return {
    name: 'esp32',
    label: 'ESP32',
    link: 'uart',
    packageName: packageName !== null && embedded.includes(packageName) ? packageName : null,
    crystal,
    // The ROM counts 13 cycles as a microsecond with every crystal (data word 0x3FFE01E0 on genuine ROM code). With
    // 40 MHz a delay therefore takes 13/40 of its length. With 26 MHz it takes 13/26, so a list waits longer than
    // needed.
    limits: linkLimits(224, 13 / 40),
    ...parts,
    // SPI2, UART1, I2C0, the units of PCNT, and RMT.
    routableInputs: signalSet([8, 13], [17, 18], [29, 30], [39, 58], [71, 82], [83, 90]),
    reachable: [
      { first: 0x3ffb_0000, last: 0x3ffb_ffff, what: 'RAM', writable: true },
      { first: I2C0, last: I2C0 + 0x97, what: 'I2C0', writable: true },
      { first: 0x6001_301c, last: 0x6001_301f, what: 'I2C0', writable: true },
      // Excludes MEM_CONF, which shares memory out among all UARTs.
      { first: UART1, last: UART1 + 0x57, what: 'UART1', writable: true },
      { first: UART1 + 0x60, last: UART1 + 0x7f, what: 'UART1' },
      { first: 0x6001_0000, last: 0x6001_0003, what: 'UART1', writable: true },
      { first: RMT + 0x20, last: RMT + 0xff, what: 'RMT', writable: true },
      { first: RMT + 0x800, last: RMT + 0xfff, what: 'RMT', writable: true },
      { first: PCNT, last: PCNT + 0xb3, what: 'PCNT', writable: true },
      { first: LEDC, last: LEDC + 0x193, what: 'LEDC', writable: true },
      // Excludes the DMA registers, because DMA can write to any address.
      { first: SPI2, last: SPI2 + 0xfb, what: 'SPI2', writable: true },
      ...readableWords(GPIO),
    ],
    reserved: [
      { first: 0x3ff4_0000, last: 0x3ff4_0fff, what: 'UART0' },
      { first: 0x6000_0000, last: 0x6000_0fff, what: 'UART0' },
      { first: 0x3ff4_2000, last: 0x3ff4_3fff, what: 'the controller of the flash chip' },
      { first: 0x6000_2000, last: 0x6000_3fff, what: 'the controller of the flash chip' },
      { first: 0x3ff5_a000, last: 0x3ff5_afff, what: 'eFuses, which can be burned only once' },
      { first: 0x3ff4_8000, last: 0x3ff4_83ff, what: 'the clock, power and reset control' },
      { first: 0x3ffa_e000, last: 0x3ffa_ffff, what: 'memory of the ROM' },
      { first: 0x3ffc_0000, last: 0x3fff_ffff, what: 'memory of the ROM' },
      { first: 0x4000_0000, last: 0x4006_ffff, what: 'the ROM' },
    ],
    reset: entry(0x3ff4_8000, 0x8000_0000, { mask: 0x8000_0000 }),
    // SPI2's input for HOLD.
    resetMark: entry(GPIO + 0x130 + 4 * 12, 0x80 | 0x30),
    registers: registerGroups(parts, [
      ['SAR_READ_CTRL', SENS],
      ['SAR_MEAS_WAIT2', SENS + 0x0c],
      ['SAR_START_FORCE', SENS + 0x2c],
      ['SAR_ATTEN1', SENS + 0x34],
      ['SAR_MEAS_START1', SENS + 0x54],
    ]),
  };
};

/** Returns all numbers of the ranges, both ends included. */
function signalSet(...ranges: readonly (readonly [number, number])[]): ReadonlySet<number> {
  return new Set(
    ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
  );
}
