/**
 * Notices a full-screen program, whose pieces are no lines of a log: an editor, a pager, `top`. Sources: xterm's "Control
 * Sequences" (private modes 47, 1047 and 1049 for the alternate screen), ECMA-48, 8.3 (functions that move the cursor),
 * ECMA-48, 8.3.104 (RI).
 */
import { ByteList } from './byte-list.ts';
import { ControlReader, MAX_HELD } from './control-reader.ts';
import { ESCAPE, LINE_FEED } from './control-sequences.ts';

/** Moves between rows within `MOVES_TIME` ms that only a program makes. */
const MOVES = 10;
const MOVES_TIME = 1_000;
/** Lines without a move after which a program is gone: as many as a screen has. */
const PLAIN_LINES = 24;
/** The same in the alternate screen, which a board that restarts does not leave. A pager scrolls by the lines of a tall window. */
const PLAIN_LINES_IN_SCREEN = 200;

/**
 * Moves to another row: CUU, CUD, CNL, CPL, CUP, VPA, VPR and HVP. Moves within a row are those of a command line, whose
 * editor may make one with each key.
 */
const movesRow = /^\[[\d;]*[ABEFHdef]$/;
const switchesScreen = /^\[\?(?:\d+;)*(?:47|1047|1049)(?:;\d+)*([hl])$/;
const reverseIndex = 'M';

export class ProgramWatch {
  #isRunning = false;
  /** Times of the newest moves, at most `MOVES`. */
  #moves: number[] = [];
  #plainLines = 0;
  /** True: the program has asked for the alternate screen. */
  #hasScreen = false;
  #at = 0;
  /** True: a control function may go on in the next chunk. */
  #goesOn = false;
  /** Stays empty: nothing is kept. */
  readonly #kept = new ByteList(0);
  readonly #reader = new ControlReader(
    {
      text: (byte) => {
        if (byte === LINE_FEED && ++this.#plainLines >= (this.#hasScreen ? PLAIN_LINES_IN_SCREEN : PLAIN_LINES)) {
          this.#end();
        }
      },
      sequence: (sequence) => this.#take(String.fromCharCode(...sequence.subarray(1))),
      escape: (sequence) => this.#take(String.fromCharCode(...sequence.subarray(1))),
      stray: () => undefined,
    },
    MAX_HELD,
  );

  /** True: what is received belongs to a full-screen program. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Takes a chunk as received.
   *
   * @param at Time in ms, which does not go back.
   * @returns True if `isRunning` has changed.
   */
  received(bytes: Uint8Array, at: number): boolean {
    const first = this.#goesOn || this.#isRunning ? 0 : bytes.indexOf(ESCAPE);
    if (first < 0) {
      return false;
    }
    const before = this.#isRunning;
    this.#at = at;
    for (const byte of bytes.subarray(first)) {
      this.#reader.take(byte, this.#kept);
    }
    this.#goesOn = bytes.lastIndexOf(ESCAPE) >= bytes.length - MAX_HELD;
    return this.#isRunning !== before;
  }

  /** Begins with a new connection. */
  reset(): void {
    this.#end();
    this.#goesOn = false;
  }

  /** @param sequence Control function without its ESC. */
  #take(sequence: string): void {
    const screen = switchesScreen.exec(sequence)?.[1];
    if (screen === 'l') {
      this.#end();
    } else if (screen === 'h') {
      this.#isRunning = true;
      this.#hasScreen = true;
      this.#plainLines = 0;
    } else if (sequence === reverseIndex || movesRow.test(sequence)) {
      this.#plainLines = 0;
      this.#moves = [...this.#moves, this.#at].slice(-MOVES);
      const [oldest = 0] = this.#moves;
      this.#isRunning ||= this.#moves.length === MOVES && this.#at - oldest <= MOVES_TIME;
    }
  }

  #end(): void {
    this.#isRunning = false;
    this.#hasScreen = false;
    this.#moves = [];
    this.#plainLines = 0;
  }
}
