/** The board that the session holds, or the console of its program. The port of a board has one user at a time. */
import { familyTraits } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import { type ConsoleLines, loadFamily, remedyOf } from '@wirebench/flasher/callers';
import { type ButtonBoard, connectBoard, type RemedyOf } from '../boards/button-board.ts';
import type { ConsoleScreens } from '../console/console-screens.ts';
import { make } from '../element/dom.ts';
import type { Action } from '../element/flash-dialog.ts';
import { returning } from './find-device.ts';
import type { Device } from './flash-job.ts';
import type { SessionParts } from './session-parts.ts';
import type { SessionScreen } from './session-screen.ts';

export interface ReachOptions {
  readonly signal: AbortSignal;
  /** True: a person has started the bootloader. */
  readonly byHand: boolean;
  /** Id of the board that must answer; null for any board. */
  readonly expectedId: string | null;
  /** Actions of the screen during the connection. */
  readonly actions: readonly Action[];
}

/** `board` is the error of a connection that failed, and null after a cancel. */
export interface Reached {
  readonly remedyOf: RemedyOf;
  /** True: a person can start the bootloader, and the board is then connected without its control lines. */
  readonly startsByHand: boolean;
  readonly board: ButtonBoard | Error | null;
}

export interface ListenOptions {
  /** Leaves the console's screens. */
  readonly back: () => void;
  /** Longest time for an answer by Improv in seconds; null for the default, 0 to ask for none. */
  readonly improvSeconds: number | null;
}

export class HeldBoard {
  readonly #parts: Pick<SessionParts, 'dialog' | 'options' | 'onState'>;
  readonly #screen: SessionScreen;
  #board: ButtonBoard | null = null;
  #console: ConsoleScreens | null = null;
  #isReaching = false;
  /** One for each dialog: another one may still hold a board. */
  readonly #askToStay = (event: BeforeUnloadEvent) => event.preventDefault();

  constructor(parts: Pick<SessionParts, 'dialog' | 'options' | 'onState'>, screen: SessionScreen) {
    this.#parts = parts;
    this.#screen = screen;
  }

  /** Console of the board's program; null while none is open. */
  get console(): ConsoleScreens | null {
    return this.#console;
  }

  /** Releases the board and its console, if they are open. */
  async release(): Promise<void> {
    const [board, console] = [this.#board, this.#console];
    this.#board = null;
    this.#console = null;
    this.#guardPage();
    await Promise.all([board?.close(), console?.close()]);
  }

  /** Leaving the page asks first while a port is open. */
  #guardPage(): void {
    const isOpen = this.#isReaching || this.#board?.over.aborted === false || this.#console !== null;
    if (isOpen) {
      addEventListener('beforeunload', this.#askToStay);
    } else {
      removeEventListener('beforeunload', this.#askToStay);
    }
  }

  /** Starts the program of a board that is not needed any more, and releases the board. */
  async leave(): Promise<void> {
    await this.#board?.restart().catch(() => undefined);
    await this.release();
  }

  /** Connects the board of a device. */
  async reach(device: Device, { signal, byHand, expectedId, actions }: ReachOptions): Promise<Reached> {
    await this.release();
    const step = make('span', {}, 'Starting');
    const { dialog, options, onState } = this.#parts;
    dialog.labelDemo(device.isDemo);
    this.#screen.show('connecting', 'Connecting', [make('p', {}, step, '…')], actions, 'Connecting');
    let reached: Omit<Reached, 'board'> = { remedyOf: () => '', startsByHand: false };
    this.#isReaching = true;
    this.#guardPage();
    try {
      const family = await loadFamily(device.family);
      reached = { remedyOf: remedyOf(family), startsByHand: family.startsByHand };
      signal.throwIfAborted();
      const board = await connectBoard(family, {
        clock: systemClock,
        signal,
        source: device.source,
        chosen: device,
        isDemo: device.isDemo,
        baudRate: options.baudRate,
        byHand,
        expectedId,
        usb: device.usb,
        returned: returning(device, (choose) =>
          dialog.setActions(choose === null ? actions : [chooseAgain(choose), ...actions]),
        ),
        onStep: (text) => {
          step.textContent = text;
          onState('connecting', text);
        },
      });
      if (signal.aborted) {
        await board.close();
        return { ...reached, board: null };
      }
      this.#board = board;
      board.over.addEventListener('abort', () => this.#guardPage());
      return { ...reached, board };
    } catch (error) {
      return { ...reached, board: signal.aborted ? null : asError(error) };
    } finally {
      this.#isReaching = false;
      this.#guardPage();
    }
  }

  /**
   * Opens the console of a board whose program runs.
   *
   * @throws OpenError
   */
  async listen(
    device: Device,
    lines: ConsoleLines,
    { back, improvSeconds }: ListenOptions,
  ): Promise<ConsoleScreens | null> {
    if (device.source.kind !== 'serial') {
      return null;
    }
    const { ConsoleScreens } = await import('../console/console-screens.ts');
    await this.#console?.close();
    const baudRate = familyTraits[device.family].logRate;
    const console = await ConsoleScreens.open({
      clock: systemClock,
      ...(baudRate !== undefined && { baudRate }),
      port: device.source.port,
      lines,
      improvSeconds,
      back,
      show: (title, body, actions, message) => this.#screen.show('console', title, body, actions, message),
      onWifi: () => this.#screen.onWifi(),
    });
    if (this.#screen.isOver) {
      await console.close();
      return null;
    }
    this.#console = console;
    this.#guardPage();
    return console;
  }
}

/** The button for a board that left the phone at its restart. */
export const chooseAgain = (run: () => void): Action => ({ label: 'Choose the board again', isPrimary: true, run });

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
