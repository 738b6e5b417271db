/** Fields and words of Modbus frames (MODBUS Application Protocol Specification V1.1b3, section 6). */
import type { RegisterTable } from '@wirebench/contract/decoders';
import { fieldsText, labelOf, valueText } from '../../frame-text.ts';
import type { DecodedField } from '../../frame-types.ts';
import type { FrameDraft } from '../step-types.ts';
import {
  CRC,
  EXCEPTION,
  exceptions,
  functionName,
  hasAnswerLength,
  isAnswerForm,
  isRequestForm,
} from './modbus-shapes.ts';
import { tables, word } from './register-tables.ts';
import { isBitTable, type NamedRegisters } from './registers.ts';

/** Values that a line shows. */
const MAX_SHOWN = 16;

/** Word before an address in a line. Holding registers have none. */
const tableWords = {
  coil: 'coil ',
  discrete: 'discrete ',
  input: 'input ',
  holding: '',
} as const satisfies Record<RegisterTable, string>;

export const unitText = (unit: number) => String(unit).padStart(2, '0');

/** Builds the fields of one frame. */
class ModbusFrame {
  readonly #draft: FrameDraft;
  readonly #named: NamedRegisters;
  readonly #bytes: Uint8Array;
  readonly #unit: number;
  readonly #code: number;

  constructor(draft: FrameDraft, named: NamedRegisters) {
    this.#draft = draft;
    this.#named = named;
    this.#bytes = draft.content;
    this.#unit = draft.content[0] as number;
    this.#code = draft.content[1] as number;
  }

  /** Fills the draft. */
  decode(): void {
    const { link } = this.#draft;
    const name = functionName(this.#code & ~EXCEPTION);
    this.#draft.who = unitText(this.#unit);
    this.#draft.message = name;
    this.#draft.key = `unit ${this.#unit}, function ${this.#code & ~EXCEPTION}`;
    this.#add({ name: 'unit', value: this.#unit, isHeader: true, from: 0, to: 1 });
    this.#add({ name: 'function', value: this.#code & ~EXCEPTION, named: name, isHeader: true, from: 1, to: 2 });
    const [related] = link.related;
    const asked = related !== undefined && isRequestForm(related, false) ? related : undefined;
    if (this.#code >= EXCEPTION) {
      this.#exception(asked);
      return;
    }
    // A frame that belongs to none is read by its form.
    const isAlone = link.role !== 'question' && link.to === null;
    const isRequest = isAlone ? isRequestForm(this.#bytes, isAnswerForm(this.#bytes)) : link.role === 'question';
    if (!(isRequest ? isRequestForm(this.#bytes, false) : hasAnswerLength(this.#bytes))) {
      // Fields have their places in frames of the right length alone.
      this.#rest(2);
    } else if (isRequest) {
      this.#request();
    } else {
      this.#answer(asked);
    }
    if (this.#draft.sentence === '') {
      const values = fieldsText(this.#draft.fields.slice(2));
      this.#draft.sentence = values === '' ? name : `${name}: ${values}`;
    }
  }

  #exception(request: Uint8Array | undefined): void {
    const code = this.#bytes[2] as number;
    const words = exceptions.get(code) ?? `exception ${code}`;
    this.#draft.kind = 'exception';
    this.#add({ name: 'exception', value: code, named: words, isHeader: true, from: 2, to: 3 });
    const asked = request === undefined ? functionName(this.#code & ~EXCEPTION) : requestWords(request);
    this.#draft.sentence = `${words}: ${asked}`;
  }

  #request(): void {
    const bytes = this.#bytes;
    switch (this.#code) {
      case 1:
      case 2:
      case 3:
      case 4:
        this.#header('address', 2);
        this.#header('count', 4);
        break;
      case 5:
      case 6:
        this.#single();
        return;
      case 15:
      case 16:
        this.#header('address', 2);
        this.#header('count', 4);
        this.#written(word(bytes, 2), word(bytes, 4), 7);
        return;
      case 22:
        this.#mask();
        return;
      case 23:
        this.#header('address', 2);
        this.#header('count', 4);
        this.#header('write_address', 6);
        this.#number('write_count', 8);
        this.#draft.sentence = `${requestWords(bytes)}, ${this.#values('write', 'holding', word(bytes, 6), word(bytes, 8), 11)}`;
        return;
      case 8:
        this.#number('sub_function', 2);
        this.#number('data', 4);
        break;
      case 24:
        this.#header('address', 2);
        break;
      case 43:
        this.#byte('type', 2);
        this.#byte('read_code', 3);
        this.#byte('object', 4);
        break;
      default:
        this.#rest(2);
        return;
    }
    this.#draft.sentence = requestWords(bytes);
  }

  #answer(request: Uint8Array | undefined): void {
    const bytes = this.#bytes;
    const first = request === undefined ? null : word(request, 2);
    switch (this.#code) {
      case 1:
      case 2:
      case 3:
      case 4:
      case 23:
        this.#read(first, request === undefined ? null : word(request, 4));
        return;
      case 5:
      case 6:
        this.#single();
        return;
      case 15:
      case 16: {
        this.#header('address', 2);
        this.#header('count', 4);
        const table = tables.get(this.#code) as RegisterTable;
        this.#draft.sentence = `wrote ${range(table, word(bytes, 2), word(bytes, 4))}`;
        return;
      }
      case 22:
        this.#mask();
        return;
      case 7:
        this.#byte('status', 2);
        break;
      case 8:
        this.#number('sub_function', 2);
        this.#number('data', 4);
        break;
      case 11:
        this.#number('status', 2);
        this.#number('events', 4);
        break;
      case 24:
        this.#header('count', 4);
        this.#registers('value', null, 6, Math.min(word(bytes, 4), (bytes.length - CRC - 6) >> 1));
        break;
      case 43:
        this.#objects();
        return;
      default:
        this.#rest(2);
    }
  }

  /** Values that were read. The address is that of the request. */
  #read(first: number | null, count: number | null): void {
    const bytes = this.#bytes;
    const size = Math.min(bytes[2] as number, bytes.length - CRC - 3);
    const table = tables.get(this.#code) as RegisterTable;
    const most = isBitTable(table) ? size * 8 : size >> 1;
    // Spare bits of the last byte are no coils. Any other count of bytes is that of the device.
    const isAsked = count !== null && isBitTable(table) && size === Math.ceil(count / 8);
    const number = isAsked ? count : most;
    this.#add({ name: 'bytes', value: bytes[2] as number, isHeader: true, from: 2, to: 3 });
    if (first === null) {
      const before = this.#draft.fields.length;
      this.#table(table, null, number, 3);
      const values = shown(this.#draft.fields.slice(before), isBitTable(table));
      this.#draft.sentence = `read ${tableWords[table]}${number} ${number === 1 ? 'value' : 'values'}: ${values}`;
    } else {
      this.#draft.sentence = this.#values('read', table, first, number, 3);
    }
  }

  /** Adds values and returns the line about them: `read 40001–40004: 231, 0, 12, 4`. */
  #values(verb: string, table: RegisterTable, first: number, count: number, at: number): string {
    const before = this.#draft.fields.length;
    this.#table(table, first, count, at);
    return `${verb} ${range(table, first, count)}: ${shown(this.#draft.fields.slice(before), isBitTable(table))}`;
  }

  #table(table: RegisterTable, first: number | null, count: number, at: number): void {
    if (isBitTable(table)) {
      this.#bits(table, first, at, count);
    } else {
      this.#registers(table, first, at, count);
    }
  }

  #written(first: number, count: number, at: number): void {
    const table = tables.get(this.#code) as RegisterTable;
    const room = Math.max(0, this.#bytes.length - CRC - at);
    this.#draft.sentence = this.#values(
      'write',
      table,
      first,
      Math.min(count, isBitTable(table) ? room * 8 : room >> 1),
      at,
    );
  }

  /** One coil or register: the request and its answer are the same. */
  #single(): void {
    const bytes = this.#bytes;
    const address = word(bytes, 2);
    const verb = this.#draft.link.role === 'answer' ? 'wrote' : 'write';
    this.#header('address', 2);
    if (this.#code === 6) {
      this.#draft.sentence = this.#values(verb, 'holding', address, 1, 4);
      return;
    }
    const raw = word(bytes, 4);
    const [entry] = this.#named.at(this.#unit, 'coil', address);
    const value = raw === 0xff00 ? true : raw === 0 ? false : null;
    this.#add({
      name: entry?.register.name ?? `coil.${address}`,
      ...entry?.words(value),
      value,
      raw,
      from: 4,
      to: 6,
      place: String(address),
    });
    const { title, named = value ? 'on' : 'off' } = entry?.words(value) ?? {};
    const words = value === null ? String(raw) : named;
    this.#draft.sentence = `${verb} coil ${address}: ${title === undefined ? '' : `${title} `}${words}`;
  }

  #mask(): void {
    const bytes = this.#bytes;
    this.#header('address', 2);
    this.#number('and_mask', 4);
    this.#number('or_mask', 6);
    const hex = (at: number) => word(bytes, at).toString(16).toUpperCase().padStart(4, '0');
    this.#draft.sentence = `mask ${word(bytes, 2)}: and ${hex(4)}, or ${hex(6)}`;
  }

  #bits(table: RegisterTable, first: number | null, at: number, count: number): void {
    for (let index = 0; index < count; index++) {
      const from = at + (index >> 3);
      const value = ((this.#bytes[from] as number) & (1 << (index & 7))) !== 0;
      const address = first === null ? index : first + index;
      const entry = first === null ? undefined : this.#named.at(this.#unit, table, address)[0];
      const name = entry?.register.name ?? `${first === null ? 'value' : table}.${address}`;
      this.#add({
        name,
        ...entry?.words(value),
        value,
        from,
        to: from + 1,
        ...(first !== null && { place: String(address) }),
      });
    }
  }

  #registers(table: RegisterTable | 'value', first: number | null, at: number, count: number): void {
    for (let index = 0; index < count; ) {
      const from = at + 2 * index;
      const entries =
        first === null || table === 'value' || this.#named.isEmpty
          ? []
          : this.#named.at(this.#unit, table, first + index).filter((entry) => index + entry.count <= count);
      for (const { field } of entries) {
        this.#add(field(this.#bytes, from));
      }
      if (entries.length === 0) {
        const address = first === null ? index : first + index;
        const name = `${first === null ? 'value' : table}.${address}`;
        this.#add({
          name,
          value: word(this.#bytes, from),
          from,
          to: from + 2,
          ...(first !== null && { place: String(address) }),
        });
      }
      index += entries.reduce((most, entry) => Math.max(most, entry.count), 1);
    }
  }

  /** Identification of a device: objects of text. */
  #objects(): void {
    const bytes = this.#bytes;
    this.#byte('type', 2);
    this.#byte('conformity', 4);
    const texts: string[] = [];
    let at = 8;
    for (let left = bytes[7] as number; left > 0 && at + 2 <= bytes.length - CRC; left--) {
      const id = bytes[at] as number;
      const end = at + 2 + (bytes[at + 1] as number);
      const value = new TextDecoder().decode(bytes.subarray(at + 2, end));
      this.#add({ name: `object.${id}`, value, from: at + 2, to: end, ...objectPlace(id) });
      texts.push(value);
      at = end;
    }
    this.#draft.sentence = `identification: ${texts.join(', ')}`;
  }

  #byte(name: string, at: number): void {
    this.#add({ name, value: this.#bytes[at] as number, from: at, to: at + 1 });
  }

  #number(name: string, at: number): void {
    this.#add({ name, value: word(this.#bytes, at), from: at, to: at + 2 });
  }

  /** Adds a number that says what is asked for or answered, and is no measured value. */
  #header(name: string, at: number): void {
    this.#add({ name, value: word(this.#bytes, at), isHeader: true, from: at, to: at + 2 });
  }

  #rest(at: number): void {
    const end = this.#bytes.length - CRC;
    if (end > at) {
      this.#add({ name: 'data', value: this.#bytes.subarray(at, end), from: at, to: end });
    }
  }

  #add(field: DecodedField): void {
    this.#draft.fields.push(field);
  }
}

/** Objects of the basic identification (V1.1b3, section 6.21). */
const objectNames = ['vendor', 'product code', 'revision', 'vendor url', 'product name', 'model name', 'application'];

const objectPlace = (id: number) => {
  const place = objectNames[id];
  return place === undefined ? {} : { place };
};

function range(table: RegisterTable, first: number, count: number): string {
  return `${tableWords[table]}${first}${count > 1 ? `–${first + count - 1}` : ''}`;
}

/** Returns the words for what a request asks: `read 4 from 40001`. */
function requestWords(request: Uint8Array): string {
  const code = request[1] as number;
  const table = tables.get(code);
  if (table !== undefined && (code <= 4 || code === 23)) {
    const count = word(request, 4);
    return `read ${tableWords[table]}${count} from ${word(request, 2)}`;
  }
  return table === undefined ? functionName(code) : `${functionName(code)} ${word(request, 2)}`;
}

/** Names of registers without an entry, and of entries that only say how one is read. */
const unnamed = /^(holding|input|value)[._]\d+$/;

function shown(fields: readonly DecodedField[], isOfBits: boolean): string {
  if (isOfBits) {
    const isNamed = fields.length > 0 && fields.length <= MAX_SHOWN && fields.every(({ title }) => title !== undefined);
    const bits = fields.slice(0, 64).map(({ value }) => (value === true ? '1' : '0'));
    return isNamed
      ? fields.map((field) => `${labelOf(field)} ${bitText(field)}`).join(', ')
      : `${bits.join('')}${fields.length > 64 ? '…' : ''}`;
  }
  const values = fields
    .slice(0, MAX_SHOWN)
    .map((field) =>
      field.title === undefined && unnamed.test(field.name)
        ? valueText(field)
        : `${labelOf(field)} ${valueText(field)}`,
    );
  return fields.length > MAX_SHOWN ? `${values.join(', ')}, ${fields.length - MAX_SHOWN} more` : values.join(', ');
}

const bitText = ({ named, value }: DecodedField): string => named ?? (value === true ? 'on' : 'off');

/** Fills the draft of a Modbus frame. */
export function decodeModbus(draft: FrameDraft, named: NamedRegisters): void {
  new ModbusFrame(draft, named).decode();
}
