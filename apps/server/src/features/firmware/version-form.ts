/** The form of a new version as a stream of parts. Knows neither rules nor files, only what a well-formed one looks like. */
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { NewVersion } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';

/** Other files are read to nowhere. */
const fileFields: ReadonlySet<string> = new Set(['files', 'elf']);

export type Fields = Record<string, unknown>;

/** Hands each uploaded file to `onFile` in its order and collects the fields. Throws a 400 when the form breaks off. */
export async function readForm(
  parts: AsyncIterable<Multipart>,
  fields: Fields,
  onFile: (part: MultipartFile) => Promise<void>,
): Promise<void> {
  for await (const part of reading(parts)) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value;
    } else if (fileFields.has(part.fieldname)) {
      await onFile(part);
    } else {
      part.file.resume();
    }
  }
}

/**
 * Passes `source` on.
 *
 * @throws ApiError with which the request was refused while it arrived, or a 400 for what the parser says and for a sudden end.
 */
export async function* reading<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await iterator.next().catch((cause: unknown) => {
        throw cause instanceof ApiError
          ? cause
          : new ApiError('invalid-request', { message: 'The form is incomplete', cause });
      });
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** The fields as a version. Throws a 400 with the first thing that is wrong. */
export function readVersion(fields: Fields): NewVersion {
  const result = NewVersion.safeParse({
    ...fields,
    offsets: fields['offsets'] === undefined ? [] : json(fields['offsets']),
    console: json(fields['console'] ?? null),
    acceptDamaged: json(fields['acceptDamaged'] ?? []),
    replaceOldest: json(fields['replaceOldest'] ?? false),
  });
  if (!result.success) {
    const issues = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    throw new ApiError('invalid-request', { issues, message: issues[0]?.message ?? 'The form is not valid' });
  }
  return result.data;
}

/** What a field carries that stands for JSON; the text itself when it is none, for the schema to refuse. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return value;
    }
    throw error;
  }
}
