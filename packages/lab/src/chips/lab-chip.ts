/**
 * A chip as one table of numbers. The instruments use only this table, so supporting another chip means adding a
 * table. Addresses are absolute, masks and values are 32-bit words, pins are GPIO numbers. Sources: the register
 * chapters of the chips' Technical Reference Manuals. Limits and sequences were tried against genuine ROM code.
 */
import type { RegisterEntry } from '../macro.ts';
import type { RegisterGroup } from './named-register.ts';

export type LabChipName = 'esp32' | 'esp32c3';

/** Connection to the chip: a bridge at UART0, or the chip's own USB Serial/JTAG. */
export type LabLink = 'uart' | 'usb-jtag';

export interface LinkLimits {
  /** Maximum entries of one WRITE_REG list; the ROM takes 511. */
  readonly list: number;
  /** Maximum entries of a list sent while an earlier command is in progress. */
  readonly pipelinedList: number;
  /**
   * Maximum bytes in flight behind the command in progress, escapes included. The ROM's receive ring holds more, by a
   * margin.
   */
  readonly bytesBehind: number;
  readonly readsInFlight: number;
  /** Real length of one unit of a WRITE_REG delay, in microseconds. */
  readonly delayUnit: number;
}

/** Pad register of the RTC domain, for pins whose pull resistors are not in IO_MUX. */
export interface PullPad {
  readonly address: number;
  /** Bits of the pull-up and pull-down; null if the pad has none. */
  readonly up: number | null;
  readonly down: number | null;
  /** Bit that must be 0 for digital use. */
  readonly rtcFunction: number;
}

export interface LabPin {
  readonly gpio: number;
  /** Address of the pin's IO_MUX register. */
  readonly ioMux: number;
  /** Reason for which the pin must not be touched, as a sentence. Absent for a usable pin. */
  readonly locked?: string;
  /** Caution for the user before the first use, as a sentence. */
  readonly warning?: string;
  readonly inputOnly?: true;
  /** Null: the pull bits are in IO_MUX. */
  readonly pad: PullPad | null;
  readonly pulls: boolean;
  /** Channel of ADC1; null if the pin has none. */
  readonly adcChannel: number | null;
}

/** Up to 32 pins that share a word in OUT, ENABLE, IN and their set and clear registers. */
export interface GpioBank {
  /** GPIO number of bit 0. */
  readonly first: number;
  readonly out: number;
  readonly outSet: number;
  readonly outClear: number;
  readonly enable: number;
  readonly enableSet: number;
  readonly enableClear: number;
  readonly input: number;
}

export interface GpioMatrix {
  readonly banks: readonly GpioBank[];
  /** Address of PIN0; that of PINn is `+ 4n`. Bit 2 selects open drain. */
  readonly pinConfig: number;
  /** Input select register of signal 0; that of signal s is `+ 4s`. */
  readonly inputSelect: number;
  /** Mask of the pin number in an input select register. */
  readonly inputPinMask: number;
  /** Bit that routes the signal through the matrix. */
  readonly inputRouted: number;
  /** Pin numbers for a constant level: always 1, always 0. */
  readonly constantHigh: number;
  readonly constantLow: number;
  /** Output select register of pin 0; that of pin n is `+ 4n`. */
  readonly outputSelect: number;
  /** Signal number that selects the GPIO's own OUT bit. */
  readonly plainOutput: number;
  /** Number of the GPIO function in IO_MUX. */
  readonly ioMuxFunction: number;
}

export type GateName = 'uart1' | 'uartMemory' | 'spi2' | 'i2c0' | 'rmt' | 'ledc' | 'pcnt' | 'sarAdc';

export interface ClockGates {
  readonly enable: number;
  readonly reset: number;
  /** Bit of each peripheral, the same in both registers; null if the chip has no gate for it. */
  readonly bits: Readonly<Record<GateName, number | null>>;
  /** Bits that may be set but never cleared or reset, because UART0 needs them too. */
  readonly enableOnly: readonly number[];
}

export interface I2cTable {
  readonly base: number;
  /** Address for bytes to send. It differs from the address for received bytes. */
  readonly fifoWrite: number;
  readonly signals: { readonly sda: number; readonly scl: number };
  /**
   * Values of CTR for set-up, for a start, and for taking settings over. `takeOver` is null if settings take effect
   * at once.
   */
  readonly control: { readonly setUp: number; readonly start: number; readonly takeOver: number | null };
  /** Write that selects the crystal as clock; null if there is no choice. */
  readonly clockConfig: { readonly offset: number; readonly value: number } | null;
  /** Ticks to subtract from each half period. */
  readonly periodLess: number;
  /** Value of the time-out register: a fixed word, or a number of half periods converted to ticks. */
  readonly timeout: { readonly fixed: number } | { readonly halfPeriods: number };
  readonly ops: {
    readonly start: number;
    readonly write: number;
    readonly read: number;
    readonly stop: number;
    readonly end: number;
  };
  readonly slots: number;
}

export interface LedcTable {
  /** Write that switches the low-speed clock on. */
  readonly config: { readonly address: number; readonly value: number; readonly mask: number };
  readonly timer: number;
  readonly divisorShift: number;
  /** Bits of the timer's word that must always be set. */
  readonly timerFlags: number;
  readonly timerReset: number;
  readonly timerTakeOver: number;
  readonly channel: number;
  readonly signal: number;
}

export interface UartTable {
  readonly base: number;
  /** Address for bytes to send. */
  readonly fifoWrite: number;
  readonly signals: { readonly tx: number; readonly rx: number };
  /**
   * First write of the set-up, if the clock must be selected. Its divider (1 to 256) is stored less one at bit
   * `dividerShift`.
   */
  readonly clockConfig: (RegisterEntry & { readonly dividerShift: number }) | null;
  /** Maximum integer part of CLKDIV. */
  readonly widestDivider: number;
  /** CONF0 for eight data bits, no parity, one stop bit. */
  readonly config8n1: number;
  /** Last write of the set-up, if settings must be taken over. */
  readonly takeOver: RegisterEntry | null;
  /** Mask of the received count in STATUS. The count of unsent bytes has the same width from bit 16 on. */
  readonly receivedMask: number;
  readonly fifo: number;
}

/** One write of a conversion. `channel` says where and in which form the channel number goes into the value. */
export interface ChannelEntry extends RegisterEntry {
  readonly channel?: { readonly as: 'number' | 'bit'; readonly shift: number };
}

export interface AdcTable {
  readonly gate: GateName | null;
  /** Bits that switch pads to analog, by GPIO number. */
  readonly pads: Readonly<Record<number, { readonly address: number; readonly bit: number }>>;
  readonly setUp: readonly RegisterEntry[];
  readonly convert: readonly ChannelEntry[];
  readonly done: { readonly address: number; readonly bit: number };
  /** Equal to `done.address` if one word holds both. */
  readonly value: { readonly address: number; readonly mask: number };
  /** Approximate volts at the largest raw value; no calibration is used. */
  readonly fullScale: number;
}

/** A register, by its offset from the base, and its value. */
interface OffsetValue {
  readonly offset: number;
  readonly value: number;
}

export interface SpiTable {
  readonly base: number;
  readonly signals: { readonly clk: number; readonly d: number; readonly q: number; readonly cs: number };
  /** Writes that come before all others. */
  readonly setUp: readonly OffsetValue[];
  /** Offset of CLOCK. */
  readonly clock: number;
  /** Maximum of the divider's first stage. */
  readonly widestPredivider: number;
  /** Selects the chip select in use; `idleHigh` is a bit of this register. */
  readonly pin: OffsetValue;
  readonly idleHigh: number;
  /** Selects full duplex; `outEdge` is a bit of this register. */
  readonly user: OffsetValue;
  readonly outEdge: number;
  /** Offsets of the registers that hold the number of bits, less one. */
  readonly lengths: readonly number[];
  /** Offset of W0. */
  readonly data: number;
  /** Bit of CMD (at the base) that takes settings over; null if they take effect at once. */
  readonly update: number | null;
  /** Bit of CMD that starts a transfer and stays 1 until its end. */
  readonly start: number;
}

export interface RmtTable {
  readonly config0: number;
  /** Bits of CONF0 that must always be set. */
  readonly config0Flags: number;
  readonly config1: number;
  readonly apbConfig: { readonly address: number; readonly value: number };
  readonly interruptRaw: number;
  readonly memory: number;
  readonly blocks: number;
  /** Words of memory to read, of the 64 that it holds. More words take more time on the link. */
  readonly words: number;
  readonly signal: number;
}

export interface PcntTable {
  readonly config0: number;
  /** Bits of CONF0. */
  readonly countRising: number;
  readonly countFalling: number;
  /** Bit of CONF0 that compares the count with its limit. */
  readonly limited: number;
  readonly config2: number;
  /** Value of CONF2: the count restarts at 0 here. */
  readonly limit: number;
  readonly count: number;
  readonly control: number;
  /** Bits of the control register. */
  readonly reset: number;
  readonly pause: number;
  readonly signals: { readonly input: number; readonly control: number };
}

/** A named range of addresses. */
interface AddressRange {
  readonly first: number;
  /** Last byte. */
  readonly last: number;
  /** Name in the middle of a sentence, such as `UART0`. */
  readonly what: string;
}

interface ReachableRange extends AddressRange {
  /** Absent: read only. */
  readonly writable?: true;
}

export interface LabChip {
  readonly name: LabChipName;
  readonly label: string;
  readonly link: LabLink;
  readonly packageName: string | null;
  /** MHz. In download mode the APB clock is the crystal's. */
  readonly crystal: number;
  readonly limits: LinkLimits;
  /** Sorted by GPIO number, without absent pins. */
  readonly pins: readonly LabPin[];
  readonly gpio: GpioMatrix;
  readonly gates: ClockGates;
  readonly i2c: I2cTable;
  readonly ledc: LedcTable;
  readonly uart: UartTable;
  readonly adc: AdcTable;
  readonly spi: SpiTable;
  readonly rmt: RmtTable | null;
  readonly pcnt: PcntTable | null;
  /** Input signals that may be routed. Excludes those of UART0, flash and PSRAM. */
  readonly routableInputs: ReadonlySet<number>;
  /** Ranges allowed besides pins, gates and the ADC: registers of the lab's own peripherals, and free RAM. */
  readonly reachable: readonly ReachableRange[];
  /** Names of forbidden ranges, for the text of a refusal. Addresses in no table are refused too. */
  readonly reserved: readonly AddressRange[];
  /** Resets the chip. The policy refuses it in macros. */
  readonly reset: RegisterEntry;
  /** Routes an unused input. A reset clears it, which reveals resets that the client did not notice. */
  readonly resetMark: RegisterEntry;
  /** For the register view. */
  readonly registers: readonly RegisterGroup[];
}

/** Facts that only a connection reveals. */
export interface ChipCircumstances {
  readonly link: LabLink;
  /** Name on the package, such as `ESP32-PICO-D4`. */
  readonly packageName: string | null;
  /** MHz. */
  readonly crystal: number;
}

/** Makes the table of one chip for its circumstances. */
export type ChipTable = (circumstances: ChipCircumstances) => LabChip;
