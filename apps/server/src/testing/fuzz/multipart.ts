/** Multipart bodies for fuzzing (RFC 7578): fields and files in any order, with unusual names and sizes. */
import fc from 'fast-check';
import type { JsonSchema } from '../api-document.ts';
import { allowedValue, type Hints, nastyText, resolved, type Schemas } from './values.ts';

export interface MultipartPart {
  readonly name: string;
  /** Undefined for a field. */
  readonly fileName?: string | undefined;
  readonly value: unknown;
}

const BOUNDARY = 'boundary-of-the-fuzzer';

/** Generates the parts of a valid form that `schema` describes. JSON lists are as long as the number of files. */
export function rightParts(schema: JsonSchema, schemas: Schemas, hints: Hints): fc.Arbitrary<readonly MultipartPart[]> {
  const { properties = {} } = resolved(schema, schemas) as { properties?: Schemas };
  const parts = Object.entries(properties).map(([name, property]) =>
    isFile(property)
      ? 'items' in property
        ? fc.array(filePart(name, rightFileName), { minLength: 1, maxLength: 3 })
        : fc.array(elfPart(name), { maxLength: 1 })
      : allowedValue(property, schemas, hints, name).map((value) => [{ name, value }]),
  );
  return fc.tuple(...parts).map((groups): readonly MultipartPart[] => {
    const all: readonly MultipartPart[] = groups.flat();
    const files = all.filter(({ fileName, value }) => fileName !== undefined && value !== ELF).length;
    return all.map((part) => (isList(part.value) ? { ...part, value: shortened(part.value, files) } : part));
  });
}

function isList(value: unknown): value is string {
  return typeof value === 'string' && /^\[.*\]$/.test(value);
}

function shortened(list: string, length: number): string {
  return JSON.stringify((JSON.parse(list) as unknown[]).slice(0, length));
}

/** Generates parts in any order, valid or invalid. */
export function anyParts(schema: JsonSchema, schemas: Schemas, hints: Hints): fc.Arbitrary<readonly MultipartPart[]> {
  const { properties = {} } = resolved(schema, schemas) as { properties?: Schemas };
  const names = Object.entries(properties);
  const fields = names.filter(([, property]) => !isFile(property)).map(([name]) => name);
  const files = names.filter(([, property]) => isFile(property)).map(([name]) => name);
  const strange = fc.oneof(
    fc.record({ name: fc.constantFrom('', ...fields), value: nastyText }),
    filePart(files[0] ?? '', fc.oneof(nastyText, wrongFileName)),
    fc.record({ name: nastyText, fileName: fc.option(nastyText, { nil: undefined }), value: nastyText }),
  );
  const more = fc.array(strange, { maxLength: 3 });
  return fc
    .tuple(rightParts(schema, schemas, hints), more, fc.boolean(), fc.nat(12))
    .map(([right, added, reversed, left]) => {
      const parts = [...right, ...added].filter((_part, index) => index !== left);
      return reversed ? parts.reverse() : parts;
    });
}

/** The first bytes of a program for an Xtensa chip (System V ABI, "ELF Header"), which are all ASCII. */
const ELF = `\x7fELF\x01\x01\x01${'\0'.repeat(9)}\x02\0\x5e\0and so on`;

function elfPart(name: string): fc.Arbitrary<MultipartPart> {
  return fc.constant({ name, fileName: 'app.elf', value: ELF });
}

const rightFileName = fc.constantFrom('app.bin', 'bootloader.bin', 'Ünïcode 👩‍🔧.bin');
const wrongFileName = fc.constantFrom('app.exe', '../up.bin', '.bin', 'a/b.bin', 'a"b.bin', 'UP.BIN');

function isFile(schema: JsonSchema): boolean {
  const { items } = schema as { items?: JsonSchema };
  return 'contentMediaType' in schema || schema['format'] === 'binary' || (items !== undefined && isFile(items));
}

function filePart(name: string, fileName: fc.Arbitrary<string>): fc.Arbitrary<MultipartPart> {
  const value = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 600 });
  return fc.record({ name: fc.constant(name), fileName, value });
}

/**
 * Encodes the parts.
 *
 * @param whole False: the end is missing, as in an aborted upload.
 */
export function multipartBody(parts: readonly MultipartPart[], whole: boolean): { payload: Buffer; type: string } {
  const text = parts
    .map(({ name, fileName, value }) => {
      const file =
        fileName === undefined ? '' : `; filename="${quoted(fileName)}"\r\ncontent-type: application/octet-stream`;
      const content = typeof value === 'string' ? value : JSON.stringify(value);
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n${content}\r\n`;
    })
    .join('');
  const payload = Buffer.from(`${text}--${BOUNDARY}--\r\n`.toWellFormed());
  return {
    payload: whole ? payload : payload.subarray(0, Math.floor(payload.length * 0.8)),
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  };
}

/** Encodes a name like browsers: quotes and line ends percent-encoded (HTML, multipart form data). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
