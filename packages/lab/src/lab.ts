/** A board that is open as an instrument: what the page sees of it. Comes from `openLab`. */
import type { Clock } from '@wirebench/clock';
import type { Answer, CommandLink } from '@wirebench/flasher/espressif/rom';
import type { LabChip, LabChipName, LabLink, LinkLimits } from './chips/lab-chip.ts';
import type { LabError } from './lab-failure.ts';
import type { Macro } from './macro.ts';

/** What the chip said about itself. Plain values. */
export interface LabInfo {
  readonly chip: LabChipName;
  /** As on the package, such as `ESP32-D0WD-V3`. */
  readonly description: string;
  /** Such as `24:0a:c4:00:01:10`. */
  readonly mac: string;
  /** Such as `v3.1`; `unknown` when the chip does not tell. */
  readonly revision: string;
  /** MHz. */
  readonly crystal: number;
  readonly link: LabLink;
  /** The package that narrows the pins, such as `ESP32-PICO-D4`; null when the chip's own table holds. */
  readonly packageName: string | null;
}

export type LabStep = 'opening' | 'resetting' | 'synchronising' | 'identifying' | 'changing-baud-rate' | 'ready';

/** What happens on the link, in order. `at` is milliseconds of the clock that the lab was opened with. */
export type LabTraffic =
  /** One frame, delimiters and escapes included. */
  | { readonly kind: 'sent' | 'received'; readonly at: number; readonly bytes: Uint8Array }
  /** What the board printed outside of frames. */
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
  /** Rate to end at, in baud; 921,600 when left out. A rate that does not work is given up for the next lower one. */
  readonly baudRate?: number;
  readonly signal?: AbortSignal;
  /** `buttons`: a person brings the board into its bootloader, and the control lines are left alone. */
  readonly entry?: 'lines' | 'buttons';
  /** Base MAC of the board that is meant: any other is refused with `other-board`. */
  readonly expectedMac?: string;
  /** For a chip on its own USB: resolves with the port as which it is back after a reset, as in `EspConnectOptions`. */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  /** So many times as long for each answer, for a simulated board, which takes the time that the computer gives it; 1 when left out. */
  readonly patience?: number;
  /** Pins that were outputs before the board was reset, as `askForLeftPins` has it. Left out: nobody asks. */
  readonly onLeftPins?: (gpios: readonly number[]) => void;
  readonly onStep?: (step: LabStep) => void;
  readonly onTraffic?: (event: LabTraffic) => void;
}

/** Users wait for `user`; `background` runs while nothing of a user waits. */
export type LabPriority = 'user' | 'background';

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** `user` when left out. */
  readonly priority?: LabPriority;
}

export interface LabCounters {
  /** Entries of WRITE_REG lists. */
  readonly writes: number;
  readonly reads: number;
  /** Commands for flash among all frames that were sent since the port was opened. */
  readonly flashCommands: number;
  /** Milliseconds from a request to its answer, median of the last 64; 0 before the first. */
  readonly roundTrip: number;
}

export interface LeaveOptions {
  /** False: the board stays in its ROM, for who connects to it next. */
  readonly restart?: boolean;
  /** True: nothing is waited for, as whoever leaves may be gone at any moment. That the pins are released is not confirmed then. */
  readonly atOnce?: boolean;
}

/** Who answers: the ROM, or a program in RAM that takes the same frames. */
export interface Answerer {
  readonly limits: LinkLimits;
  /** Milliseconds for an answer, besides the time on the wire and the delays of a list; 500 when left out. */
  readonly answerLimit?: number;
  /** After a lost answer: whether it still listens. What it says to being asked is taken. @throws PortError; the signal's reason. */
  readonly synchronise: (link: CommandLink, signal: AbortSignal) => Promise<boolean>;
  /** Gets frames that nobody asked for, commands from F0 on, as they arrive. */
  readonly onEvent?: (event: Answer) => void;
}

export interface Lab {
  /** Narrowed by package and link: what the instruments take. */
  readonly chip: LabChip;
  readonly info: LabInfo;
  /** The probe answers, from the board's flash: the board was not reset, and leaving starts the probe again. */
  readonly runsProbe: boolean;
  readonly baudRate: number;
  /** So many times as long for each answer as a board needs. */
  readonly patience: number;
  /** Aborts with a LabError when the board is lost, and when the lab has left it. */
  readonly over: AbortSignal;
  readonly counters: LabCounters;
  /**
   * Checks every entry against the policy, sends, and gives the macro's value. Macros that are started side by side are pipelined.
   * @throws LabError `refused` before anything is sent; `outcome-unknown` when an answer to a macro that must not be repeated was
   * lost; `cancelled` by the signal; what `over` says when the board is lost.
   */
  run<T>(macro: Macro<T>, options?: RunOptions): Promise<T>;
  /**
   * Has the link for itself while `work` runs: for frames that are no registers, such as those that load a program into RAM. Nothing
   * that `work` sends is checked by the policy.
   * @throws what `work` throws; LabError as `run` does.
   */
  withLink<T>(work: (link: CommandLink, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** From now on somebody else answers register frames; null: the ROM again. */
  answerBy(answerer: Answerer | null): void;
  /** @throws LabError `baud-refused`, with the board at the rate that it had. */
  setBaudRate(rate: number): Promise<void>;
  /**
   * Releases every pin that was used, resets the board into its own program and closes the port. Never rejects. `over` says `left` then,
   * with a detail where the board did not confirm that its pins were released.
   */
  leave(options?: LeaveOptions): Promise<void>;
}
