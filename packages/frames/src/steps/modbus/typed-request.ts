/**
 * Frames of Modbus RTU as a person types them: as bytes, or requests in the words in which they are shown
 * (`7 read 4 from 40001`, `12 write coil 11: on`). Addresses are those on the wire. Functions and limits: MODBUS Application Protocol
 * Specification V1.1b3, section 6.
 */
import type { RegisterTable } from '@wirebench/contract/decoders';
import { CRC, EXCEPTION, EXCEPTION_LENGTH, functions, hasOpenLength, LONGEST } from './modbus-shapes.ts';
import { MAX_UNIT, reads } from './register-tables.ts';

/** Unit, function and operands without the checksum, or why there are none. */
export type TypedRequest =
  | { readonly ok: true; readonly bytes: readonly number[] }
  | { readonly ok: false; readonly message: string };

/** Most values that one request writes (6.11 and 6.12). */
const MOST_WRITTEN = { coil: 1_968, holding: 123 } as const;
const MAX_ADDRESS = 0xffff;
const examples = '7 read 4 from 0, or 7 write 10: 250';

const refused = (message: string): TypedRequest => ({ ok: false, message });

/** Returns true for a text that begins like a request in words. Other texts are bytes. */
export function isInWords(text: string): boolean {
  return /^\s*(?:\d{1,3}\s+)?(?:read|write)\b/i.test(text);
}

/** Longest frame and an exception, without their checksum. */
const MAX_BODY = LONGEST - CRC;
const EXCEPTION_BODY = EXCEPTION_LENGTH - CRC;

/**
 * Says which length bytes without a checksum should have; null: their function may have theirs.
 *
 * @param body Unit, function and data: at least two bytes.
 */
export function bodyFault(body: Uint8Array): string | null {
  const { length } = body;
  const code = body[1] as number;
  if (code >= EXCEPTION) {
    const parts = `${EXCEPTION_BODY} bytes without its checksum: unit, function and code`;
    return length === EXCEPTION_BODY ? null : `An exception has ${parts}. These are ${length}.`;
  }
  const limit = `A Modbus frame has up to ${MAX_BODY} bytes without its checksum.`;
  const known = functions.get(code);
  if (known === undefined || hasOpenLength(body, length)) {
    return length <= MAX_BODY ? null : `${limit} These are ${length}.`;
  }
  const [request, answer] = [known.request, known.answer].map((of) => of(body, 0, length) - CRC) as [number, number];
  if (length === request || length === answer) {
    return length <= MAX_BODY ? null : `${limit} These are ${length}.`;
  }
  const parts = [
    ...(request === answer ? [] : [['A request', request] as const]),
    [request === answer ? 'A request or answer' : 'An answer', answer] as const,
  ].filter(([, wanted]) => wanted <= MAX_BODY);
  const [first, second] = parts.map(
    ([name, wanted]) => [name, wanted < 0 ? `more than ${length}` : `${wanted}`] as const,
  );
  if (first === undefined) {
    return `${limit} No frame of function ${code} begins like this.`;
  }
  const other = second === undefined ? '' : `, ${second[0].toLowerCase()} ${second[1]}`;
  return `${first[0]} of function ${code} that begins like this has ${first[1]} bytes without its checksum${other}. These are ${length}.`;
}

/** Parses a request in words. */
export function typedRequest(text: string): TypedRequest {
  const [, unitText, verb = '', tableText = 'holding', rest = ''] =
    /^\s*(?:(\d{1,3})\s+)?(read|write)\s+(?:(coil|discrete|input|holding)s?(?:\s+(?:registers?|inputs?))?\s+)?(.*?)\s*$/i.exec(
      text,
    ) ?? [];
  const isRead = verb.toLowerCase() === 'read';
  const table = tableText.toLowerCase() as RegisterTable;
  if (unitText === undefined) {
    return refused(`Begin with the number of the unit: ${examples}.`);
  }
  const unit = Number(unitText);
  if (unit > MAX_UNIT || (isRead && unit === 0)) {
    return refused(`A unit is a number from ${isRead ? '1' : '0, which is all of them,'} to ${MAX_UNIT}.`);
  }
  return isRead ? readIn(unit, table, rest) : writeIn(unit, table, rest);
}

const words = (...numbers: readonly number[]) => numbers.flatMap((number) => [(number >> 8) & 0xff, number & 0xff]);

/** `4 from 0`, `0–3`, `0-3` or `0`. */
function readIn(unit: number, table: RegisterTable, text: string): TypedRequest {
  const counted = /^(\d{1,5}) +from +(\d{1,5})$/i.exec(text);
  const range = /^(\d{1,5})(?: *[-–] *(\d{1,5}))?$/.exec(text);
  if (counted === null && range === null) {
    return refused(`Say how many from where: ${examples}.`);
  }
  const first = Number(counted?.[2] ?? range?.[1]);
  const count = counted === null ? Number(range?.[2] ?? first) - first + 1 : Number(counted[1]);
  const { code, most } = reads[table];
  if (count < 1 || count > most) {
    return refused(`One request reads 1 to ${most.toLocaleString('en')} values of this kind.`);
  }
  return first + count - 1 > MAX_ADDRESS ? outside : { ok: true, bytes: [unit, code, ...words(first, count)] };
}

const outside = refused(`Addresses are 0 to ${MAX_ADDRESS}.`);

/** `10: 250`, `10–11: 1, 2`, `11: on`, `8–11: 1011`. */
function writeIn(unit: number, table: RegisterTable, text: string): TypedRequest {
  if (table !== 'coil' && table !== 'holding') {
    return refused(`${table === 'input' ? 'Input registers' : 'Discrete inputs'} can only be read.`);
  }
  const [, firstText, lastText, valuesText = ''] = /^(\d{1,5})(?: *[-–] *(\d{1,5}))? *[:=] *(.+)$/.exec(text) ?? [];
  const values = table === 'coil' ? coilsIn(valuesText) : registersIn(valuesText);
  if (firstText === undefined || values === null) {
    const of = table === 'coil' ? 'on, off, or one digit 0 or 1 for each coil' : 'numbers from −32768 to 65535';
    return refused(`Say where and what: 7 write ${table === 'coil' ? 'coil 11: on' : '10: 250'}. Values are ${of}.`);
  }
  const first = Number(firstText);
  if (lastText !== undefined && Number(lastText) - first + 1 !== values.length) {
    return refused(`The addresses are ${Number(lastText) - first + 1}, the values ${values.length}.`);
  }
  if (values.length > MOST_WRITTEN[table]) {
    return refused(`One request writes at most ${MOST_WRITTEN[table].toLocaleString('en')} values of this kind.`);
  }
  if (first + values.length - 1 > MAX_ADDRESS) {
    return outside;
  }
  const [only = 0] = values;
  if (values.length === 1) {
    const single = table === 'coil' ? [5, ...words(first, only * 0xff00)] : [6, ...words(first, only)];
    return { ok: true, bytes: [unit, ...single] };
  }
  const data = table === 'coil' ? packed(values) : words(...values);
  const code = table === 'coil' ? 15 : 16;
  return { ok: true, bytes: [unit, code, ...words(first, values.length), data.length, ...data] };
}

function coilsIn(text: string): readonly number[] | null {
  const named = /^(?:(on)|off)$/i.exec(text);
  if (named !== null) {
    return [named[1] === undefined ? 0 : 1];
  }
  return /^[01]+$/.test(text) ? Array.from(text, Number) : null;
}

function registersIn(text: string): readonly number[] | null {
  const values = text.split(/\s*,\s*|\s+/).map((value) => (/^[-−]?\d{1,5}$/.test(value) ? signed(value) : Number.NaN));
  return values.every((value) => value >= -0x8000 && value <= 0xffff) ? values : null;
}

const signed = (text: string): number => Number(text.replace('−', '-'));

/** Eight coils a byte, the first one lowest. */
function packed(values: readonly number[]): number[] {
  const bytes = Array.from({ length: Math.ceil(values.length / 8) }, () => 0);
  for (const [index, value] of values.entries()) {
    bytes[index >> 3] = (bytes[index >> 3] as number) | (value << (index & 7));
  }
  return bytes;
}
