/**
 * Messages and signals of a DBC file (Vector, "DBC File Format Documentation", version 1.0/5). Statements that say
 * nothing about values are skipped. A statement that cannot be read is a fault, and the rest of the file is used.
 */
import { Faults } from '../faults.ts';
import { DbcScanner, decodeDbcText } from './dbc-scanner.ts';
import type { DecimalScale } from './decimal.ts';
import { parseScale } from './decimal.ts';

/** Limits of a file, so that a hostile one costs bounded time and memory. */
export const dbcLimits = {
  bytes: 32 * 1024 * 1024,
  messages: 20_000,
  signals: 500_000,
  signalsOfMessage: 4_000,
  /** Names of values, and ranges of multiplexors. */
  values: 500_000,
  faults: 20,
};

/** Bits of one signal within the data bytes of a frame. */
export interface SignalPlace {
  /**
   * Bit n is bit n mod 8 (0 is the least significant) of byte n / 8. Little-endian: the least significant bit of the
   * signal. Big-endian: its most significant bit.
   */
  readonly start: number;
  /** 1 to 64 bits. */
  readonly size: number;
  readonly isBigEndian: boolean;
}

export interface DbcSignal extends SignalPlace {
  readonly name: string;
  readonly isSigned: boolean;
  /** True: IEEE 754 of 32 or 64 bits. */
  readonly isFloat: boolean;
  readonly scale: DecimalScale;
  readonly unit: string;
  readonly comment: string;
  /** Names by raw value, as decimal text. */
  readonly names: ReadonlyMap<string, string>;
  /** True: its raw value selects other signals. */
  readonly isMultiplexor: boolean;
  /** Values of the multiplexor with which this signal is in the frame; null: it is in every frame. */
  readonly multiplex: Multiplex | null;
}

interface Multiplex {
  /** Name of the multiplexor; null: the one of the message. */
  readonly parent: string | null;
  /** First and last raw value, inclusive. */
  readonly ranges: readonly (readonly [bigint, bigint])[];
}

export interface DbcMessage {
  readonly name: string;
  /** 11 or 29 bits. */
  readonly id: number;
  readonly isExtended: boolean;
  /** Bytes. */
  readonly length: number;
  readonly comment: string;
  readonly signals: readonly DbcSignal[];
  /** True: a parameter group of SAE J1939, which any source may send with any priority. */
  readonly isParameterGroup: boolean;
}

export interface DbcFile {
  readonly messages: readonly DbcMessage[];
  /** The first faults, each with its line, and how many more there are. */
  readonly faults: readonly string[];
  /** @returns the message of an identifier; null if the file has none. */
  find(id: number, isExtended: boolean): DbcMessage | null;
}

/** Words for a line that is not of the format. */
export const NO_STATEMENT = 'is no statement of a DBC file.';

/** The highest bit of a number in the file marks 29-bit identifiers. */
const EXTENDED = 0x8000_0000;
/** Holds signals that belong to no message. */
const NO_MESSAGE = 0xc000_0000;

const signalPattern =
  /(\d{1,5})\s*\|\s*(\d{1,3})\s*@\s*([01])\s*([+-])\s*\(\s*([^,()\s]{1,130})\s*,\s*([^,()\s]{1,130})\s*\)\s*\[[^\]"]{0,300}\]\s*"([^"]{0,1000})"[^\n]*/y;

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A message to which later statements may still add something. */
interface OpenMessage extends Omit<Writable<DbcMessage>, 'signals'> {
  readonly signals: Writable<DbcSignal>[];
  readonly byName: Map<string, Writable<DbcSignal>>;
}

/** @throws RangeError if the file is larger than 32 MiB. */
export function readDbcFile(file: Uint8Array | string): DbcFile {
  if (file.length > dbcLimits.bytes) {
    throw new RangeError(`The DBC file is larger than ${dbcLimits.bytes / 1024 / 1024} MiB.`);
  }
  const reader = new DbcReader(typeof file === 'string' ? file : decodeDbcText(file));
  return reader.read();
}

/** Statements that say nothing about values, and end with a semicolon (Vector, "DBC File Format Documentation"). */
const withoutValues: ReadonlySet<string> = new Set([
  'BA_DEF_DEF_REL_',
  'BA_DEF_REL_',
  'BA_DEF_SGTYPE_',
  'BA_REL_',
  'BA_SGTYPE_',
  'BO_TX_BU_',
  'BU_BO_REL_',
  'BU_EV_REL_',
  'BU_SG_REL_',
  'CAT_',
  'CAT_DEF_',
  'ENVVAR_DATA_',
  'EV_',
  'EV_DATA_',
  'FILTER',
  'NS_DESC_',
  'SGTYPE_',
  'SGTYPE_VAL_',
  'SG_GROUP_',
  'SIGTYPE_VALTYPE_',
  'SIG_GROUP_',
  'SIG_TYPE_REF_',
]);

const noNames: ReadonlyMap<string, string> = new Map();

class DbcReader {
  readonly #scanner: DbcScanner;
  readonly #messages = new Map<number, OpenMessage>();
  readonly #tables = new Map<string, ReadonlyMap<string, string>>();
  readonly #faults = new Faults(dbcLimits.faults, 'statements');
  /** Offset at which the current statement begins. */
  #statementAt = 0;
  #message: OpenMessage | null = null;
  #signalCount = 0;
  #valueCount = 0;
  /** Values of the attribute VFrameFormat by their number, and the default. */
  readonly #frameFormats: string[] = [];
  #defaultFormat = '';
  readonly #withFormat = new Set<OpenMessage>();

  constructor(text: string) {
    this.#scanner = new DbcScanner(text);
  }

  read(): DbcFile {
    while (!this.#scanner.isAtEnd) {
      this.#statementAt = this.#scanner.position;
      this.#readStatement();
    }
    for (const message of this.#messages.values()) {
      if (!this.#withFormat.has(message)) {
        message.isParameterGroup = isParameterGroup(message, this.#defaultFormat);
      }
    }
    return createFile([...this.#messages.values()], this.#faults.sentences);
  }

  #fault(sentence: string): void {
    this.#faults.add(() => `Line ${this.#scanner.lineOf(this.#statementAt)}: ${sentence}`);
  }

  readonly #readers: ReadonlyMap<string, () => void> = new Map([
    ['BO_', () => this.#readMessage()],
    ['SG_', () => this.#readSignal()],
    ['CM_', () => this.#readComment()],
    ['VAL_', () => this.#readNames()],
    ['VAL_TABLE_', () => this.#readTable()],
    ['SIG_VALTYPE_', () => this.#readValueType()],
    ['SG_MUL_VAL_', () => this.#readMultiplex()],
    ['BA_DEF_', () => this.#readDefinition()],
    ['BA_DEF_DEF_', () => this.#readDefault()],
    ['BA_', () => this.#readAttribute()],
    ['NS_', () => this.#skipKeywords()],
    ['BS_', () => this.#scanner.skipLine()],
    ['BU_', () => this.#scanner.skipLine()],
  ]);

  #readStatement(): void {
    const scanner = this.#scanner;
    if (scanner.mark('//')) {
      // Not of the format, but many tools write it.
      if (scanner.take(/[ \t]*[A-Z][A-Z_]*_(?=\s)/y) !== null) {
        this.#fault('the statement is commented out.');
      }
      scanner.skipLine();
      return;
    }
    const keyword = scanner.word() ?? '';
    const read = this.#readers.get(keyword);
    if (read !== undefined) {
      read();
    } else if (withoutValues.has(keyword)) {
      this.#endStatement();
    } else if (keyword === 'VERSION' || (keyword === '' && scanner.mark(';'))) {
      scanner.skipLine();
    } else {
      this.#fault(`${keyword === '' ? 'it' : keyword.slice(0, 100)} ${NO_STATEMENT}`);
      scanner.skipLine();
    }
  }

  /** Skips the rest of a statement that ends with a semicolon. */
  #endStatement(): void {
    if (!this.#scanner.skipStatement()) {
      this.#fault('the statement has no end.');
    }
  }

  /** Skips the list of keywords behind `NS_ :`. Each is alone in its line. */
  #skipKeywords(): void {
    this.#scanner.mark(':');
    while (this.#scanner.take(/[A-Z_]{1,40}[ \t]*\r?(?=\n)/y) !== null) {
      // The next line.
    }
  }

  /** `BO_ 257 MotorStatus: 8 Drive` */
  #readMessage(): void {
    this.#message = null;
    const match = this.#scanner.take(/(\d{1,10})\s+([^\s:]{1,200})\s*:\s*(\d{1,5})[^\n]*/y);
    const number = Number(match?.[1]);
    if (match === null || number > 0xffff_ffff) {
      this.#fault('this message cannot be read.');
      this.#scanner.skipLine();
      return;
    }
    const message: OpenMessage = {
      name: match[2] ?? '',
      id: (number & 0x1fff_ffff) >>> 0,
      // Some files lack the mark for numbers that only 29 bits can have.
      isExtended: number > 0x7ff,
      length: Number(match[3]),
      comment: '',
      signals: [],
      isParameterGroup: false,
      byName: new Map(),
    };
    if (number !== NO_MESSAGE && this.#messages.has(number)) {
      this.#fault(`${message.name} has the identifier of another message.`);
    } else if (this.#messages.size >= dbcLimits.messages) {
      this.#fault(`the file has more than ${dbcLimits.messages} messages.`);
    } else if (number !== NO_MESSAGE) {
      this.#messages.set(number, message);
    }
    this.#message = message;
  }

  /** `SG_ CellA m0 : 8|16@1+ (0.001,0) [0|65.535] "V" Drive` */
  #readSignal(): void {
    const scanner = this.#scanner;
    const name = scanner.take(/[^\s:]{1,200}/y)?.[0];
    const mark = /^(?:M|m(\d{1,10})(M?))$/.exec(scanner.word() ?? '');
    const match = scanner.mark(':') ? scanner.take(signalPattern) : null;
    const [, start = '', size = '', order, sign, factor = '', offset = '', unit = ''] = match ?? [];
    const scale = parseScale(factor, offset);
    if (name === undefined || match === null || scale === null || Number(size) < 1 || Number(size) > 64) {
      const scaling = match === null ? scanner.restOfLine().match(/\([^()]{0,100}\)/)?.[0] : `(${factor},${offset})`;
      const reason =
        scale === null && scaling !== undefined && !/^\([^,]*,[^,]*\)$/.test(scaling)
          ? `: ${scaling} must be a factor and an offset, such as (0.1,0)`
          : '';
      this.#fault(`the signal ${name ?? ''} cannot be read${reason}.`);
      scanner.skipLine();
      return;
    }
    if (this.#message === null || this.#message.byName.has(name)) {
      this.#fault(`the signal ${name} ${this.#message === null ? 'belongs to no message' : 'is there twice'}.`);
      return;
    }
    this.#signalCount++;
    if (this.#signalCount > dbcLimits.signals || this.#message.signals.length >= dbcLimits.signalsOfMessage) {
      this.#fault(
        `${name} is left out: there are more than ${dbcLimits.signalsOfMessage} signals in ${this.#message.name}, or ${dbcLimits.signals} in the file.`,
      );
      return;
    }
    const value = mark?.[1];
    const signal: Writable<DbcSignal> = {
      name,
      start: Number(start),
      size: Number(size),
      isBigEndian: order === '0',
      isSigned: sign === '-',
      isFloat: false,
      scale,
      unit,
      comment: '',
      names: noNames,
      isMultiplexor: mark !== null && (value === undefined || mark[2] === 'M'),
      multiplex: value === undefined ? null : { parent: null, ranges: [[BigInt(value), BigInt(value)]] },
    };
    this.#message.signals.push(signal);
    this.#message.byName.set(name, signal);
  }

  /** Takes the number of a message. */
  #messageNumber(): OpenMessage | null {
    return this.#messages.get(Number(this.#scanner.take(/\d+/y)?.[0] ?? -1)) ?? null;
  }

  /** Takes number and name of a signal. */
  #signal(): Writable<DbcSignal> | null {
    const message = this.#messageNumber();
    return message?.byName.get(this.#scanner.word() ?? '') ?? null;
  }

  /** `CM_ SG_ 257 Speed "Speed of the motor";` */
  #readComment(): void {
    const scanner = this.#scanner;
    const kind = scanner.take(/(?:BO_|SG_)(?=\s)/y)?.[0];
    const target = kind === 'BO_' ? this.#messageNumber() : kind === 'SG_' ? this.#signal() : null;
    if (target !== null) {
      target.comment = scanner.quoted() ?? '';
    }
    this.#endStatement();
  }

  /** Takes pairs of a number and a text. */
  #namePairs(): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (;;) {
      const number = this.#scanner.take(/[+-]?\d{1,20}(?:\.0*)?(?=\s*")/y)?.[0];
      const name = number === undefined ? null : this.#scanner.quoted();
      if (number === undefined || name === null || this.#valueCount >= dbcLimits.values) {
        return names;
      }
      this.#valueCount++;
      names.set(String(BigInt(number.replace(/\..*|^\+/g, ''))), name);
    }
  }

  /** Says which names end before their semicolon. */
  #endNames(of: string): void {
    if (this.#scanner.take(/(?=[^\s;])/y) !== null) {
      this.#fault(`some names of ${of} cannot be read.`);
    }
  }

  /** `VAL_ 257 Gear 0 "neutral" 1 "first" ;`, or the name of a table instead of the pairs. */
  #readNames(): void {
    const signal = this.#signal();
    const table = this.#tables.get(this.#scanner.take(/[A-Za-z_]\w*(?=\s*;)/y)?.[0] ?? '');
    const names = table ?? this.#namePairs();
    if (signal !== null) {
      signal.names = names;
      this.#endNames(signal.name);
    }
    this.#endStatement();
  }

  /** `VAL_TABLE_ Gears 0 "neutral" 1 "first" ;` */
  #readTable(): void {
    const name = this.#scanner.word();
    if (name !== null) {
      this.#tables.set(name, this.#namePairs());
      this.#endNames(name);
    }
    this.#endStatement();
  }

  /** `SIG_VALTYPE_ 257 Speed : 1;` 0: integer, 1: 32 bits, 2: 64 bits. */
  #readValueType(): void {
    const signal = this.#signal();
    this.#scanner.mark(':');
    const type = this.#scanner.take(/\d/y)?.[0];
    if (signal !== null && (type === '1' || type === '2')) {
      if (signal.size === (type === '1' ? 32 : 64)) {
        signal.isFloat = true;
      } else {
        this.#fault(`${signal.name} cannot be a floating-point number of ${signal.size} bits.`);
      }
    }
    this.#endStatement();
  }

  /** `SG_MUL_VAL_ 512 CellA Page 0-1, 4-4;` */
  #readMultiplex(): void {
    const signal = this.#signal();
    const parent = this.#scanner.word();
    const ranges: [bigint, bigint][] = [];
    do {
      const [, first, last] = this.#scanner.take(/(\d{1,20})\s*-\s*(\d{1,20})/y) ?? [];
      if (first === undefined || last === undefined || this.#valueCount >= dbcLimits.values) {
        break;
      }
      this.#valueCount++;
      ranges.push([BigInt(first), BigInt(last)]);
    } while (this.#scanner.mark(','));
    if (signal !== null && parent !== null && ranges.length > 0) {
      signal.multiplex = { parent, ranges };
    }
    this.#endStatement();
  }

  /** `BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN";` */
  #readDefinition(): void {
    const isFormat = this.#scanner.mark('BO_') && this.#scanner.quoted() === FRAME_FORMAT && this.#scanner.mark('ENUM');
    while (isFormat && this.#frameFormats.length < 100) {
      const format = this.#scanner.quoted();
      if (format === null) {
        break;
      }
      this.#frameFormats.push(format);
      this.#scanner.mark(',');
    }
    this.#endStatement();
  }

  /** `BA_DEF_DEF_ "VFrameFormat" "StandardCAN";` */
  #readDefault(): void {
    if (this.#scanner.quoted() === FRAME_FORMAT) {
      this.#defaultFormat = this.#scanner.quoted() ?? '';
    }
    this.#endStatement();
  }

  /** `BA_ "VFrameFormat" BO_ 2566844926 3;` The number counts the values of the definition from 0. */
  #readAttribute(): void {
    if (this.#scanner.quoted() === FRAME_FORMAT && this.#scanner.mark('BO_')) {
      const message = this.#messageNumber();
      const format = this.#scanner.quoted() ?? this.#frameFormats[Number(this.#scanner.take(/\d+/y)?.[0] ?? -1)];
      if (message !== null) {
        message.isParameterGroup = isParameterGroup(message, format ?? '');
        this.#withFormat.add(message);
      }
    }
    this.#endStatement();
  }
}

function isParameterGroup({ isExtended }: OpenMessage, format: string): boolean {
  return isExtended && format === 'J1939PG';
}

/** Attribute of a message that says how its identifier is used. */
const FRAME_FORMAT = 'VFrameFormat';

/**
 * Number of the parameter group in an identifier (SAE J1939-21, 5.2): below 240, the byte behind the format is the
 * address of the receiver, and no part of it.
 */
function groupNumber(id: number): number {
  const format = (id >> 16) & 0xff;
  return format < 240 ? (id >> 8) & 0x3_ff00 : (id >> 8) & 0x3_ffff;
}

function createFile(messages: readonly DbcMessage[], faults: readonly string[]): DbcFile {
  const key = (id: number, isExtended: boolean) => (isExtended ? id + EXTENDED : id);
  const byId = new Map(messages.map((message) => [key(message.id, message.isExtended), message]));
  const groups = new Map(
    messages.filter((message) => message.isParameterGroup).map((message) => [groupNumber(message.id), message]),
  );
  return {
    messages,
    faults,
    find: (id, isExtended) =>
      byId.get(key(id, isExtended)) ?? (isExtended ? (groups.get(groupNumber(id)) ?? null) : null),
  };
}
