/** Listens to a board's program: its lines as text, keys to it, its reset, and Improv on the same port. */
import type { Clock } from '@wirebench/clock';
import type { ConsoleLines } from '@wirebench/flasher/callers';
import { defaultPortSettings, openPort, playSteps, SerialLink, setControlLines } from '@wirebench/port';
import { BoardText } from '@wirebench/serial/board-text';
import { ImprovClient } from '@wirebench/serial/improv';

/** Pause of the board after which the beginning of a packet is text, in milliseconds. */
const PAUSE = 300;
/** Control-C. */
const INTERRUPT = Uint8Array.of(3);

export interface ConsoleParts {
  readonly clock: Clock;
  readonly port: SerialPort;
  readonly baudRate?: number;
  readonly lines: ConsoleLines;
  readonly onLines: (lines: readonly string[]) => void;
  /** The board is gone. Not called after `close`. */
  readonly onEnd: () => void;
}

export class BoardConsole {
  readonly improv: ImprovClient;
  readonly #parts: ConsoleParts;
  readonly #link: SerialLink;
  readonly #text = new BoardText();
  readonly #over = new AbortController();
  #cancelPause: () => void = () => undefined;

  private constructor(parts: ConsoleParts, open: (console: BoardConsole) => SerialLink) {
    this.#parts = parts;
    this.#link = open(this);
    this.improv = new ImprovClient({
      clock: parts.clock,
      signal: this.#over.signal,
      send: (bytes) => this.#link.send(bytes),
    });
  }

  /** @throws OpenError */
  static async open(parts: ConsoleParts): Promise<BoardConsole> {
    const { clock, port, lines, baudRate = defaultPortSettings.baudRate } = parts;
    const settings = { ...defaultPortSettings, baudRate };
    const made = await openPort(clock, {
      device: port,
      settings,
      ...(lines.atOpen !== null && { lines: lines.atOpen }),
      onOpen: () =>
        new BoardConsole(parts, (console) => {
          const events = {
            bytes: (bytes: Uint8Array) => console.#received(bytes),
            lineError: () => undefined,
            overrun: () => undefined,
            ended: () => console.#ended(),
          };
          return new SerialLink(clock, { device: port, settings, overruns: 'read-on' }, events);
        }),
    });
    made.#link.start();
    return made;
  }

  get canReset(): boolean {
    return this.#parts.lines.reset !== null;
  }

  /** Restarts the program. Does nothing on a port that cannot. */
  async reset(): Promise<void> {
    const { clock, port, lines } = this.#parts;
    if (lines.reset !== null) {
      await playSteps(clock, lines.reset, (levels) => setControlLines(port, levels), this.#over.signal);
    }
  }

  /** Sends a line with CR and LF. */
  send(line: string): Promise<void> {
    return this.#link.send(new TextEncoder().encode(`${line}\r\n`));
  }

  interrupt(): Promise<void> {
    return this.#link.send(INTERRUPT);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#stop();
    await this.#link.close();
  }

  #received(bytes: Uint8Array): void {
    this.#cancelPause();
    this.#show(this.improv.received(bytes));
    if (this.improv.isWaiting) {
      this.#cancelPause = this.#parts.clock.schedule(PAUSE, () => this.#show(this.improv.rest()));
    }
  }

  #show(bytes: Uint8Array): void {
    const lines = this.#text.take(bytes);
    if (lines.length > 0) {
      this.#parts.onLines(lines);
    }
  }

  #ended(): void {
    const rest = this.#text.end();
    this.#stop();
    void this.#link.close();
    this.#parts.onLines(rest);
    this.#parts.onEnd();
  }

  #stop(): void {
    this.#cancelPause();
    this.#over.abort();
    this.improv.closed();
  }
}
