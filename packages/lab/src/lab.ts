/** A board that is open as an instrument, as the page sees it. `openLab` creates it. */
import type { Clock } from '@wirebench/clock';
import type { Answer, CommandLink } from '@wirebench/flasher/esp/rom';
import type { LabChip, LabChipName, LabLink, LinkLimits } from './chips/lab-chip.ts';
import type { LabError } from './lab-failure.ts';
import type { Macro } from './macro.ts';

/** Identity of the chip, in plain values. */
export interface LabInfo {
  readonly chip: LabChipName;
  /** Name on the package, such as `ESP32-D0WD-V3`. */
  readonly description: string;
  /** Such as `24:0a:c4:00:01:10`. */
  readonly mac: string;
  /** Such as `v3.1`; `unknown` if the chip does not report it. */
  readonly revision: string;
  /** MHz. */
  readonly crystal: number;
  readonly link: LabLink;
  /** Package that narrows the pins, such as `ESP32-PICO-D4`; null if the chip's general table applies. */
  readonly packageName: string | null;
}

export type LabStep = 'opening' | 'resetting' | 'synchronising' | 'identifying' | 'changing-baud-rate' | 'ready';

/** Events on the link, in order. `at` is in milliseconds of the clock that the lab was opened with. */
export type LabTraffic =
  /** One frame, with delimiters and escapes. */
  | { readonly kind: 'sent' | 'received'; readonly at: number; readonly bytes: Uint8Array }
  /** Bytes that the board printed outside of frames. */
  | { readonly kind: 'text'; readonly at: number; readonly bytes: Uint8Array }
  | {
      readonly kind: 'done';
      readonly at: number;
      readonly title: string;
      readonly priority: LabPriority;
      /** Milliseconds from its first frame to its last answer. */
      readonly duration: number;
    }
  | {
      readonly kind: 'failed';
      readonly at: number;
      readonly title: string;
      readonly priority: LabPriority;
      readonly error: LabError;
    }
  /** An answer was lost, and the board answers again. */
  | { readonly kind: 'resynchronised'; readonly at: number; readonly title: string };

export interface OpenLabOptions {
  readonly clock: Clock;
  /** Final rate in baud; defaults to 921,600. If a rate does not work, the next lower one is tried. */
  readonly baudRate?: number;
  readonly signal?: AbortSignal;
  /** `buttons`: the user brings the board into its bootloader, and the control lines stay untouched. */
  readonly entry?: 'lines' | 'buttons';
  /** Base MAC of the expected board. Any other board is refused with `other-board`. */
  readonly expectedMac?: string;
  /** For a chip on its own USB: resolves with the port that appears after a reset, as in `EspConnectOptions`. */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  /**
   * Factor for all answer time limits; defaults to 1. A simulated board needs more, because its speed depends on the
   * computer.
   */
  readonly patience?: number;
  /**
   * Receives the pins that were outputs before the board was reset (`askForLeftPins`). If absent, these pins are not
   * read.
   */
  readonly onLeftPins?: (gpios: readonly number[]) => void;
  readonly onStep?: (step: LabStep) => void;
  readonly onTraffic?: (event: LabTraffic) => void;
}

/** `user` goes first. `background` runs when no user job is waiting, and one of them goes along with each turn. */
export type LabPriority = 'user' | 'background';

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Defaults to `user`. */
  readonly priority?: LabPriority;
}

export interface LabCounters {
  /** Entries of WRITE_REG lists. */
  readonly writes: number;
  readonly reads: number;
  /** Flash commands among all frames sent since the port was opened; expected to be 0. */
  readonly flashCommands: number;
  /** Median time from request to answer over the last 64, in milliseconds; 0 before the first. */
  readonly roundTrip: number;
}

export interface LeaveOptions {
  /** False: the board stays in its ROM for the next connection. */
  readonly restart?: boolean;
  /**
   * True: waits for no answer, because the page may close at any moment. The release of the pins is then not
   * confirmed.
   */
  readonly atOnce?: boolean;
}

/** The program that answers: the ROM, or a program in RAM that takes the same frames. */
export interface Answerer {
  readonly limits: LinkLimits;
  /** Milliseconds for an answer, besides the time on the wire and the delays of a list; defaults to 500. */
  readonly answerLimit?: number;
  /**
   * Checks after a lost answer that the program still listens, and consumes its replies.
   *
   * @returns True if the program answered.
   * @throws PortError; the signal's reason.
   */
  readonly synchronise: (link: CommandLink, signal: AbortSignal) => Promise<boolean>;
  /** Receives unsolicited frames (commands from 0xF0 on) as they arrive. */
  readonly onEvent?: (event: Answer) => void;
}

export interface Lab {
  /** Narrowed by package and link; the instruments take it. */
  readonly chip: LabChip;
  readonly info: LabInfo;
  /** True: the probe answers from the board's flash. The board was not reset, and leaving starts the probe again. */
  readonly runsProbe: boolean;
  readonly baudRate: number;
  /** Factor for answer time limits, from `OpenLabOptions`. */
  readonly patience: number;
  /** Aborts with a LabError when the board is lost, and after `leave`. */
  readonly over: AbortSignal;
  readonly counters: LabCounters;
  /**
   * Checks every entry against the policy, sends the macro, and returns its value. Macros that are started side by
   * side are pipelined.
   *
   * @throws LabError `refused` before anything is sent.
   * @throws LabError `outcome-unknown` if the answer to a macro that must not be repeated was lost.
   * @throws LabError `cancelled` by the signal.
   * @throws LabError with the reason of `over` when the board is lost.
   */
  run<T>(macro: Macro<T>, options?: RunOptions): Promise<T>;
  /**
   * Gives `work` exclusive use of the link, for frames that are not register commands, such as loading a program into
   * RAM. The policy does not check the frames that `work` sends.
   *
   * @throws The error of `work`; LabError for the same reasons as `run`.
   */
  withLink<T>(work: (link: CommandLink, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Sets the program that answers register frames from now on; null for the ROM. */
  answerBy(answerer: Answerer | null): void;
  /**
   * Changes the rate of the link.
   *
   * @throws LabError `baud-refused`; the board then keeps its old rate.
   */
  setBaudRate(rate: number): Promise<void>;
  /**
   * Releases every pin that was used, resets the board into its own program and closes the port. Never rejects. The
   * reason of `over` is then `left`, with a detail if the board did not confirm the release of its pins.
   */
  leave(options?: LeaveOptions): Promise<void>;
}
