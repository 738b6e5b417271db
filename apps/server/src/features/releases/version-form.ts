/** Reads the form of a new version as a stream of parts, and checks that it is well-formed. */
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { NewVersion } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';

/** Fields with files. Files of other fields are read and discarded. */
const fileFields: ReadonlySet<string> = new Set(['files', 'elf']);

export type Fields = Record<string, unknown>;

/**
 * Passes each uploaded file to `onFile` in order and collects the fields.
 *
 * @throws ApiError 400 if the form ends early.
 */
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
 * Passes the items of `source` on.
 *
 * @throws ApiError with which the request was refused while it arrived, or 400 for an error of the parser or a sudden
 *   end.
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

/** Returns true if the fields read so far describe builds. An empty field counts as missing. */
export function hasBuilds({ builds }: Fields): boolean {
  return builds !== undefined && builds !== '';
}

/**
 * Parses the fields as a version.
 *
 * @throws ApiError 400 with the first fault.
 */
export function readVersion(fields: Fields): NewVersion {
  const result = NewVersion.safeParse({
    ...fields,
    offsets: fields['offsets'] === undefined ? [] : json(fields['offsets']),
    ...(hasBuilds(fields) ? { builds: json(fields['builds']) } : {}),
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

/** Parses a field with JSON. Returns the text itself if it is invalid, so that the schema refuses it. */
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
