/**
 * What the terminal remembers between visits, and how it is read back: every value is checked by itself, so that what was
 * written by an older version, another tab or a curious hand costs one value and never the page.
 */
import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import {
  defaultFraming,
  type Framing,
  framingNamed,
  framings,
  framingWith,
  type LineEnding,
  optionFailure,
  type PortNumber,
  portNumbers,
  type RowLayout,
} from '@wirebench/serial';
import { fieldsOf, parseJson } from '../../../shared/json.ts';
import { type TimeMode, timeModes } from '../../../workbench/console/row-times.ts';

export const lineEndings = ['none', 'lf', 'cr', 'crlf'] as const satisfies readonly LineEnding[];

/** How the send field is read: as it stands, with escapes such as `\x1b`, or as hex digits. */
export const sendModes = ['text', 'escapes', 'hex'] as const;
export type SendMode = (typeof sendModes)[number];

/** Height of a console row in px: the default, and compact. */
export const rowHeights = [25, 20] as const;

export const consoleViews = ['merged', 'split'] as const;
type ConsoleView = (typeof consoleViews)[number];

/** Memory for what one port receives, in MiB. */
export const bufferSizes = [16, 64, 128, 256] as const;

export const longestName = 32;

/** Highest rate that can be asked of a port: `baudRate` is an unsigned 32-bit number (Web Serial, SerialOptions). */
export const highestBaudRate = 2 ** 32 - 1;

interface PortPreferences {
  /** As it was typed; empty for 'Port N'. */
  readonly name: string;
  readonly settings: PortSettings;
  /** Where a received line ends. */
  readonly framing: Framing;
  /** A board that vanishes is waited for, and connected again when it is back. */
  readonly reconnect: boolean;
}

export interface TerminalSettings {
  readonly ports: Readonly<Record<PortNumber, PortPreferences>>;
  readonly layout: RowLayout;
  readonly rowHeight: (typeof rowHeights)[number];
  readonly bufferSize: (typeof bufferSizes)[number];
  /** What is in front of each line. */
  readonly times: TimeMode;
  readonly marks: boolean;
  readonly lineEnds: boolean;
  /** Control bytes are written out in the text display. */
  readonly controls: boolean;
  /** All ports on one timeline, or each in a pane of its own. */
  readonly view: ConsoleView;
  /** Long lines go on below; null for what the screen suggests: on a phone. */
  readonly wrap: boolean | null;
  readonly inputMode: SendMode;
  readonly lineEnding: LineEnding;
  /** The settings pane stands beside the console where there is room. */
  readonly paneOpen: boolean;
  /** The device panels stand beside the console where there is room. */
  readonly panelsOpen: boolean;
  /** What came in during the last minute stands above the log where there is room. */
  readonly lanes: boolean;
}

const defaultPort: PortPreferences = {
  name: '',
  settings: defaultPortSettings,
  framing: defaultFraming,
  reconnect: true,
};

export const defaultTerminalSettings: TerminalSettings = {
  ports: { 1: defaultPort, 2: defaultPort, 3: defaultPort, 4: defaultPort },
  layout: 'text',
  rowHeight: 25,
  bufferSize: 64,
  times: 'clock',
  marks: true,
  lineEnds: false,
  controls: false,
  view: 'merged',
  wrap: null,
  inputMode: 'text',
  lineEnding: 'lf',
  paneOpen: true,
  panelsOpen: true,
  lanes: true,
};

/** Grows when a value changes its meaning: what was written under another number is not read. */
const version = 1;

export function writeTerminalSettings(settings: TerminalSettings): string {
  return JSON.stringify({ version, ...settings });
}

/** @param text what was stored, or null when nothing was. */
export function readTerminalSettings(text: string | null): TerminalSettings {
  const stored = fieldsOf(parseJson(text ?? 'null'));
  if (stored['version'] !== version) {
    return defaultTerminalSettings;
  }
  const defaults = defaultTerminalSettings;
  const ports = fieldsOf(stored['ports']);
  return {
    ports: Object.fromEntries(
      portNumbers.map((port) => [port, readPort(ports[port])]),
    ) as unknown as TerminalSettings['ports'],
    layout: oneOf(stored['layout'], ['text', 'hex'], defaults.layout),
    rowHeight: oneOf(stored['rowHeight'], rowHeights, defaults.rowHeight),
    bufferSize: oneOf(stored['bufferSize'], bufferSizes, defaults.bufferSize),
    times: oneOf(stored['times'], timeModes, defaults.times),
    marks: oneOf(stored['marks'], [true, false], defaults.marks),
    lineEnds: oneOf(stored['lineEnds'], [true, false], defaults.lineEnds),
    controls: oneOf(stored['controls'], [true, false], defaults.controls),
    wrap: oneOf(stored['wrap'], [true, false, null], defaults.wrap),
    view: oneOf(stored['view'], consoleViews, defaults.view),
    inputMode: oneOf(stored['inputMode'], sendModes, defaults.inputMode),
    lineEnding: oneOf(stored['lineEnding'], lineEndings, defaults.lineEnding),
    paneOpen: oneOf(stored['paneOpen'], [true, false], defaults.paneOpen),
    panelsOpen: oneOf(stored['panelsOpen'], [true, false], defaults.panelsOpen),
    lanes: oneOf(stored['lanes'], [true, false], defaults.lanes),
  };
}

export function isBaudRate(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= highestBaudRate;
}

/** Each value by itself, the default where it is none. */
export function readPortSettings(value: unknown): PortSettings {
  const stored = fieldsOf(value);
  const defaults = defaultPortSettings;
  return {
    baudRate: isBaudRate(stored['baudRate']) ? stored['baudRate'] : defaults.baudRate,
    dataBits: oneOf(stored['dataBits'], [7, 8], defaults.dataBits),
    stopBits: oneOf(stored['stopBits'], [1, 2], defaults.stopBits),
    parity: oneOf(stored['parity'], ['none', 'even', 'odd'], defaults.parity),
    flowControl: oneOf(stored['flowControl'], ['none', 'hardware'], defaults.flowControl),
  };
}

function readPort(value: unknown): PortPreferences {
  const { name, settings, framing, reconnect } = fieldsOf(value);
  return {
    name: typeof name === 'string' ? name.slice(0, longestName) : '',
    settings: readPortSettings(settings),
    framing: readFraming(framing),
    reconnect: oneOf(reconnect, [true, false], defaultPort.reconnect),
  };
}

function readFraming(value: unknown): Framing {
  const { name, options, newline, idleGap } = fieldsOf(value);
  const known = framingNamed(name);
  return known === null ? readNamelessFraming(newline === true, idleGap) : framingWith(known, fieldsOf(options));
}

/** As it was stored before framings had names. Without a silence a line ended at newlines. */
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
