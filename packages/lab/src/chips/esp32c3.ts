/** ESP32-C3 (Technical Reference Manual 1.x, chapters "IO MUX and GPIO Matrix", "I2C", "UART", "LED PWM", "SPI", "On-Chip Sensor"). */
import { entry } from '../macro.ts';
import type { ChipTable, LabLink, LabPin } from './lab-chip.ts';
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

const GPIO = 0x6000_4000;
const IO_MUX = 0x6000_9000;
const UART1 = 0x6001_0000;
const I2C0 = 0x6001_3000;
const LEDC = 0x6001_9000;
const SPI2 = 0x6002_4000;
const SAR_ADC = 0x6004_0000;
const SYSTEM = 0x600c_0000;

const PINS = 22;

function lockOf(gpio: number, link: LabLink): string | undefined {
  if (gpio === 11) {
    return 'GPIO 11 supplies the flash chip.';
  }
  if (gpio >= 12 && gpio <= 17) {
    return flashLock(gpio);
  }
  if (link === 'usb-jtag') {
    return gpio === 18 || gpio === 19 ? linkLock(gpio, 'USB') : undefined;
  }
  return gpio >= 20 ? linkLock(gpio, 'UART0') : undefined;
}

function warningOf(gpio: number, link: LabLink): string | undefined {
  if ([2, 8, 9].includes(gpio)) {
    return strapNote(gpio);
  }
  return link === 'uart' && (gpio === 18 || gpio === 19) ? `GPIO ${gpio} is USB on many boards.` : undefined;
}

function pinOf(gpio: number, link: LabLink): LabPin {
  const locked = lockOf(gpio, link);
  const warning = warningOf(gpio, link);
  return {
    gpio,
    ioMux: IO_MUX + 4 + 4 * gpio,
    ...(locked !== undefined && { locked }),
    ...(warning !== undefined && { warning }),
    pad: null,
    pulls: true,
    adcChannel: gpio <= 4 ? gpio : null,
  };
}

export const esp32c3: ChipTable = ({ link, crystal }) => {
  const pins = Array.from({ length: PINS }, (_, gpio) => pinOf(gpio, link));
  const parts = {
    pins,
    gpio: {
      banks: [firstBank(GPIO)],
      pinConfig: GPIO + 0x74,
      inputSelect: GPIO + 0x154,
      inputPinMask: 0x1f,
      inputRouted: 1 << 6,
      constantHigh: 0x1e,
      constantLow: 0x1f,
      outputSelect: GPIO + 0x554,
      plainOutput: 0x80,
      ioMuxFunction: 1,
    },
    gates: clockGates(SYSTEM + 0x10, SYSTEM + 0x18, { pcnt: null, sarAdc: 28 }),
    i2c: {
      base: I2C0,
      fifoWrite: I2C0 + 0x1c,
      signals: { scl: 53, sda: 54 },
      control: { setUp: 0x313, start: 0xb33, takeOver: 0xb13 },
      clockConfig: { offset: 0x54, value: 0x20_0000 },
      periodLess: 1,
      timeout: { fixed: 0x30 },
      ops: { start: 6, write: 1, read: 3, stop: 2, end: 4 },
      slots: 8,
    },
    ledc: {
      config: { address: LEDC + 0xd0, value: 3, mask: 3 },
      timer: LEDC + 0xa0,
      divisorShift: 4,
      timerFlags: 0,
      timerReset: 1 << 23,
      timerTakeOver: 1 << 25,
      channel: LEDC,
      signal: 45,
    },
    uart: {
      base: UART1,
      fifoWrite: UART1,
      signals: { tx: 9, rx: 9 },
      clockConfig: { ...entry(UART1 + 0x78, 0x370_0000, { mask: 0x3ff_f000 }), dividerShift: 12 },
      widestDivider: 0xfff,
      config8n1: 0x1000_001c,
      takeOver: entry(UART1 + 0x80, 0x8000_0000, { mask: 0x8000_0000 }),
      receivedMask: 0x3ff,
      fifo: uartFifo,
    },
    adc: {
      gate: 'sarAdc',
      pads: {},
      setUp: [
        entry(SAR_ADC + 0x54, 0x50_0004, { mask: 0x70_00ff }),
        entry(SAR_ADC, 0x1800_0000, { mask: 0x1800_0000 }),
      ],
      convert: [
        entry(SAR_ADC + 0x4c, 0x8000_0000),
        { ...entry(SAR_ADC + 0x20, 0x8180_0000), channel: { as: 'number', shift: 25 } },
        { ...entry(SAR_ADC + 0x20, 0xa180_0000), channel: { as: 'number', shift: 25 } },
        { ...entry(SAR_ADC + 0x20, 0x8180_0000, { delay: 50 }), channel: { as: 'number', shift: 25 } },
      ],
      done: { address: SAR_ADC + 0x44, bit: 31 },
      value: { address: SAR_ADC + 0x2c, mask: 0xfff },
      fullScale: 2.5,
    },
    spi: {
      base: SPI2,
      signals: { clk: 63, q: 64, d: 65, cs: 68 },
      // Clocks the controller from the crystal: in download mode the PLL is not running.
      setUp: [
        { offset: 0xe8, value: 3 },
        { offset: 0xe0, value: 0 },
      ],
      clock: 0x0c,
      widestPredivider: 16,
      pin: { offset: 0x20, value: 0x3e },
      idleHigh: 29,
      user: { offset: 0x10, value: 0x1800_00c1 },
      outEdge: 9,
      lengths: [0x1c],
      data: 0x98,
      update: 23,
      start: 24,
    },
    rmt: null,
    pcnt: null,
  } as const;
  return {
    name: 'esp32c3',
    label: 'ESP32-C3',
    link,
    packageName: null,
    crystal,
    limits: linkLimits(1792, 1),
    ...parts,
    // UART1, I2C0 and SPI2.
    routableInputs: new Set([9, 10, 53, 54, 63, 64, 65, 66, 67, 68]),
    reachable: [
      { first: 0x3fc9_0000, last: 0x3fcb_ffff, what: 'RAM', writable: true },
      { first: I2C0, last: I2C0 + 0x7f, what: 'I2C0', writable: true },
      // Excludes MEM_CONF, which shares memory out among both UARTs.
      { first: UART1, last: UART1 + 0x5f, what: 'UART1', writable: true },
      { first: UART1 + 0x64, last: UART1 + 0x83, what: 'UART1', writable: true },
      { first: LEDC, last: LEDC + 0xd3, what: 'LEDC', writable: true },
      // Excludes the DMA register.
      { first: SPI2, last: SPI2 + 0x2f, what: 'SPI2', writable: true },
      { first: SPI2 + 0x98, last: SPI2 + 0xd7, what: 'SPI2', writable: true },
      { first: SPI2 + 0xe0, last: SPI2 + 0xeb, what: 'SPI2', writable: true },
      ...readableWords(GPIO),
    ],
    reserved: [
      { first: 0x6000_0000, last: 0x6000_0fff, what: 'UART0' },
      { first: 0x6000_2000, last: 0x6000_3fff, what: 'the controller of the flash chip' },
      { first: 0x6000_8800, last: 0x6000_8bff, what: 'eFuses, which can be burned only once' },
      { first: 0x6000_8000, last: 0x6000_87ff, what: 'the clock, power and reset control' },
      { first: 0x6004_3000, last: 0x6004_3fff, what: 'USB Serial/JTAG' },
      { first: 0x3fc8_0000, last: 0x3fc8_ffff, what: 'memory of the ROM' },
      { first: 0x3fcc_0000, last: 0x3fcd_ffff, what: 'memory of the ROM' },
      { first: 0x4000_0000, last: 0x4005_ffff, what: 'the ROM' },
    ],
    reset: entry(0x6000_8000, 0x8000_0000, { mask: 0x8000_0000 }),
    // SPI2's input for HOLD.
    resetMark: entry(GPIO + 0x154 + 4 * 66, 0x40 | 0x1f),
    registers: registerGroups(parts, [
      ['CTRL', SAR_ADC],
      ['ONETIME_SAMPLE', SAR_ADC + 0x20],
      ['1_DATA_STATUS', SAR_ADC + 0x2c],
      ['INT_RAW', SAR_ADC + 0x44],
      ['CLKM_CONF', SAR_ADC + 0x54],
    ]),
  };
};
