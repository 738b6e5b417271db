/**
 * What a chip is to the lab: one table, in numbers. The instruments read nothing else, so another chip is another table. Addresses are
 * absolute, masks and values are words, pins are GPIO numbers. Sources: the registers chapters of the chips' Technical Reference
 * Manuals; limits and sequences tried against genuine ROM code.
 */
import type { RegisterEntry } from '../macro.ts';
import type { RegisterGroup } from './named-register.ts';

export type LabChipName = 'esp32' | 'esp32c3';

/** The way to the chip: a bridge at UART0, or the chip's own USB Serial/JTAG. */
export type LabLink = 'uart' | 'usb-jtag';

export interface LinkLimits {
  /** Entries of one WRITE_REG list; the ROM takes 511. */
  readonly list: number;
  /** Entries of a list that may be sent behind a command in work. */
  readonly pipelinedList: number;
  /** Bytes behind the command in work, escapes included: what the ROM's receive ring holds, with a margin. */
  readonly bytesBehind: number;
  readonly readsInFlight: number;
  /** Real microseconds that one unit of a WRITE_REG delay lasts. */
  readonly delayUnit: number;
}

/** Pull resistors that are not in IO_MUX. */
export interface PullPad {
  readonly address: number;
  /** Null: this pad has none. */
  readonly up: number | null;
  readonly down: number | null;
  /** Bit that must be 0 for digital use. */
  readonly rtcFunction: number;
}

export interface LabPin {
  readonly gpio: number;
  /** IO_MUX register. */
  readonly ioMux: number;
  /** Why nobody may touch it. */
  readonly locked?: string;
  /** What a person should know before using it. */
  readonly warning?: string;
  readonly inputOnly?: true;
  /** Null: pulls are in IO_MUX. */
  readonly pad: PullPad | null;
  readonly pulls: boolean;
  /** Channel of ADC1. */
  readonly adcChannel: number | null;
}

/** 32 pins that share a word: OUT, ENABLE, IN and their set and clear registers. */
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
  /** PINn: `+ 4n`; bit 2 is open drain. */
  readonly pinConfig: number;
  /** Input select of signal s: `+ 4s`. */
  readonly inputSelect: number;
  /** Bits that hold the pin. */
  readonly inputPinMask: number;
  /** Bit that routes the signal through the matrix. */
  readonly inputRouted: number;
  /** Instead of a pin: always 1, always 0. */
  readonly constantHigh: number;
  readonly constantLow: number;
  /** Output select of pin n: `+ 4n`. */
  readonly outputSelect: number;
  /** Signal number that means the GPIO's own OUT bit. */
  readonly plainOutput: number;
  /** IO_MUX function that is GPIO. */
  readonly ioMuxFunction: number;
}

export type GateName = 'uart1' | 'uartMemory' | 'spi2' | 'i2c0' | 'rmt' | 'ledc' | 'pcnt' | 'sarAdc';

export interface ClockGates {
  readonly enable: number;
  readonly reset: number;
  /** Bit of a peripheral, the same in both registers; null where the chip has none. */
  readonly bits: Readonly<Record<GateName, number | null>>;
  /** Bits that may be set and never cleared, nor reset: UART0 needs them too. */
  readonly enableOnly: readonly number[];
}

export interface I2cTable {
  readonly base: number;
  /** Where bytes to send are written: not where they are read. */
  readonly fifoWrite: number;
  readonly signals: { readonly sda: number; readonly scl: number };
  /** CTR for set-up, for starting, and with the settings taken over; null where they act at once. */
  readonly control: { readonly setUp: number; readonly start: number; readonly takeOver: number | null };
  /** Entry that selects the crystal as clock, where there is one. */
  readonly clockConfig: { readonly offset: number; readonly value: number } | null;
  /** Taken from each half period. */
  readonly periodLess: number;
  /** Word of the time-out register for a half period of so many ticks. */
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
  /** Entry that switches the low-speed clock on. */
  readonly config: { readonly address: number; readonly value: number; readonly mask: number };
  readonly timer: number;
  readonly divisorShift: number;
  /** Bits of the timer's word that are always set. */
  readonly timerFlags: number;
  readonly timerReset: number;
  readonly timerTakeOver: number;
  readonly channel: number;
  readonly signal: number;
}

export interface UartTable {
  readonly base: number;
  /** Where bytes to send are written. */
  readonly fifoWrite: number;
  readonly signals: { readonly tx: number; readonly rx: number };
  /** First entry, where the clock must be chosen. Its divider, less one, goes in at `shift`; it divides by 1 to 256. */
  readonly clockConfig: (RegisterEntry & { readonly dividerShift: number }) | null;
  /** The largest whole part of CLKDIV. */
  readonly widestDivider: number;
  /** CONF0 for eight data bits, no parity, one stop bit. */
  readonly config8n1: number;
  /** Last entry, where settings must be taken over. */
  readonly takeOver: RegisterEntry | null;
  /** Bits of STATUS that count what was received; from bit 16 on, as many count what is unsent. */
  readonly receivedMask: number;
  readonly fifo: number;
}

/** One entry of a conversion; the channel goes in as a number or as a bit. */
export interface ChannelEntry extends RegisterEntry {
  readonly channel?: { readonly as: 'number' | 'bit'; readonly shift: number };
}

export interface AdcTable {
  readonly gate: GateName | null;
  /** Pads that are switched to analog, by GPIO. */
  readonly pads: Readonly<Record<number, { readonly address: number; readonly bit: number }>>;
  readonly setUp: readonly RegisterEntry[];
  readonly convert: readonly ChannelEntry[];
  readonly done: { readonly address: number; readonly bit: number };
  /** The same as `done.address` where one word has both. */
  readonly value: { readonly address: number; readonly mask: number };
  /** Volts at the largest raw value, about: no calibration is used. */
  readonly fullScale: number;
}

/** A register by its offset from the base, and a word for it. */
interface OffsetValue {
  readonly offset: number;
  readonly value: number;
}

export interface SpiTable {
  readonly base: number;
  readonly signals: { readonly clk: number; readonly d: number; readonly q: number; readonly cs: number };
  /** Written first. */
  readonly setUp: readonly OffsetValue[];
  /** Offset of CLOCK. */
  readonly clock: number;
  /** The largest value of the divider's first stage. */
  readonly widestPredivider: number;
  /** Which chip select is used; `idleHigh` is a bit of it. */
  readonly pin: OffsetValue;
  readonly idleHigh: number;
  /** Full duplex; `outEdge` is a bit of it. */
  readonly user: OffsetValue;
  readonly outEdge: number;
  /** Offsets of the registers that hold the number of bits less one. */
  readonly lengths: readonly number[];
  /** Offset of W0. */
  readonly data: number;
  /** Bit of CMD, at the base, that takes settings over; null where they act at once. */
  readonly update: number | null;
  /** Bit of CMD that starts, and stays 1 until the end. */
  readonly start: number;
}

export interface RmtTable {
  readonly config0: number;
  /** Bits of CONF0 that are always set. */
  readonly config0Flags: number;
  readonly config1: number;
  readonly apbConfig: { readonly address: number; readonly value: number };
  readonly interruptRaw: number;
  readonly memory: number;
  readonly blocks: number;
  /** Words of memory that are read, which costs time on the link; it holds 64. */
  readonly words: number;
  readonly signal: number;
}

export interface PcntTable {
  readonly config0: number;
  /** Bits of CONF0. */
  readonly countRising: number;
  readonly countFalling: number;
  /** Compares the count with its limit. */
  readonly limited: number;
  readonly config2: number;
  /** Word of CONF2: where the count starts again at 0. */
  readonly limit: number;
  readonly count: number;
  readonly control: number;
  /** Bits of the control register. */
  readonly reset: number;
  readonly pause: number;
  readonly signals: { readonly input: number; readonly control: number };
}

/** A stretch of addresses and what it is called. */
interface AddressRange {
  readonly first: number;
  /** Last byte. */
  readonly last: number;
  /** Such as `UART0`, in the middle of a sentence. */
  readonly what: string;
}

interface ReachableRange extends AddressRange {
  /** Only read when left out. */
  readonly writable?: true;
}

export interface LabChip {
  readonly name: LabChipName;
  readonly label: string;
  readonly link: LabLink;
  readonly packageName: string | null;
  /** MHz; in download mode APB is the crystal. */
  readonly crystal: number;
  readonly limits: LinkLimits;
  /** In the order of GPIO numbers; absent pins are not in it. */
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
  /** Input signals that may be routed: none of UART0, of the flash or of PSRAM. */
  readonly routableInputs: ReadonlySet<number>;
  /** What may be reached besides pins, gates and the ADC: registers of the lab's peripherals that move nothing else, and free RAM. */
  readonly reachable: readonly ReachableRange[];
  /** Names for what may not be reached, so that a refusal can say what is there. Everything that is in no table is refused. */
  readonly reserved: readonly AddressRange[];
  /** Resets the chip. No macro may send it. */
  readonly reset: RegisterEntry;
  /** Routes an input that nobody uses: it is gone after a reset that nobody saw. */
  readonly resetMark: RegisterEntry;
  /** For the register view. */
  readonly registers: readonly RegisterGroup[];
}

/** What only a connection tells. */
export interface ChipCircumstances {
  readonly link: LabLink;
  /** As on the package, such as `ESP32-PICO-D4`. */
  readonly packageName: string | null;
  /** MHz. */
  readonly crystal: number;
}

/** Makes the table of one chip under its circumstances. */
export type ChipTable = (circumstances: ChipCircumstances) => LabChip;
