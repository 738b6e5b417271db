/**
 * Message definitions of MAVLink: XML files that include each other (mavlink.io, "How to define MAVLink Messages and
 * Enums"), order of fields and CRC_EXTRA (mavlink.io, "Packet Serialization").
 */
import { Faults } from '../faults.ts';
import { crcExtraOf } from './crc.ts';
import { readXml, type XmlElement, XmlFault } from './xml.ts';

/** Types of fields, with their size in bytes. */
const sizes = {
  char: 1,
  int8_t: 1,
  uint8_t: 1,
  int16_t: 2,
  uint16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  int64_t: 8,
  uint64_t: 8,
  float: 4,
  double: 8,
} as const;

export type MavlinkType = keyof typeof sizes;

export interface MavlinkField {
  readonly name: string;
  readonly type: MavlinkType;
  /** Bytes of one element. */
  readonly size: number;
  /** Elements of an array, 1 to 255; null: a single value. */
  readonly count: number | null;
  /** First byte in the payload. */
  readonly offset: number;
  /** True: not in frames of MAVLink 1, and not in those of older senders. */
  readonly isExtension: boolean;
  readonly unit: string;
  /** Names of its values. */
  readonly names: MavlinkEnum | null;
  /** True: its bits have names. */
  readonly isBitmask: boolean;
}

export interface MavlinkEnum {
  readonly name: string;
  readonly isBitmask: boolean;
  /** Names by value. */
  readonly entries: ReadonlyMap<bigint, string>;
}

export interface MavlinkMessage {
  readonly id: number;
  readonly name: string;
  /** In the order of their bytes. */
  readonly fields: readonly MavlinkField[];
  /** Bytes without the extensions: the payload of MAVLink 1. */
  readonly baseLength: number;
  /** Bytes with the extensions. */
  readonly fullLength: number;
  readonly crcExtra: number;
}

export interface MavlinkDefinitions {
  readonly messages: ReadonlyMap<number, MavlinkMessage>;
  readonly enums: ReadonlyMap<string, MavlinkEnum>;
  /** Messages that were left out, and why: the first 20. */
  readonly faults: readonly string[];
}

/** Limits of a set of files. */
const limits = { files: 64, messages: 10_000, entries: 100_000, faults: 20, payload: 255 };

/** Files that cannot be used. The message is a sentence that names the file. */
export class MavlinkDefinitionFault extends Error {
  override readonly name = 'MavlinkDefinitionFault';
}

/**
 * Reads a file of definitions with all that it includes.
 *
 * @param name File to begin with, `common.xml`.
 * @param read Text of a file by its name without a path; null: there is no such file.
 * @throws MavlinkDefinitionFault if a file is missing, is no XML or has no messages.
 */
export function readDefinitions(name: string, read: (name: string) => string | null): MavlinkDefinitions {
  const reader = new DefinitionReader(read);
  reader.readFile(name, null);
  return reader.finish();
}

interface OpenEnum {
  readonly name: string;
  isBitmask: boolean;
  readonly entries: Map<bigint, string>;
  /** Value of an entry that names none. */
  next: bigint;
}

class DefinitionReader {
  readonly #read: (name: string) => string | null;
  readonly #files = new Set<string>();
  readonly #enums = new Map<string, OpenEnum>();
  readonly #messages = new Map<number, MavlinkMessage>();
  readonly #elements: { readonly file: string; readonly element: XmlElement }[] = [];
  readonly #faults = new Faults(limits.faults, 'messages');
  #entryCount = 0;

  constructor(read: (name: string) => string | null) {
    this.#read = read;
  }

  readFile(path: string, includer: string | null): void {
    const name = path.replace(/^.*[\\/]/, '');
    if (this.#files.has(name)) {
      return;
    }
    this.#files.add(name);
    const text = this.#files.size > limits.files ? null : this.#read(name);
    if (text === null) {
      const reason = this.#files.size > limits.files ? `is one of more than ${limits.files} files` : 'is missing';
      throw new MavlinkDefinitionFault(`${name} ${reason}${includer === null ? '' : `: ${includer} includes it`}.`);
    }
    const root = this.#parse(name, text);
    for (const element of root.children) {
      if (element.name === 'include') {
        this.readFile(element.text, name);
      }
    }
    for (const element of root.children) {
      if (element.name === 'enums') {
        for (const child of element.children) {
          this.#addEnum(child);
        }
      } else if (element.name === 'messages') {
        this.#elements.push(...element.children.map((child) => ({ file: name, element: child })));
      }
    }
  }

  #parse(name: string, text: string): XmlElement {
    try {
      const root = readXml(text);
      if (root.name !== 'mavlink') {
        throw new XmlFault('this is no file of MAVLink message definitions.');
      }
      return root;
    } catch (error) {
      if (error instanceof XmlFault) {
        throw new MavlinkDefinitionFault(`${name}: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }

  #addEnum(element: XmlElement): void {
    const name = element.attributes.get('name');
    if (element.name !== 'enum' || name === undefined) {
      return;
    }
    // A file may add entries to an enum of a file that it includes.
    const known: OpenEnum = this.#enums.get(name) ?? { name, isBitmask: false, entries: new Map(), next: 0n };
    this.#enums.set(name, known);
    known.isBitmask ||= element.attributes.get('bitmask') === 'true';
    for (const entry of element.children) {
      const label = entry.attributes.get('name');
      const value = parseValue(entry.attributes.get('value')) ?? known.next;
      if (entry.name === 'entry' && label !== undefined && this.#entryCount < limits.entries) {
        this.#entryCount++;
        known.entries.set(value, label);
        known.next = value + 1n;
      }
    }
  }

  finish(): MavlinkDefinitions {
    for (const { file, element } of this.#elements) {
      if (element.name !== 'message') {
        continue;
      }
      const message = readMessage(element, this.#enums);
      if (typeof message === 'string') {
        this.#fault(`${file}, line ${element.line}: ${message}`);
      } else if (this.#messages.has(message.id)) {
        this.#fault(`${file}, line ${element.line}: ${message.name} has the number of another message.`);
      } else if (this.#messages.size < limits.messages) {
        this.#messages.set(message.id, message);
      }
    }
    if (this.#messages.size === 0) {
      throw new MavlinkDefinitionFault(this.#faults.sentences[0] ?? `${[...this.#files][0]} defines no message.`);
    }
    return { messages: this.#messages, enums: this.#enums, faults: this.#faults.sentences };
  }

  #fault(sentence: string): void {
    this.#faults.add(() => sentence);
  }
}

/** Reads `5`, `0x05` and `2**5`. Returns null for other text. */
function parseValue(text: string | undefined): bigint | null {
  const [, digits, power] = /^\s*(\d{1,19}|0[xX][\da-fA-F]{1,16})\s*(?:\*\*\s*(\d{1,2}))?\s*$/.exec(text ?? '') ?? [];
  if (digits === undefined) {
    return null;
  }
  return BigInt.asUintN(64, power === undefined ? BigInt(digits) : BigInt(digits) ** BigInt(power));
}

type PlainField = Omit<MavlinkField, 'offset'>;

/** @returns a sentence if the message cannot be used. */
function readMessage(element: XmlElement, enums: ReadonlyMap<string, MavlinkEnum>): MavlinkMessage | string {
  const name = element.attributes.get('name') ?? '';
  const id = Number(element.attributes.get('id') ?? Number.NaN);
  if (!/^\w{1,100}$/.test(name) || !Number.isInteger(id) || id < 0 || id > 0xff_ffff) {
    return 'a message needs a name, and a number from 0 to 16777215.';
  }
  const fields: PlainField[] = [];
  const names = new Set<string>();
  let isExtension = false;
  for (const child of element.children) {
    isExtension ||= child.name === 'extensions';
    if (child.name === 'field') {
      const field = readField(child, isExtension, enums);
      if (field === null || names.has(field.name)) {
        return `${name} has a field that cannot be read (line ${child.line}).`;
      }
      names.add(field.name);
      fields.push(field);
    }
  }
  // Larger types come first; fields of one size, and extensions, keep the order of the file.
  const base = fields.filter((field) => !field.isExtension).sort((one, other) => other.size - one.size);
  const ordered: MavlinkField[] = [];
  let offset = 0;
  for (const field of [...base, ...fields.filter((other) => other.isExtension)]) {
    ordered.push({ ...field, offset });
    offset += field.size * (field.count ?? 1);
  }
  if (offset > limits.payload) {
    return `${name} has ${offset} bytes, more than ${limits.payload}.`;
  }
  const baseLength = base.reduce((sum, field) => sum + field.size * (field.count ?? 1), 0);
  return { id, name, fields: ordered, baseLength, fullLength: offset, crcExtra: crcExtraOf(name, base) };
}

function readField(
  element: XmlElement,
  isExtension: boolean,
  enums: ReadonlyMap<string, MavlinkEnum>,
): PlainField | null {
  const { attributes } = element;
  const name = attributes.get('name') ?? '';
  const [, type = '', count] =
    /^(\w+?)(?:_mavlink_version)?(?:\[(\d{1,3})\])?$/.exec(attributes.get('type') ?? '') ?? [];
  const size = isMavlinkType(type) ? sizes[type] : 0;
  if (
    !isMavlinkType(type) ||
    !/^\w{1,100}$/.test(name) ||
    Number(count ?? 1) < 1 ||
    Number(count ?? 1) > limits.payload
  ) {
    return null;
  }
  const named = enums.get(attributes.get('enum') ?? '') ?? null;
  return {
    name,
    type,
    size,
    count: count === undefined ? null : Number(count),
    isExtension,
    unit: attributes.get('units') ?? '',
    names: named,
    isBitmask: attributes.get('display') === 'bitmask' || (named?.isBitmask ?? false),
  };
}

function isMavlinkType(type: string): type is MavlinkType {
  return Object.hasOwn(sizes, type);
}
