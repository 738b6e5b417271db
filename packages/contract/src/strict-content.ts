/**
 * Parts of the schemas and checks of content that a stranger wrote: descriptions of chips and decoders. Unknown entries
 * are refused, so that a misspelled key is not silently ignored.
 */
import * as z from 'zod/mini';
import { jkitLimits, jkitText } from './jkit-rules.ts';
import { fieldsOf, parseJson } from './json.ts';
import { singleLineFault } from './single-line.ts';

/** Returns the schema of a text of one line, so that a reader sees all of it. */
export function text(maxLength: number) {
  return z.string('must be text').check(
    z.maxLength(maxLength, `cannot exceed ${maxLength} characters`),
    z.refine(
      (value) => value.isWellFormed() && singleLineFault(value, maxLength) === null,
      'contains invisible or control characters',
    ),
  );
}

/** Returns the schema of a text of one line that is not empty. */
export function named(maxLength: number) {
  return text(maxLength).check(
    z.refine((value) => value.trim() !== '' && value === value.trim(), 'must be text without spaces around it'),
  );
}

/**
 * Returns the schema of a whole number: a JSON number, or text such as `0x76`, which is easier to compare with a data
 * sheet.
 */
export function whole(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  const Hex = z.string(message).check(z.regex(/^0x[\dA-Fa-f]{1,8}$/, message));
  return z.pipe(
    z.pipe(
      z.union([z.number(message), Hex], message),
      z.transform((value) => Number(value)),
    ),
    z.int(message).check(z.minimum(minimum, message), z.maximum(maximum, message)),
  );
}

/** Returns the schema of an object with the entries of `shape`. It refuses any other entry. */
export function record<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownEntry(issue.keys) : 'must be an object'),
  });
}

/** Returns the schema of one of several words. A word that this version does not know is named in the sentence. */
export function choice<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: ({ input }) => choiceText(words, input) });
}

/** Returns the sentence about a value that is not in `words`. */
function choiceText(words: readonly string[], input: unknown): string {
  const known = words.join(', ');
  const isName = typeof input === 'string' && /^[\w-]{1,32}$/.test(input);
  return isName ? `cannot be ${input}: this version knows ${known}` : `must be one of ${known}`;
}

/** Names the unknown entry only if its key is a plausible name of at most 32 characters. */
function unknownEntry([key = '']: readonly string[]): string {
  return /^\w{1,32}$/.test(key) ? `has an unknown entry: ${key}` : 'has an unknown entry';
}

/** Returns the schema of a list of `least` to `most` entries. */
export function list<Item extends z.core.$ZodType>(item: Item, most: number, least = 0) {
  const message = least === 0 ? `must be a list of at most ${most}` : `must be a list of ${least} to ${most}`;
  return z.array(item, message).check(z.minLength(least, message), z.maxLength(most, message));
}

/**
 * Returns the schema of an object whose entries have any names. A part of its own: `z.record` would be in the download of
 * every page.
 */
export function entriesOf<Item extends z.core.$ZodType>(item: Item, message: string) {
  return checked<Readonly<Record<string, z.output<Item>>>, Readonly<Record<string, z.input<Item>>>>((value, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report([{ code: 'custom', message, input: value, path: [] }]);
      return {};
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => {
        const { data, error } = z.safeParse(item, entry);
        report((error?.issues ?? []).map((issue) => ({ ...issue, path: [key, ...issue.path] })));
        return [key, data as z.output<Item>];
      }),
    );
  });
}

/**
 * Returns the schema of an object whose entry `key` names one of `schemas`. A part of its own for the reason of
 * `entriesOf`.
 */
export function oneOf<const Schemas extends Readonly<Record<string, z.core.$ZodType>>>(key: string, schemas: Schemas) {
  type Schema = Schemas[keyof Schemas];
  return checked<z.output<Schema>, z.input<Schema>>((value, report) => {
    const name = fieldsOf(value)[key];
    const schema = typeof name === 'string' && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) {
      report([{ code: 'custom', message: choiceText(Object.keys(schemas), name), input: value, path: [key] }]);
      return z.NEVER;
    }
    const { data, error } = z.safeParse(schema, value);
    report(error?.issues ?? []);
    return data as z.output<Schema>;
  });
}

type Report = (issues: readonly z.core.$ZodIssue[]) => void;

function checked<Output, Input>(check: (value: unknown, report: Report) => Output): z.ZodMiniType<Output, Input> {
  const schema = z.pipe(
    z.unknown(),
    z.transform(
      (value, { issues }): Output =>
        check(value, (found) => {
          issues.push(...found.map((issue) => ({ ...issue, input: value }) as z.core.$ZodRawIssue));
        }),
    ),
  );
  return schema as z.ZodMiniType<Output, Input>;
}

export interface ContentLimits {
  /** Subject of the sentences: `description`. */
  readonly subject: string;
  /** Above every list limit. Entries of a longer list are not checked one by one. */
  readonly longestList: number;
  /** Above the number of lists and objects in any valid content. Each could be a fault. */
  readonly parts: number;
  /** Number of faults that are reported. */
  readonly faults: number;
  /** Name of a list → the word for one of its entries in a sentence. */
  readonly entryNames: ReadonlyMap<string, string>;
}

export type ContentCheck<Content> =
  | { readonly content: Content; readonly faults: readonly [] }
  /** The first faults, at least one, at most `ContentLimits.faults`, each a sentence. */
  | { readonly content: null; readonly faults: readonly string[] };

/**
 * Checks the text of a JKit's content with a schema and with the rules between its parts. Sizes are checked first, so
 * that a hostile text cannot cost much time. It never throws.
 *
 * @param faultsOf Yields the faults that the schema cannot find because they concern several parts.
 */
export function checkContent<Schema extends z.core.$ZodType>(
  content: string,
  schema: Schema,
  faultsOf: (content: z.output<Schema>) => Iterable<string>,
  limits: ContentLimits,
): ContentCheck<z.output<Schema>> {
  const refuse = (faults: readonly string[]) => ({ content: null, faults: faults.slice(0, limits.faults) });
  if (new TextEncoder().encode(content).length > jkitLimits.contentSize) {
    return refuse([jkitText.tooLarge]);
  }
  const parsed = parseJson(content);
  if (parsed === undefined) {
    return refuse([jkitText.invalid]);
  }
  const size = sizeFault(parsed, limits);
  if (size !== null) {
    return refuse([size]);
  }
  const { data, error } = z.safeParse(schema, parsed);
  if (error !== undefined) {
    return refuse(error.issues.slice(0, limits.faults).map((issue) => sentenceOf(issue, limits)));
  }
  const faults = [...faultsOf(data)];
  return faults.length === 0 ? { content: data, faults: [] } : refuse(faults);
}

/**
 * Returns the fault of a text with too many parts for the schema to check; null for a text that may be checked. Not
 * recursive, because a text of 64 KiB may nest 32,000 lists.
 */
function sizeFault(root: unknown, { subject, longestList, parts: maxParts }: ContentLimits): string | null {
  const waiting = [root];
  let count = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'object' && value !== null) {
      const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      count++;
      if (parts.length > longestList) {
        return `A list has more than ${longestList} entries`;
      }
      if (count > maxParts && !Array.isArray(root)) {
        return `The ${subject} must be smaller: it has more than ${maxParts} lists and objects`;
      }
      waiting.push(...parts);
    }
  }
  return null;
}

/** Returns the issue as a sentence: `Register 3, field 1, high must be …` */
function sentenceOf({ path, message }: z.core.$ZodIssue, { subject, entryNames }: ContentLimits): string {
  const parts: string[] = [];
  for (const key of path) {
    const last = parts.at(-1) ?? '';
    if (typeof key === 'number') {
      parts[Math.max(0, parts.length - 1)] = `${entryNames.get(last) ?? last} ${key + 1}`;
    } else {
      parts.push(String(key));
    }
  }
  return parts.length === 0 ? `The ${subject} ${message}` : `${capital(parts.join(', '))} ${message}`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
