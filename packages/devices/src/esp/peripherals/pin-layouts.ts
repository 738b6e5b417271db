/**
 * Addresses of the pins' registers. ESP32 Technical Reference Manual, chapter 4 "IO_MUX and GPIO Matrix" (sections
 * 4.11 "IO_MUX Pad List", 4.12 "Register Summary"); ESP32-C3 Technical Reference Manual, chapter 5 "IO MUX and GPIO
 * Matrix". State of pads after a reset: ESP32 and ESP32-C3 Series data sheets, appendix "IO MUX".
 */

/** An ESP32 pad that the RTC can control: its register, and the bits for pull-up, pull-down and the RTC function. */
interface RtcPad {
  readonly offset: number;
  readonly up: number | null;
  readonly down: number | null;
  readonly mux: number;
}

export interface PinLayout {
  readonly pins: number;
  readonly gpio: number;
  readonly ioMux: number;
  /** Offset of the IO_MUX word of each pin. Pins without one do not exist. */
  readonly muxOffsets: ReadonlyMap<number, number>;
  /** IO_MUX function that selects the matrix. */
  readonly gpioFunction: number;
  /** Pins whose function 0 selects the matrix too. */
  readonly gpioByZero: readonly number[];
  /** IO_MUX words after a reset. */
  readonly resetWords: ReadonlyMap<number, number>;
  readonly inputOnly: readonly number[];
  /** Offsets of PINn, of the input select of signal 0, and of the output select of pin 0. */
  readonly pinBase: number;
  readonly inputBase: number;
  readonly outputBase: number;
  /**
   * Bits of the pin's number in an input select. The next bit inverts, the one above selects the matrix. Two numbers
   * are constant inputs.
   */
  readonly inputPinMask: number;
  readonly constantHigh: number;
  readonly constantLow: number;
  /** Signal number in an output select that means the plain output. */
  readonly plainOutput: number;
  /** Registers of the RTC's pads on the ESP32. These pads have their pulls there instead of in IO_MUX. */
  readonly rtc: { readonly base: number; readonly pads: ReadonlyMap<number, RtcPad> } | null;
}

const inputEnable = 1 << 9;
const pullUp = 1 << 8;
const pullDown = 1 << 7;
const usualStrength = 2 << 10;

const words = (none: readonly number[], plain: readonly number[], up: readonly number[], down: readonly number[]) =>
  new Map([
    ...none.map((pin) => [pin, usualStrength] as const),
    ...plain.map((pin) => [pin, usualStrength | inputEnable] as const),
    ...up.map((pin) => [pin, usualStrength | inputEnable | pullUp] as const),
    ...down.map((pin) => [pin, usualStrength | inputEnable | pullDown] as const),
  ]);

/** Pins in the order of the pad list, from offset 4 on. Pins 20 and 24 are not brought out. */
const esp32PadList = [
  36,
  37,
  38,
  39,
  34,
  35,
  32,
  33,
  25,
  26,
  27,
  14,
  12,
  13,
  15,
  2,
  0,
  4,
  16,
  17,
  9,
  10,
  11,
  6,
  7,
  8,
  5,
  18,
  19,
  null,
  21,
  22,
  3,
  1,
  23,
];

export const esp32Pins: PinLayout = {
  pins: 40,
  gpio: 0x3ff44000,
  ioMux: 0x3ff49000,
  muxOffsets: new Map(esp32PadList.flatMap((pin, index) => (pin === null ? [] : [[pin, 4 + index * 4] as const]))),
  gpioFunction: 2,
  gpioByZero: [0, 2, 4, 5, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 37, 38, 39],
  resetWords: words(
    [25, 26, 27, 32, 33, 34, 35, 36, 37, 38, 39],
    [13, 16, 17, 18, 19, 21, 22, 23],
    [0, 1, 3, 5, 6, 7, 8, 9, 10, 11, 14, 15],
    [2, 4, 12],
  ),
  inputOnly: [34, 35, 36, 37, 38, 39],
  pinBase: 0x88,
  inputBase: 0x130,
  outputBase: 0x530,
  inputPinMask: 0x3f,
  constantHigh: 0x38,
  constantLow: 0x30,
  plainOutput: 0x100,
  rtc: {
    base: 0x3ff48400,
    pads: new Map([
      [36, { offset: 0x7c, up: null, down: null, mux: 27 }],
      [37, { offset: 0x7c, up: null, down: null, mux: 26 }],
      [38, { offset: 0x7c, up: null, down: null, mux: 25 }],
      [39, { offset: 0x7c, up: null, down: null, mux: 24 }],
      [34, { offset: 0x80, up: null, down: null, mux: 29 }],
      [35, { offset: 0x80, up: null, down: null, mux: 28 }],
      [25, { offset: 0x84, up: 27, down: 28, mux: 17 }],
      [26, { offset: 0x88, up: 27, down: 28, mux: 17 }],
      [32, { offset: 0x8c, up: 22, down: 23, mux: 17 }],
      [33, { offset: 0x8c, up: 27, down: 28, mux: 18 }],
      [4, { offset: 0x94, up: 27, down: 28, mux: 19 }],
      [0, { offset: 0x98, up: 27, down: 28, mux: 19 }],
      [2, { offset: 0x9c, up: 27, down: 28, mux: 19 }],
      [15, { offset: 0xa0, up: 27, down: 28, mux: 19 }],
      [13, { offset: 0xa4, up: 27, down: 28, mux: 19 }],
      [12, { offset: 0xa8, up: 27, down: 28, mux: 19 }],
      [14, { offset: 0xac, up: 27, down: 28, mux: 19 }],
      [27, { offset: 0xb0, up: 27, down: 28, mux: 19 }],
    ]),
  },
};

export const esp32c3Pins: PinLayout = {
  pins: 22,
  gpio: 0x60004000,
  ioMux: 0x60009000,
  muxOffsets: new Map(Array.from({ length: 22 }, (_, pin) => [pin, 4 + pin * 4] as const)),
  gpioFunction: 1,
  gpioByZero: [0, 1, 2, 3, 8, 9, 10, 11, 18, 19],
  resetWords: words([0, 1, 11, 18, 19], [2, 3, 4, 5, 6, 7, 8, 10], [9, 12, 13, 14, 15, 16, 17, 20, 21], []),
  inputOnly: [],
  pinBase: 0x74,
  inputBase: 0x154,
  outputBase: 0x554,
  inputPinMask: 0x1f,
  constantHigh: 0x1e,
  constantLow: 0x1f,
  plainOutput: 0x80,
  rtc: null,
};
