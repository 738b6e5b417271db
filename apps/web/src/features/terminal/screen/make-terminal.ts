/**
 * The terminal of a Screen: xterm.js with its scrollback, its limits, and what a board must not do with it. Queries are
 * answered only while the owner allows it. Titles, links, the clipboard and notifications of a board have no effect.
 */
import { type ITerminalInitOnlyOptions, type ITerminalOptions, Terminal } from '@xterm/xterm';

/** Lines above the screen. One line of 120 columns takes 1.4 kB. */
const scrollback = 10_000;

/** Most lines or columns that one sequence moves. xterm.js repeats such sequences one by one. */
const mostRepeats = 1_000;
/** Most times that one sequence repeats a character. */
const mostRepeatedCharacters = 10_000;

/** Sequences that ask the terminal for something (xterm.js, InputHandler.ts). */
const queries = [
  // DA1, DA2, and DSR in both forms.
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  // DECRQM for ANSI and private modes, and reports of the window.
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { final: 't' },
] as const;

/** OSC codes of colours, which are set or asked for. */
const colourCodes = [4, 10, 11, 12];

/**
 * OSC codes without effect: titles (0, 1, 2), directory (7), links (8), notifications (9, 99, 777), clipboard (52), and extensions
 * of shells and terminals (133, 633, 1337).
 */
const ignoredCodes = [0, 1, 2, 7, 8, 9, 52, 99, 133, 633, 777, 1337];

/** Sequences with a count that xterm.js works off in steps: lines inserted, deleted and scrolled, columns moved. */
const repeated = [
  { final: 'L' },
  { final: 'M' },
  { final: 'S' },
  { final: 'T' },
  { intermediates: ' ', final: '@' },
  { intermediates: ' ', final: 'A' },
  { intermediates: "'", final: '}' },
  { intermediates: "'", final: '~' },
] as const;

export interface Answers {
  /** Returns true if a query in the bytes that are being parsed may be answered. */
  readonly allowed: () => boolean;
  /** Receives an answer, to be sent to the board. */
  readonly send: (answer: string) => void;
}

export interface MadeTerminal {
  readonly terminal: Terminal;
  /** Calls `listener` for what a person types, pastes and does with the mouse, and never for answers. */
  readonly onInput: (listener: (data: string) => void) => void;
}

/** Makes a terminal. It is not in the document yet. */
export function makeTerminal(
  options: ITerminalOptions & ITerminalInitOnlyOptions,
  { allowed, send }: Answers,
): MadeTerminal {
  const terminal = new Terminal({
    scrollback,
    logLevel: 'off',
    // The program on the board moves the cursor, not a click.
    altClickMovesCursor: false,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    minimumContrastRatio: 4.5,
    tabStopWidth: 8,
    // Asked for by `resize` and shells; no other report of the window.
    windowOptions: { getWinSizeChars: true },
    ...options,
  });
  const { parser } = terminal;
  let isAnswering = false;
  /** Marks what xterm.js emits until the parser goes on as an answer. Keys come in later tasks. */
  const answer = (): boolean => {
    if (!allowed()) {
      return true;
    }
    isAnswering = true;
    queueMicrotask(() => {
      isAnswering = false;
    });
    return false;
  };
  for (const query of queries) {
    parser.registerCsiHandler(query, answer);
  }
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, answer);
  for (const code of colourCodes) {
    parser.registerOscHandler(code, (data) => data.includes('?') && answer());
  }
  for (const code of ignoredCodes) {
    parser.registerOscHandler(code, () => true);
  }
  for (const sequence of repeated) {
    parser.registerCsiHandler(sequence, ([count]) => Number(count) > mostRepeats);
  }
  parser.registerCsiHandler({ final: 'b' }, ([count]) => Number(count) > mostRepeatedCharacters);
  let listener: (data: string) => void = () => undefined;
  terminal.onData((data) => (isAnswering ? send(data) : listener(data)));
  return {
    terminal,
    onInput: (next) => {
      listener = next;
    },
  };
}
