/**
 * What the terminal remembers between visits, and how it is read back: every value is checked by itself, so that what was
 * written by an older version, another tab or a curious hand costs one value and never the page.
 */
import {
  defaultPortSettings,
  type InputMode,
  type LineEnding,
  type PortNumber,
  type PortSettings,
  portNumbers,
  type RowLayout,
} from '@wirebench/serial';

export const lineEndings = ['none', 'lf', 'cr', 'crlf'] as const satisfies readonly LineEnding[];

/** Height of a console row in px: the default, and compact. */
export const rowHeights = [25, 20] as const;

/** Memory for what one port receives, in MiB. */
export const bufferSizes = [16, 64, 128, 256] as const;

export const longestName = 32;

/** Highest rate that can be asked of a port: `baudRate` is an unsigned 32-bit number (Web Serial, SerialOptions). */
export const highestBaudRate = 2 ** 32 - 1;

interface PortPreferences {
  /** As it was typed; empty for 'Port N'. */
  readonly name: string;
  readonly settings: PortSettings;
}

export interface TerminalSettings {
  readonly ports: Readonly<Record<PortNumber, PortPreferences>>;
  readonly layout: RowLayout;
  readonly rowHeight: (typeof rowHeights)[number];
  readonly bufferSize: (typeof bufferSizes)[number];
  readonly inputMode: InputMode;
  readonly lineEnding: LineEnding;
  /** The settings pane stands beside the console where there is room. */
  readonly paneOpen: boolean;
}

const defaultPort: PortPreferences = { name: '', settings: defaultPortSettings };

export const defaultTerminalSettings: TerminalSettings = {
  ports: { 1: defaultPort, 2: defaultPort, 3: defaultPort, 4: defaultPort },
  layout: 'text',
  rowHeight: 25,
  bufferSize: 64,
  inputMode: 'text',
  lineEnding: 'lf',
  paneOpen: true,
};

/** Grows when a value changes its meaning: what was written under another number is not read. */
const version = 1;

export function writeTerminalSettings(settings: TerminalSettings): string {
  return JSON.stringify({ version, ...settings });
}

/** @param text what was stored, or null when nothing was. */
export function readTerminalSettings(text: string | null): TerminalSettings {
  const stored = fieldsOf(parse(text));
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
    inputMode: oneOf(stored['inputMode'], ['text', 'hex'], defaults.inputMode),
    lineEnding: oneOf(stored['lineEnding'], lineEndings, defaults.lineEnding),
    paneOpen: oneOf(stored['paneOpen'], [true, false], defaults.paneOpen),
  };
}

export function isBaudRate(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= highestBaudRate;
}

function readPort(value: unknown): PortPreferences {
  const { name, settings } = fieldsOf(value);
  const stored = fieldsOf(settings);
  const defaults = defaultPortSettings;
  return {
    name: typeof name === 'string' ? name.slice(0, longestName) : '',
    settings: {
      baudRate: isBaudRate(stored['baudRate']) ? stored['baudRate'] : defaults.baudRate,
      dataBits: oneOf(stored['dataBits'], [7, 8], defaults.dataBits),
      stopBits: oneOf(stored['stopBits'], [1, 2], defaults.stopBits),
      parity: oneOf(stored['parity'], ['none', 'even', 'odd'], defaults.parity),
      flowControl: oneOf(stored['flowControl'], ['none', 'hardware'], defaults.flowControl),
    },
  };
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function oneOf<Value>(value: unknown, allowed: readonly Value[], otherwise: Value): Value {
  return allowed.find((candidate) => candidate === value) ?? otherwise;
}
