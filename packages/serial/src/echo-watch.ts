/**
 * Finds sent lines that the board of a port has echoed behind its prompt, so that a console can show such a command
 * once. A line counts as echoed only if the prompt was the newest line of all ports when it was sent, and if the line
 * of the prompt then ends with exactly what was sent.
 */
import type { ChannelName } from './channel-name.ts';
import type { LineFold } from './folded-lines.ts';
import { bytesOfLine } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { lineText, withoutColours } from './line-text.ts';
import { promptIn } from './prompt-wait.ts';
import type { Timeline } from './timeline.ts';
import type { Echo } from './timeline-rows.ts';

/** Longest time from the end of a sent line to the end of its echo, in milliseconds. */
const ECHO_TIME = 2_000;
/** Maximum length of a sent line in bytes, and of a line with its echo in drawn characters. */
const MAX_LENGTH = 1_024;
/** Bytes of a line with its echo that are read. Marks and redrawn text around a prompt are many times what is drawn. */
const MAX_READ = 1 << 16;
/** Number of echoes that are kept. Older commands are shown twice again. */
export const MAX_ECHOES = 1_000;

/** One line with its ending and no control bytes. */
const typedLine = /^([^\p{Cc}]+)(?:\r\n|\n|\r)$/u;

interface Waiting {
  /** Ordinal of the line with the prompt. */
  readonly line: number;
  readonly prompt: string;
  readonly command: string;
  readonly sent: number;
  readonly at: number;
  /** Latest end of the echo, in milliseconds since the Unix epoch. */
  readonly until: number;
}

const decoder = new TextDecoder();

/** The echoes of one port. */
export class EchoWatch {
  readonly #received: LineChannel;
  readonly #sent: LineChannel;
  #waiting: Waiting | null = null;
  /** By the sequence numbers of the received lines, oldest first. */
  readonly #echoes = new Map<number, Echo>();

  constructor(received: LineChannel, sent: LineChannel) {
    this.#received = received;
    this.#sent = sent;
  }

  /**
   * Call this when a line was sent, after it was added to its channel.
   *
   * @param at Its time, in milliseconds since the Unix epoch.
   * @param duration Time that it needs on its way, in milliseconds.
   */
  sent(bytes: Uint8Array, at: number, duration = 0): void {
    const line = this.#received.endLine - 1;
    const sent = this.#sent.sequenceOf(this.#sent.endLine - 1);
    if (
      bytes.length > MAX_LENGTH ||
      !this.#isOpen(line) ||
      this.#received.sequenceOf(line) !== this.#sent.sequenceBefore
    ) {
      return;
    }
    const [, command] = typedLine.exec(decoder.decode(bytes)) ?? [];
    const prompt = this.#textOf(line);
    if (command !== undefined && promptIn([prompt], true) !== null) {
      this.#waiting = { line, prompt, command, sent, at, until: at + duration + ECHO_TIME };
    }
  }

  /** Call this when bytes were received, after they were added to the channel. */
  received(at: number): void {
    const waiting = this.#waiting;
    if (waiting === null || this.#received.isOpen(waiting.line)) {
      return;
    }
    this.#waiting = null;
    const { line, prompt, command, sent, at: sentAt, until } = waiting;
    if (at <= until && line >= this.#received.firstLine && this.#textOf(line) === prompt + command) {
      const received = this.#received.sequenceOf(line);
      this.#echoes.set(received, { received, sent, at: sentAt, prompt: prompt.length });
      for (const oldest of [...this.#echoes.keys()].slice(0, -MAX_ECHOES)) {
        this.#echoes.delete(oldest);
      }
    }
  }

  /** Shows a sent line beside its echo from now on. Returns false if it was not hidden. */
  show(sent: number): boolean {
    const echo = [...this.#echoes.values()].find((known) => known.sent === sent);
    return echo !== undefined && this.#echoes.delete(echo.received);
  }

  /** Returns the echoes whose two lines are both on a timeline. Only their commands are shown once. */
  on(timeline: Timeline): Echo[] {
    return [...this.#echoes.values()].filter(
      ({ received, sent }) => timeline.shows(this.#received, received) && timeline.shows(this.#sent, sent),
    );
  }

  /** Name of the channel of the sent lines. */
  get sentName(): ChannelName {
    return this.#sent.identity.name;
  }

  #isOpen(line: number): boolean {
    return line >= this.#received.firstLine && this.#received.isOpen(line);
  }

  /** Returns the text of a received line as a console shows it; an empty one for a line that is too long. */
  #textOf(line: number): string {
    const { source, textStart, textEnd } = bytesOfLine(this.#received, line);
    const text = textEnd - textStart > MAX_READ ? '' : withoutColours(lineText(source.view(textStart, textEnd)));
    return text.length > MAX_LENGTH ? '' : text;
  }
}

/** Returns a timeline without the sent lines that were echoed, and the echoes by their received lines. */
export function withoutEchoes(
  timeline: Timeline,
  watches: readonly EchoWatch[],
): { readonly timeline: Timeline; readonly echoes: ReadonlyMap<number, Echo> } {
  const found = watches
    .map((watch) => ({ watch, echoes: watch.on(timeline) }))
    .filter(({ echoes }) => echoes.length > 0);
  const folds = found.map(({ watch, echoes }): [ChannelName, LineFold[]] => [
    watch.sentName,
    echoes.map(({ sent }) => ({ from: sent, end: sent + 1, isHidden: true })),
  ]);
  return {
    timeline: found.length === 0 ? timeline : timeline.folded(Object.fromEntries(folds)),
    echoes: new Map(found.flatMap(({ echoes }) => echoes.map((echo) => [echo.received, echo]))),
  };
}
