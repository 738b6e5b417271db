/**
 * Stored settings of the terminal. Each value is validated separately when read, so that an invalid one is replaced
 * by its default and the others are kept.
 */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import { fieldFailure, type SwitchField } from '@wirebench/port/option-fields';
import { baudField, portFields } from '@wirebench/port/port-fields';
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
import type { BenchApi } from '../../../protocol/bench/bench-tick.ts';
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

/** Longest pause after a line of a paste, in milliseconds. */
export const longestLinePause = 60_000;

/** Pieces when they are first chosen: half of the buffer of a UART 16550A, which polled consoles empty every 10 ms. */
export const firstPieces: SendPieces = { bytes: 8, pause: 10 };

/** Fields of a record as they were stored. */
type Stored = Readonly<Record<string, unknown>>;

/** One setting, as data. Reading, storing and the defaults are made from it. */
type Setting<Value> = {
  /** Value without a choice. */
  readonly standard: Value;
} & (
  | { readonly choices: readonly Value[] }
  | {
      /** Returns a stored value; undefined for an invalid one. `record`: the fields that were stored with it. */
      read(stored: unknown, record: Stored): Value | undefined;
    }
);

/** A setting of a port. */
export type PortSetting<Value> = Setting<Value> & {
  /**
   * True: it is about what is typed. On a visit by a link such a choice is kept by itself, while the first other choice
   * keeps the port as the link has it.
   */
  readonly isTyping?: true;
  /** Its field in the port's form, if the form draws it from the table. */
  readonly field?: SwitchField;
  /** Call that tells the bench its value. */
  readonly call?: CallWith<Value>;
};

/** Names of the calls of the bench that take a port and a value of this type. */
type CallWith<Value> = {
  [Name in keyof BenchApi]: Parameters<BenchApi[Name]> extends [PortNumber, infer Taken]
    ? Value extends Taken
      ? Name
      : never
    : never;
}[keyof BenchApi];

const onOrOff = [true, false] as const;

/** Preferences that end with the page. */
type OfVisit = 'isTried' | 'isOnce';

/** Settings of a port: all that is kept of one. */
export const portSettings: {
  readonly [Name in Exclude<keyof PortPreferences, OfVisit>]: PortSetting<PortPreferences[Name]>;
} = {
  name: {
    standard: '',
    read: (stored) => (typeof stored === 'string' ? stored.slice(0, longestName) : undefined),
  },
  settings: { standard: defaultPortSettings, read: readPortSettings },
  framing: { standard: defaultFraming, read: readFraming, call: 'setFraming' },
  decoder: {
    standard: null,
    read: (stored, { framing, isOnce }) =>
      // Modbus RTU was a framing.
      fieldsOf(framing)['name'] === 'modbus-rtu' ? 'modbus' : isOnce === true ? null : decoderIdOf(stored),
  },
  answersOn: { standard: null, choices: portNumbers },
  reconnect: { standard: true, choices: onOrOff, field: { kind: 'switch', label: 'Reconnect automatically' } },
  inputMode: { standard: 'text', choices: sendModes, isTyping: true },
  lineEnding: { standard: 'lf', choices: lineEndings, isTyping: true },
  pieces: { standard: null, read: readPieces, isTyping: true, call: 'setPieces' },
  linePause: {
    standard: 50,
    read: (stored) => (isWithin(stored, 0, longestLinePause) ? stored : undefined),
    isTyping: true,
  },
};

/** Settings of the whole terminal. */
const displaySettings: {
  readonly [Name in Exclude<keyof TerminalSettings, 'ports'>]: Setting<TerminalSettings[Name]>;
} = {
  layout: { standard: 'text', choices: ['text', 'hex', 'frames'] },
  rowHeight: { standard: 25, choices: rowHeights },
  bufferSize: { standard: 64, choices: bufferSizes },
  times: { standard: 'clock', choices: timeModes },
  marks: { standard: true, choices: onOrOff },
  lineEnds: { standard: false, choices: onOrOff },
  controls: { standard: false, choices: onOrOff },
  echoes: { standard: false, choices: onOrOff },
  view: { standard: 'merged', choices: consoleViews },
  wrap: { standard: true, choices: onOrOff },
  settingsPinned: { standard: false, choices: onOrOff },
  panelsShown: { standard: null, choices: [true, false, null] },
  dockWidth: { standard: null, read: readWidth },
};

/** Returns the stored values of a record. An invalid one is that of `otherwise`, else the standard one. */
const readAll = (
  settings: Readonly<Record<string, Setting<unknown>>>,
  record: Stored,
  otherwise: Stored = {},
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const stored = record[name];
      const value =
        'read' in setting ? setting.read(stored, record) : setting.choices.find((choice) => choice === stored);
      return [name, value === undefined ? (otherwise[name] ?? setting.standard) : value];
    }),
  );

/** Names of the settings of a port. */
export type PortSettingName = keyof typeof portSettings;
export const portSettingNames = /* @__PURE__ */ Object.keys(portSettings) as readonly PortSettingName[];

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
  return stored['version'] === version ? readStored(stored) : defaultTerminalSettings;
}

function readStored(stored: Stored): TerminalSettings {
  // Earlier versions stored one kind and one ending for all ports.
  const { inputMode, lineEnding } = stored;
  const shared = readAll(portSettings, { inputMode, lineEnding });
  const ports = fieldsOf(stored['ports']);
  return {
    ports: Object.fromEntries(portNumbers.map((port) => [port, readAll(portSettings, fieldsOf(ports[port]), shared)])),
    ...readAll(displaySettings, stored),
  } as unknown as TerminalSettings;
}

// Without the mark, every file that takes a name from this one would load it.
export const defaultTerminalSettings: TerminalSettings = /* @__PURE__ */ readStored({});

/** Reads the width of the dock. Earlier versions kept one for each tool, which is taken over if it is the only one. */
function readWidth(dockWidth: unknown, { toolWidths }: Stored): number | null {
  const widths = dockWidth === undefined ? Object.values(fieldsOf(toolWidths)) : [dockWidth];
  const [width] = widths;
  return widths.length === 1 && typeof width === 'number' && width > 0 ? width : null;
}

export function isBaudRate(value: unknown): value is number {
  return fieldFailure(baudField, value) === null;
}

/** Reads port settings. Each invalid value is replaced by its default. A default that leaves a value out is not stored. */
export function readPortSettings(value: unknown): PortSettings {
  const stored = fieldsOf(value);
  const read = Object.entries({ baudRate: baudField, ...portFields }).map(([name, field]) => [
    name,
    fieldFailure(field, stored[name]) === null ? stored[name] : defaultPortSettings[name as keyof PortSettings],
  ]);
  return Object.fromEntries(read.filter(([, kept]) => kept !== undefined)) as unknown as PortSettings;
}

function readPieces(value: unknown): SendPieces | null {
  const { bytes, pause } = fieldsOf(value);
  const { mostBytes, leastPause, mostPause } = pieceLimits;
  return isWithin(bytes, 1, mostBytes) && isWithin(pause, leastPause, mostPause) ? { bytes, pause } : null;
}

/** Returns true for a whole number in a range. */
function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

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
