/**
 * What the bench's page and the lab's host say to each other: calls with answers, and a tick when something has changed. The host runs
 * beside the bench, in the same thread, with its devices and its log: what every instrument does stands there as lines of port 1.
 * Everything here can be cloned between threads.
 */
import type {
  CountedEdges,
  EdgePeriod,
  LabChipName,
  LabCounters,
  LabFailure,
  LabLink,
  LabStep,
  PinRuleKind,
  Pull,
} from '@wirebench/lab';
import type { PortSource } from '../bench-protocol.ts';
import type { BusTransfer, DeviceCycle, RepeatedJob } from './bus-transfers.ts';
import type { FlashCheck } from './flash-facts.ts';

/** The port of the bench that stands for the board: its devices, its log, its colour. */
export const labPort = 1;

/** Rates that the usual bridges take, in baud. */
export const labBaudRates: readonly number[] = [115_200, 230_400, 460_800, 921_600];

/** A pin of the chip, as its table says. */
export interface PinFacts {
  readonly gpio: number;
  readonly rule: Exclude<PinRuleKind, 'absent'>;
  /** Why it is locked, or what to know before it is used; empty for a free pin. */
  readonly reason: string;
  readonly adc: boolean;
  readonly pulls: boolean;
}

export interface LabBoard {
  readonly chip: LabChipName;
  /** As on the package, such as `ESP32-D0WD-V3`. */
  readonly description: string;
  readonly mac: string;
  readonly revision: string;
  /** MHz. */
  readonly crystal: number;
  readonly link: LabLink;
  readonly packageName: string | null;
  /** The chip counts and times edges by itself. */
  readonly countsEdges: boolean;
  /** It was found with the probe running: the boot ROM was not reached. */
  readonly runsProbe: boolean;
  /** Simulated. */
  readonly demo: boolean;
  /** What the browser tells of the port. */
  readonly port: SerialPortInfo;
  /** In the order of GPIO numbers. */
  readonly pins: readonly PinFacts[];
  readonly registers: readonly RegisterGroupFacts[];
}

interface RegisterFieldFacts {
  readonly name: string;
  /** Lowest bit. */
  readonly from: number;
  readonly bits: number;
}

export interface RegisterFacts {
  readonly name: string;
  readonly address: number;
  readonly fields: readonly RegisterFieldFacts[];
  /** Reading takes something away: never read with the others. */
  readonly readTakes: boolean;
  /** A write does something and keeps nothing. */
  readonly writeOnly: boolean;
}

export interface RegisterGroupFacts {
  readonly name: string;
  readonly registers: readonly RegisterFacts[];
}

/** What a person makes of a pin. */
export type PinUse =
  | { readonly kind: 'input'; readonly pull: Pull }
  | { readonly kind: 'output'; readonly high: boolean; readonly openDrain: boolean; readonly pull: Pull }
  /** @property frequency Hz @property duty 0 to 1 */
  | { readonly kind: 'pwm'; readonly frequency: number; readonly duty: number }
  | { readonly kind: 'adc' };

/** Whose pin it is: the colours of the board follow from it. */
export type PinOwner = 'pin' | 'i2c' | 'uart' | 'spi' | 'adc' | 'pwm' | 'counter';

export interface OwnedPin {
  readonly gpio: number;
  readonly owner: PinOwner;
  /** What stands beside it: `SDA`, `OUT`, `ADC`. */
  readonly label: string;
  /** How a person set it; null for a pin of a bus. */
  readonly use: PinUse | null;
}

/** How a pin is set, as its registers say. */
export interface PinLook {
  readonly gpio: number;
  readonly direction: 'in' | 'out' | 'both' | 'off';
  readonly pull: Pull | 'both';
}

export interface I2cBus {
  readonly sda: number;
  readonly scl: number;
  /** Hz, 10,000 to 400,000. */
  readonly clock: number;
}

interface ScanProgress {
  readonly running: boolean;
  /** Addresses that were asked so far, of 112. */
  readonly asked: number;
}

export interface I2cPair {
  readonly sda: number;
  readonly scl: number;
  readonly addresses: readonly number[];
}

/** What occupies the I2C bus: meanwhile nothing else is done with it. */
export type I2cWork = 'opening' | 'closing' | 'searching' | 'scanning' | 'recovering';

/** How the lines were when the controller got no further: nothing can be said of any address. */
export interface HaltedBus {
  /** Levels as they were read: true is high. */
  readonly sda: boolean;
  readonly scl: boolean;
  /** Read after nine clocks and a stop, which did not help. */
  readonly recovered: boolean;
}

export interface SpiBus {
  readonly clk: number;
  readonly mosi: number;
  readonly miso: number;
  readonly cs: number;
  readonly mode: 0 | 1 | 2 | 3;
  /** Hz. */
  readonly clock: number;
}

export interface UartBridge {
  readonly tx: number;
  readonly rx: number;
  readonly baudRate: number;
}

export interface EdgeCounter {
  readonly pin: number;
  readonly edges: CountedEdges;
}

export const edgeNames = { rising: 'rising edges', falling: 'falling edges', both: 'edges' } satisfies Record<
  CountedEdges,
  string
>;

export interface CounterTick extends EdgeCounter {
  /** Since it was opened or reset. */
  readonly count: number;
  /** More edges came between two reads than the chip's counter holds: there were more than `count`. */
  readonly isPartial: boolean;
  /** Of the last measurement; null when it found none. */
  readonly period: EdgePeriod | null;
  /** A measurement has ended. */
  readonly isTimed: boolean;
}

export interface ConnectLab {
  readonly baudRate: number;
  /** A person has brought the board into its bootloader: no control line is touched. */
  readonly byHand: boolean;
  /** Base MAC of the board that is meant; any other is refused. Left out: any board. */
  readonly mac?: string;
  /** Hash all of flash before the bench opens the board, and once more after it has left it. */
  readonly checkFlash?: boolean;
}

/** The program that runs in the chip's RAM, as it described itself. */
export interface ProgramFacts {
  /** Of its protocol. */
  readonly version: number;
  /** Hz: what periods of a capture are counted in. */
  readonly processorClock: number;
  /** Samples. */
  readonly longestCapture: number;
}

/** Before a trigger the levels are compared with it once a sample. `edge`: the pin becomes as said; `change`: either way. */
export type CaptureTrigger =
  | { readonly kind: 'immediate' }
  | { readonly kind: 'level' | 'edge'; readonly pin: number; readonly high: boolean }
  | { readonly kind: 'change'; readonly pin: number };

export interface CapturedTransfer {
  readonly address: number;
  readonly write: Uint8Array;
  /** Bytes. */
  readonly read: number;
}

export interface CaptureOrder {
  /** GPIO numbers, 1 to 16, all below 32 or none. */
  readonly pins: readonly number[];
  readonly samples: number;
  /** Of `samples`: those before the trigger. */
  readonly before: number;
  /** Samples a second at most; null for as fast as it goes. */
  readonly rate: number | null;
  readonly trigger: CaptureTrigger;
}

/** What was captured. */
export interface LabCapture {
  /** Bit k of the levels is pin k of this list. */
  readonly pins: readonly number[];
  /** So many samples one after the other with the same levels. */
  readonly runs: readonly { readonly samples: number; readonly levels: number }[];
  readonly samples: number;
  /** Sample of the trigger. */
  readonly trigger: number;
  /** Nanoseconds from one sample to the next, measured by the chip. */
  readonly samplePeriod: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The bus and the bytes of the bench's own transfer, if it was one. */
  readonly bus: I2cBus | null;
}

interface ProgramApi {
  /** Into the chip's RAM, and starts it. Does nothing when it runs already. Flash stays as it is, and a reset ends it. */
  loadProgram(): void;
  /** Answers when its samples are there. The other instruments stand still meanwhile. */
  capture(order: CaptureOrder): LabCapture;
  /** Waits for the next transfer on the open I2C bus, or the next like `meant`, and captures its lines and these pins. */
  captureTransfer(pins: readonly number[], meant?: CapturedTransfer): LabCapture;
  /** Ends loading, or a capture that waits; what it waited for is refused with `cancelled`. */
  cancelProgram(): void;
}

export interface ProgramTick {
  /** Null: the boot ROM answers. */
  readonly program: ProgramFacts | null;
  readonly loading: boolean;
  /** `transfer`: for the next one on the I2C bus; `trigger`: the other instruments stand still. */
  readonly capturing: 'transfer' | 'trigger' | null;
  /** How often the UART bridge has lost bytes since it was opened. */
  readonly uartLosses: number;
}

const romOnly: ProgramTick = { program: null, loading: false, capturing: null, uartLosses: 0 };

/**
 * Every call but `connect` is refused with `left` while no board is open, and every one for the I2C bus with `refused` while another
 * occupies it.
 */
export interface LabApi extends ProgramApi {
  connect(source: PortSource, request: ConnectLab): LabBoard;
  /** Ends a `connect`, a search, or the hashing of flash that is under way. */
  cancel(): void;
  setBaudRate(rate: number): void;
  /**
   * Releases every pin, resets the board and closes the port; before the reset flash is hashed where that was asked for.
   * @param atOnce without that: the page is going away
   */
  leave(atOnce?: boolean): void;
  setPin(gpio: number, use: PinUse): void;
  releasePin(gpio: number): void;
  openI2c(bus: I2cBus): void;
  closeI2c(): void;
  /** Pairs of pins with pull-ups at which something answers. */
  findBuses(): readonly I2cPair[];
  /** Addresses 0x08 to 0x77; those that answer stand in the tick as they come. */
  scan(): readonly number[];
  /** Writes, then reads after a repeated start; either may be of no bytes. */
  transfer(address: number, write: Uint8Array, read: number): Uint8Array;
  /** Clocks a stuck bus free. Says whether both lines are high afterwards. */
  recover(): boolean;
  openSpi(bus: SpiBus): void;
  closeSpi(): void;
  /** 1 to 64 bytes, answered by as many. */
  exchange(bytes: Uint8Array): Uint8Array;
  openUart(bridge: UartBridge): void;
  closeUart(): void;
  sendUart(bytes: Uint8Array): void;
  /** Counts from 0, in place of what was counted before. */
  openCounter(counter: EdgeCounter): void;
  resetCounter(): void;
  closeCounter(): void;
  readWords(addresses: readonly number[]): readonly number[];
  /** Answers with the word as it is read afterwards. */
  writeWord(address: number, value: number, mask: number): number;
  /**
   * One after the other, with no other list in between; the bytes that each has read. Ends with the first that fails.
   * @param what is logged in place of each transfer; left out: each is
   */
  transferAll(transfers: readonly BusTransfer[], what?: string): readonly Uint8Array[];
  /** Carries a list out again and again; what comes of it stands in the tick. One for each address. */
  repeat(job: RepeatedJob): void;
  endRepeat(address: number): void;
  /** What the simulated display of a demo board shows; null for any other board. */
  display(): SimulatedDisplay | null;
}

export interface AdcSample {
  readonly gpio: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** 12 bits. */
  readonly raw: number;
  /** Approximate: nothing is calibrated. */
  readonly volts: number;
}

/** Why a board is not open any more, or was not opened. */
export interface LabMishap {
  /** Null for what has no remedy of its own. */
  readonly code: LabFailure | null;
  readonly message: string;
  readonly remedy: string | null;
  /** What exactly was seen. */
  readonly detail: string | null;
}

export interface LabTick extends ProgramTick {
  /** How far a connect is. */
  readonly step: LabStep | null;
  readonly open: boolean;
  /** Of the board that is or was open last; null when nobody has asked. */
  readonly flash: FlashCheck | null;
  /** The board was lost; null while it is open, and when it was left. */
  readonly lost: LabMishap | null;
  readonly baudRate: number;
  /** Levels of all pins, 32 in a word from GPIO 0 on; null before they were read. */
  readonly levels: readonly number[] | null;
  readonly owned: readonly OwnedPin[];
  readonly looks: readonly PinLook[];
  /** Reads of all levels in the last second; of the program in RAM, its reports: it tells of changes alone. */
  readonly levelReads: number;
  readonly counters: LabCounters;
  readonly i2c: I2cBus | null;
  /** The last scan of the bus that is open; null before the first. */
  readonly scan: ScanProgress | null;
  readonly i2cWork: I2cWork | null;
  /** What the last search found; null before it, and when a bus was opened since. */
  readonly pairs: readonly I2cPair[] | null;
  /** The last thing that was done with the bus did not come to an end; null when it did. */
  readonly halted: HaltedBus | null;
  /** Addresses that answered, in their order. */
  readonly found: readonly number[];
  readonly spi: SpiBus | null;
  readonly uart: UartBridge | null;
  readonly counter: CounterTick | null;
  /** Since the tick before. */
  readonly samples: readonly AdcSample[];
  /** Since the tick before. */
  readonly cycles: readonly DeviceCycle[];
}

/** Rows of points from the upper left, 1 for a lit one. */
export interface SimulatedDisplay {
  readonly width: number;
  readonly height: number;
  readonly points: Uint8Array;
}

/** What one session tells of itself. */
export type SessionTick = Omit<LabTick, 'step' | 'open' | 'flash' | 'lost'>;

/** What there is to tell while no board is open. */
export const nothingOpen: SessionTick = {
  ...romOnly,
  baudRate: 0,
  levels: null,
  owned: [],
  looks: [],
  levelReads: 0,
  counters: { writes: 0, reads: 0, flashCommands: 0, roundTrip: 0 },
  i2c: null,
  scan: null,
  i2cWork: null,
  pairs: null,
  halted: null,
  found: [],
  spi: null,
  uart: null,
  counter: null,
  samples: [],
  cycles: [],
};
