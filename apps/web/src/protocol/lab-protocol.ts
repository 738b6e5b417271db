/**
 * Messages between the bench's page and the lab's worker: calls with answers, and a tick after each change. The
 * worker runs beside the bench, in the same thread, with its devices and its log. Operations of all instruments are
 * logged as lines of port 1. All values can be cloned between threads.
 */
import type {
  CountedEdges,
  EdgePeriod,
  LabChipName,
  LabCounters,
  LabFailureCode,
  LabLink,
  LabStep,
  PinRuleKind,
  Pull,
} from '@wirebench/lab';
import type { PortSource } from './bench/port-part.ts';
import type { BusTransfer, DeviceCycle, RepeatedJob } from './bus-transfers.ts';
import type { FlashCheck } from './flash-facts.ts';

/** Port of the bench that represents the board: its device, its log, its colour. */
export const labPort = 1;

/** Rates that the usual bridges support, in baud. */
export const labBaudRates: readonly number[] = [115_200, 230_400, 460_800, 921_600];

/** A pin of the chip, from the chip's table. */
export interface PinFacts {
  readonly gpio: number;
  readonly rule: Exclude<PinRuleKind, 'absent'>;
  /** Reason for the lock, or a note before its use; empty for a free pin. */
  readonly reason: string;
  readonly adc: boolean;
  readonly pulls: boolean;
}

export interface LabBoard {
  readonly chip: LabChipName;
  /** Marking on the package, such as `ESP32-D0WD-V3`. */
  readonly description: string;
  readonly mac: string;
  readonly revision: string;
  /** In MHz. */
  readonly crystal: number;
  readonly link: LabLink;
  readonly packageName: string | null;
  /** True: the chip counts and times edges in hardware. */
  readonly countsEdges: boolean;
  /** True: the board was found with the probe running, so the boot ROM was not reached. */
  readonly runsProbe: boolean;
  /** True: a simulated board. */
  readonly demo: boolean;
  /** USB ids of the port, as the browser reports them. */
  readonly port: SerialPortInfo;
  /** Sorted by GPIO number. */
  readonly pins: readonly PinFacts[];
  readonly registers: readonly RegisterGroupFacts[];
}

interface RegisterFieldFacts {
  readonly name: string;
  /** Lowest bit of the field. */
  readonly from: number;
  readonly bits: number;
}

export interface RegisterFacts {
  readonly name: string;
  readonly address: number;
  readonly fields: readonly RegisterFieldFacts[];
  /** True: a read removes data from the chip, as from a FIFO, so the register is never read together with others. */
  readonly readTakes: boolean;
  /** True: a write triggers an action, and the value is not stored. */
  readonly writeOnly: boolean;
}

export interface RegisterGroupFacts {
  readonly name: string;
  readonly registers: readonly RegisterFacts[];
}

/** Setting of a pin by the user. */
export type PinUse =
  | { readonly kind: 'input'; readonly pull: Pull }
  | { readonly kind: 'output'; readonly high: boolean; readonly openDrain: boolean; readonly pull: Pull }
  /**
   * @property frequency In Hz.
   * @property duty 0 to 1.
   */
  | { readonly kind: 'pwm'; readonly frequency: number; readonly duty: number }
  | { readonly kind: 'adc' };

/** Instrument that owns a pin. It decides the pin's colour on the board. */
export type PinOwner = 'pin' | 'i2c' | 'uart' | 'spi' | 'adc' | 'pwm' | 'counter';

export interface OwnedPin {
  readonly gpio: number;
  readonly owner: PinOwner;
  /** Text beside the pin: `SDA`, `OUT`, `ADC`. */
  readonly label: string;
  /** Setting by the user; null for a pin of a bus. */
  readonly use: PinUse | null;
}

/** Setting of a pin, read from its registers. */
export interface PinLook {
  readonly gpio: number;
  readonly direction: 'in' | 'out' | 'both' | 'off';
  readonly pull: Pull | 'both';
}

export interface I2cBus {
  readonly sda: number;
  readonly scl: number;
  /** In Hz, 10,000 to 400,000. */
  readonly clock: number;
}

interface ScanProgress {
  readonly running: boolean;
  /** Number of addresses asked so far, of 112. */
  readonly asked: number;
}

export interface I2cPair {
  readonly sda: number;
  readonly scl: number;
  readonly addresses: readonly number[];
}

/** Work that occupies the I2C bus. Other work is refused during it. */
export type I2cWork = 'opening' | 'closing' | 'searching' | 'scanning' | 'recovering';

/** Levels of the lines after the controller got stuck, in which case no address has a result. */
export interface HaltedBus {
  /** True: the line was high. */
  readonly sda: boolean;
  readonly scl: boolean;
  /** True: read after nine clocks and a stop, which did not free the bus. */
  readonly recovered: boolean;
}

export interface SpiBus {
  readonly clk: number;
  readonly mosi: number;
  readonly miso: number;
  readonly cs: number;
  readonly mode: 0 | 1 | 2 | 3;
  /** In Hz. */
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
  /** Edges since the counter was opened or reset. */
  readonly count: number;
  /** True: more edges came between two reads than the chip's counter holds, so `count` is too low. */
  readonly isPartial: boolean;
  /** Result of the last measurement; null if it found no period. */
  readonly period: EdgePeriod | null;
  /** True: at least one measurement has ended. */
  readonly isTimed: boolean;
}

export interface ConnectLab {
  readonly baudRate: number;
  /** True: the user has put the board into its bootloader, so no control line is touched. */
  readonly byHand: boolean;
  /** Base MAC of the expected board; any other is refused. Left out: any board. */
  readonly mac?: string;
  /** True: hash all of flash before the bench opens the board, and again after it has left the board. */
  readonly checkFlash?: boolean;
}

/** Self-description of the program in the chip's RAM. */
export interface ProgramFacts {
  /** Version of its protocol. */
  readonly version: number;
  /** In Hz. Periods of a capture are counted in its cycles. */
  readonly processorClock: number;
  /** In samples. */
  readonly longestCapture: number;
}

/**
 * Condition that starts a capture, checked at each sample. `edge`: the pin changes to this level. `change`: the pin
 * changes to either level.
 */
export type CaptureTrigger =
  | { readonly kind: 'immediate' }
  | { readonly kind: 'level' | 'edge'; readonly pin: number; readonly high: boolean }
  | { readonly kind: 'change'; readonly pin: number };

export interface CapturedTransfer {
  readonly address: number;
  readonly write: Uint8Array;
  /** In bytes. */
  readonly read: number;
}

export interface CaptureOrder {
  /** 1 to 16 GPIO numbers, either all below 32 or all from 32 up. */
  readonly pins: readonly number[];
  readonly samples: number;
  /** Number of `samples` before the trigger. */
  readonly before: number;
  /** Maximum samples per second; null for as many as possible. */
  readonly rate: number | null;
  readonly trigger: CaptureTrigger;
}

export interface LabCapture {
  /** GPIO numbers. Bit k of the levels is pin k of this list. */
  readonly pins: readonly number[];
  /** Numbers of consecutive samples with equal levels. */
  readonly runs: readonly { readonly samples: number; readonly levels: number }[];
  readonly samples: number;
  /** Index of the trigger's sample. */
  readonly trigger: number;
  /** Time between two samples in nanoseconds, measured by the chip. */
  readonly samplePeriod: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The bus of the captured transfer. Null: the capture was not of a transfer. */
  readonly bus: I2cBus | null;
}

interface ProgramApi {
  /**
   * Loads the program into the chip's RAM and starts it. Does nothing if it runs already. Flash stays unchanged, and
   * a reset ends the program.
   */
  loadProgram(): void;
  /** Captures levels, and answers with the samples. The other instruments pause during the capture. */
  capture(order: CaptureOrder): LabCapture;
  /**
   * Waits for the next transfer on the open I2C bus, or the next one equal to `meant`. Captures its lines and these
   * pins.
   */
  captureTransfer(pins: readonly number[], meant?: CapturedTransfer): LabCapture;
  /** Ends loading, or a waiting capture. The pending call rejects with `cancelled`. */
  cancelProgram(): void;
}

export interface ProgramTick {
  /** Null: the boot ROM answers. */
  readonly program: ProgramFacts | null;
  readonly loading: boolean;
  /**
   * `transfer`: waits for the next one on the I2C bus. `trigger`: waits for the trigger, and the other instruments
   * pause.
   */
  readonly capturing: 'transfer' | 'trigger' | null;
  /** Number of times that the UART bridge has lost bytes since it was opened. */
  readonly uartLosses: number;
}

const romOnly: ProgramTick = { program: null, loading: false, capturing: null, uartLosses: 0 };

/**
 * Calls from the page to the worker. Without an open board all calls except `connect` are refused with `left`. Calls
 * for the I2C bus are refused with `refused` while other work occupies it.
 */
export interface LabApi extends ProgramApi {
  connect(source: PortSource, request: ConnectLab): LabBoard;
  /** Cancels a pending `connect`, a search, or the hashing of flash. */
  cancel(): void;
  setBaudRate(rate: number): void;
  /**
   * Releases every pin, resets the board and closes the port. Before the reset flash is hashed if that was requested.
   *
   * @param atOnce True: skip the hash, because the page is being closed.
   */
  leave(atOnce?: boolean): void;
  setPin(gpio: number, use: PinUse): void;
  releasePin(gpio: number): void;
  openI2c(bus: I2cBus): void;
  closeI2c(): void;
  /** Finds pairs of pins with pull-ups and at least one answering device. */
  findBuses(): readonly I2cPair[];
  /** Asks the addresses 0x08 to 0x77. The tick lists those that answer as they come. */
  scan(): readonly number[];
  /** Writes bytes, then reads bytes after a repeated start. Either number may be 0. */
  transfer(address: number, write: Uint8Array, read: number): Uint8Array;
  /** Clocks a stuck bus free. Returns true if both lines are high afterwards. */
  recover(): boolean;
  openSpi(bus: SpiBus): void;
  closeSpi(): void;
  /** Sends 1 to 64 bytes, and returns as many. */
  exchange(bytes: Uint8Array): Uint8Array;
  openUart(bridge: UartBridge): void;
  closeUart(): void;
  sendUart(bytes: Uint8Array): void;
  /** Starts to count from 0, and replaces an earlier counter. */
  openCounter(counter: EdgeCounter): void;
  resetCounter(): void;
  closeCounter(): void;
  readWords(addresses: readonly number[]): readonly number[];
  /** Writes the masked bits, and returns the word as it is read afterwards. */
  writeWord(address: number, value: number, mask: number): number;
  /**
   * Makes transfers one after the other, without another list in between. Returns the bytes of each. Stops at the
   * first failure.
   *
   * @param what Text for the log in place of the transfers. Left out: each transfer is logged.
   */
  transferAll(transfers: readonly BusTransfer[], what?: string): readonly Uint8Array[];
  /** Repeats a list. Its results are in the tick. Each address has at most one. */
  repeat(job: RepeatedJob): void;
  endRepeat(address: number): void;
  /** Returns the content of a demo board's simulated display; null for any other board. */
  display(): SimulatedDisplay | null;
}

export interface AdcSample {
  readonly gpio: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** 12-bit value. */
  readonly raw: number;
  /** Approximate, because the converter is not calibrated. */
  readonly volts: number;
}

/** Reason why a board was lost, or was not opened. */
export interface LabFailure {
  /** Null for an error without a code of the lab. */
  readonly code: LabFailureCode | null;
  readonly message: string;
  readonly remedy: string | null;
  /** Exact observation; null if there is nothing to add. */
  readonly detail: string | null;
}

export interface LabTick extends ProgramTick {
  /** Current step of a connect; null without one. */
  readonly step: LabStep | null;
  readonly open: boolean;
  /** Hashes of the current or last board; null if they were not requested. */
  readonly flash: FlashCheck | null;
  /** Set after the board was lost; null while a board is open, and after `leave`. */
  readonly lost: LabFailure | null;
  readonly baudRate: number;
  /** Levels of all pins, 32 in a word from GPIO 0 up; null before the first read. */
  readonly levels: readonly number[] | null;
  readonly owned: readonly OwnedPin[];
  readonly looks: readonly PinLook[];
  /** Reads of all levels in the last second. With the program in RAM: its reports, which come only on changes. */
  readonly levelReads: number;
  readonly counters: LabCounters;
  readonly i2c: I2cBus | null;
  /** Last scan of the open bus; null before the first. */
  readonly scan: ScanProgress | null;
  readonly i2cWork: I2cWork | null;
  /** Result of the last search; null before a search, and after a bus was opened. */
  readonly pairs: readonly I2cPair[] | null;
  /** Set if the last operation on the bus did not finish; else null. */
  readonly halted: HaltedBus | null;
  /** Addresses that answered, in the order of their answers. */
  readonly found: readonly number[];
  readonly spi: SpiBus | null;
  readonly uart: UartBridge | null;
  readonly counter: CounterTick | null;
  /** Samples since the previous tick. */
  readonly samples: readonly AdcSample[];
  /** Cycles since the previous tick. */
  readonly cycles: readonly DeviceCycle[];
}

/** Rows of pixels from the upper left, 1 for a lit pixel. */
export interface SimulatedDisplay {
  readonly width: number;
  readonly height: number;
  readonly points: Uint8Array;
}

/** State of one session in the tick. */
export type SessionTick = Omit<LabTick, 'step' | 'open' | 'flash' | 'lost'>;

/** State in the tick while no board is open. */
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
