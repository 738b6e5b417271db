/** Standard output for the bytes of a board. A terminal gets them through a filter, a pipe and a file as they came. */
import { type ShownReturns, TerminalFilter } from '@wirebench/serial';

const softReset = '\x1b[!p';

export class BoardScreen {
  readonly #filter: TerminalFilter | null;
  readonly #isTerminal: boolean;
  #hasControls = false;

  /** @param isRaw True: a terminal gets every byte, too. */
  constructor(isRaw = false, returns: ShownReturns = 'auto') {
    this.#isTerminal = process.stdout.isTTY === true;
    this.#filter = this.#isTerminal && !isRaw ? new TerminalFilter(returns) : null;
  }

  /** Returns false while the reader is behind. */
  write(bytes: Uint8Array): boolean {
    this.#hasControls ||= this.#isTerminal && bytes.includes(0x1b);
    return process.stdout.write(this.#filter?.take(bytes) ?? bytes);
  }

  /** Ends colours and modes that the board has left on. */
  end(): void {
    if (this.#filter !== null) {
      process.stdout.write(this.#filter.end());
    } else if (this.#hasControls) {
      process.stdout.write(softReset);
    }
  }
}
