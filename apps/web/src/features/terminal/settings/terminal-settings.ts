/**
 * Stored settings of the terminal. Each value is validated separately when read, so that an invalid one is replaced
 * by its default and the others are kept.
 */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { defaultPortSettings, type LinesAtOpen, linesAtOpen, type PortSettings } from '@wirebench/port';
import {
  defaultFraming,
  type Framing,
  framingNamed,
  framings,
  framingWith,
  type LineEnding,
  optionFailure,
  type PortNumber,
  pieceLimits,
  portNumbers,
  type RowLayout,
  type SendPieces,
} from '@wirebench/serial';
import { type TimeMode, timeModes } from '../../../workbench/console/row-times.ts';
import { type DecoderId, decoderIdOf } from '../../../workbench/decoders/decoder-id.ts';

export const lineEndings = ['none', 'lf', 'cr', 'crlf'] as const satisfies readonly LineEnding[];
export const endingNames = { none: 'None', lf: 'LF', cr: 'CR', crlf: 'CRLF' } satisfies Record<LineEnding, string>;

/** Interpretation of the send field: plain text, text with escapes such as `\x1b`, hex digits, or frames of the port's decoder. */
export const sendModes = ['text', 'escapes', 'hex', 'frame'] as const;
export type SendMode = (typeof sendModes)[number];
export const modeNames = { text: 'Text', escapes: 'Escapes', hex: 'Hex', frame: 'Frame' } satisfies Record<
  SendMode,
  string
>;

/** Heights of a console row in px: default and compact. */
export const rowHeights = [25, 20] as const;

/** Display of the log. */
export type LogDisplay = RowLayout | 'frames';

export const consoleViews = ['merged', 'split'] as const;
type ConsoleView = (typeof consoleViews)[number];

/** Sizes of the receive buffer of one port, in MiB. */
export const bufferSizes = [16, 64, 128, 256] as const;

export const longestName = 32;

export const linesAtOpenText = {
  dtr: 'DTR on, RTS off',
  off: 'Both off',
  keep: 'Leave alone',
} satisfies Record<LinesAtOpen, string>;

/** Highest baud rate: `baudRate` is an unsigned 32-bit integer (Web Serial, SerialOptions). */
export const highestBaudRate = 2 ** 32 - 1;

export interface PortPreferences {
  /** Name as typed. Empty: 'Port N' is shown. */
  readonly name: string;
  readonly settings: PortSettings;
  readonly framing: Framing;
  /** Decoder that cuts received and sent bytes into frames, in place of the framing; null: none. */
  readonly decoder: DecoderId | null;
  /** True: a decoder that is being built is tried on the port. It is not read from the storage. */
  readonly isTried?: true;
  /** True: the decoder was chosen for this visit. It is not read from the storage then. */
  readonly isOnce?: true;
  /** Port on which the answers to this port's frames come: both are one conversation. null: this port. */
  readonly answersOn: PortNumber | null;
  /** True: a board that disconnects is reconnected when it returns. */
  readonly reconnect: boolean;
  /** Kind of what is typed for the port. */
  readonly inputMode: SendMode;
  /** Ending sent after each text that is typed for the port. */
  readonly lineEnding: LineEnding;
  /** Pieces in which texts and keys go to the port; null: at once. */
  readonly pieces: SendPieces | null;
  /** Pause after each line of a paste, in milliseconds. */
  readonly linePause: number;
}

export interface TerminalSettings {
  readonly ports: Readonly<Record<PortNumber, PortPreferences>>;
  /** `frames`: lines that a decoder has cut are shown as frames, others as text. */
  readonly layout: LogDisplay;
  readonly rowHeight: (typeof rowHeights)[number];
  readonly bufferSize: (typeof bufferSizes)[number];
  /** Time shown before each line. */
  readonly times: TimeMode;
  readonly marks: boolean;
  readonly lineEnds: boolean;
  /** True: the text display shows control bytes. */
  readonly controls: boolean;
  /** True: the text display shows a sent line beside its echo. */
  readonly echoes: boolean;
  /** `merged`: all ports on one timeline. `split`: one pane for each port. */
  readonly view: ConsoleView;
  /** True: long lines wrap in the text display. */
  readonly wrap: boolean;
  /** True: the settings of the selected port are a column beside the console if there is room. */
  readonly settingsPinned: boolean;
  /** True: the dock opens with the panels if there is room. Null: it does if they have commands. */
  readonly panelsShown: boolean | null;
  /** Chosen width of the dock beside the log, in px. Null: its own default. */
  readonly dockWidth: number | null;
}

const defaultPort: PortPreferences = {
  name: '',
  settings: defaultPortSettings,
  framing: defaultFraming,
  decoder: null,
  answersOn: null,
  reconnect: true,
  inputMode: 'text',
  lineEnding: 'lf',
  pieces: null,
  linePause: 50,
};

/** Longest pause after a line of a paste, in milliseconds. */
export const longestLinePause = 60_000;

/** Pieces when they are first chosen: half of the buffer of a UART 16550A, which polled consoles empty every 10 ms. */
export const firstPieces: SendPieces = { bytes: 8, pause: 10 };

export const defaultTerminalSettings: TerminalSettings = {
  ports: { 1: defaultPort, 2: defaultPort, 3: defaultPort, 4: defaultPort },
  layout: 'text',
  rowHeight: 25,
  bufferSize: 64,
  times: 'clock',
  marks: true,
  lineEnds: false,
  controls: false,
  echoes: false,
  view: 'merged',
  wrap: true,
  settingsPinned: false,
  panelsShown: null,
  dockWidth: null,
};

/** Format version. Increase it when a value changes its meaning. Settings of other versions are ignored. */
const version = 1;

export function writeTerminalSettings(settings: TerminalSettings): string {
  return JSON.stringify({ version, ...settings });
}

/**
 * Parses stored settings.
 *
 * @param text Stored text, or null if nothing is stored.
 */
export function readTerminalSettings(text: string | null): TerminalSettings {
  const stored = fieldsOf(parseJson(text ?? 'null'));
  if (stored['version'] !== version) {
    return defaultTerminalSettings;
  }
  const defaults = defaultTerminalSettings;
  const ports = fieldsOf(stored['ports']);
  // Earlier versions stored one kind and one ending for all ports.
  const shared = readTyping(stored, defaultPort);
  return {
    ports: Object.fromEntries(
      portNumbers.map((port) => [port, readPort(ports[port], shared)]),
    ) as unknown as TerminalSettings['ports'],
    layout: oneOf(stored['layout'], ['text', 'hex', 'frames'], defaults.layout),
    rowHeight: oneOf(stored['rowHeight'], rowHeights, defaults.rowHeight),
    bufferSize: oneOf(stored['bufferSize'], bufferSizes, defaults.bufferSize),
    times: oneOf(stored['times'], timeModes, defaults.times),
    marks: oneOf(stored['marks'], [true, false], defaults.marks),
    lineEnds: oneOf(stored['lineEnds'], [true, false], defaults.lineEnds),
    controls: oneOf(stored['controls'], [true, false], defaults.controls),
    echoes: oneOf(stored['echoes'], [true, false], defaults.echoes),
    wrap: oneOf(stored['wrap'], [true, false], defaults.wrap),
    view: oneOf(stored['view'], consoleViews, defaults.view),
    settingsPinned: oneOf(stored['settingsPinned'], [true, false], defaults.settingsPinned),
    panelsShown: oneOf(stored['panelsShown'], [true, false, null], defaults.panelsShown),
    dockWidth: readWidth(stored),
  };
}

/** Reads the width of the dock. Earlier versions kept one for each tool, which is taken over if it is the only one. */
function readWidth({ dockWidth, toolWidths }: Readonly<Record<string, unknown>>): number | null {
  const widths = dockWidth === undefined ? Object.values(fieldsOf(toolWidths)) : [dockWidth];
  const [width] = widths;
  return widths.length === 1 && typeof width === 'number' && width > 0 ? width : null;
}

export function isBaudRate(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= highestBaudRate;
}

/** Reads port settings. Each invalid value is replaced by its default. */
export function readPortSettings(value: unknown): PortSettings {
  const stored = fieldsOf(value);
  const defaults = defaultPortSettings;
  return {
    baudRate: isBaudRate(stored['baudRate']) ? stored['baudRate'] : defaults.baudRate,
    dataBits: oneOf(stored['dataBits'], [7, 8], defaults.dataBits),
    stopBits: oneOf(stored['stopBits'], [1, 2], defaults.stopBits),
    parity: oneOf(stored['parity'], ['none', 'even', 'odd'], defaults.parity),
    flowControl: oneOf(stored['flowControl'], ['none', 'hardware'], defaults.flowControl),
    ...readLinesAtOpen(stored['linesAtOpen']),
  };
}

/** The default is not stored with the settings. */
function readLinesAtOpen(value: unknown): Pick<PortSettings, 'linesAtOpen'> {
  const known = linesAtOpen.find((choice) => choice === value);
  return known === undefined ? {} : { linesAtOpen: known };
}

type Typing = Pick<PortPreferences, 'inputMode' | 'lineEnding'>;

function readTyping({ inputMode, lineEnding }: Readonly<Record<string, unknown>>, defaults: Typing): Typing {
  return {
    inputMode: oneOf(inputMode, sendModes, defaults.inputMode),
    lineEnding: oneOf(lineEnding, lineEndings, defaults.lineEnding),
  };
}

/** @param typing Used for a port that has no kind or ending of its own. */
function readPort(value: unknown, typing: Typing): PortPreferences {
  const stored = fieldsOf(value);
  const { name, settings, framing, reconnect } = stored;
  return {
    name: typeof name === 'string' ? name.slice(0, longestName) : '',
    settings: readPortSettings(settings),
    framing: readFraming(framing),
    // Modbus RTU was a framing.
    decoder:
      fieldsOf(framing)['name'] === 'modbus-rtu'
        ? 'modbus'
        : stored['isOnce'] === true
          ? null
          : decoderIdOf(stored['decoder']),
    answersOn: portNumbers.find((port) => port === stored['answersOn']) ?? null,
    reconnect: oneOf(reconnect, [true, false], defaultPort.reconnect),
    ...readTyping(stored, typing),
    pieces: readPieces(stored['pieces']),
    linePause: isWithin(stored['linePause'], 0, longestLinePause) ? stored['linePause'] : defaultPort.linePause,
  };
}

function readPieces(value: unknown): SendPieces | null {
  const { bytes, pause } = fieldsOf(value);
  const { mostBytes, leastPause, mostPause } = pieceLimits;
  return isWithin(bytes, 1, mostBytes) && isWithin(pause, leastPause, mostPause) ? { bytes, pause } : null;
}

/** Returns true for a whole number in a range. */
const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;

function readFraming(value: unknown): Framing {
  const { name, options, newline, idleGap } = fieldsOf(value);
  const known = framingNamed(name);
  return known === null ? readNamelessFraming(newline === true, idleGap) : framingWith(known, fieldsOf(options));
}

/** Reads the format used before framings had names. Without a gap, lines ended at newlines. */
function readNamelessFraming(newline: boolean, idleGap: unknown): Framing {
  const { gap } = framings.gap.fields;
  if (gap === undefined || optionFailure(gap, idleGap) !== null) {
    return defaultFraming;
  }
  return framingWith(newline ? 'newline-or-gap' : 'gap', { gap: idleGap });
}

function oneOf<Value>(value: unknown, allowed: readonly Value[], otherwise: Value): Value {
  return allowed.find((candidate) => candidate === value) ?? otherwise;
}
