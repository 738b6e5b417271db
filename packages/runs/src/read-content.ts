/**
 * Reads a JKit's content: JSON text with `fields`, `rules` and `settings`. Unknown keys are kept, so that loading and
 * saving loses nothing.
 */
import { jkitLimits } from '@wirebench/contract';
import { fieldsOf, isRecord, parseJson } from '@wirebench/contract/json';
import { type LineEnding, maxInputLength, type Rule, readRule, ruleLimits, writeRule } from '@wirebench/serial';
import { type PinnedMessage, readEntry } from './pinned-message.ts';
import { newId, type UnknownKeys, without } from './stored-fields.ts';

/** Line ending of a JKit as it is stored. */
export interface StoredEnding {
  /** True: CRLF. False: LF. */
  readonly lineEnding: boolean;
  /** An ending that `lineEnding` cannot express. Null: `lineEnding` applies. */
  readonly ending: 'none' | 'cr' | null;
}

/** Returns the line ending sent after each text. */
export function endingOf({ lineEnding, ending }: StoredEnding): LineEnding {
  return ending ?? (lineEnding ? 'crlf' : 'lf');
}

/** Unknown fields of a JKit's content, besides messages, rules and line ending. */
export interface JkitKept {
  readonly content: UnknownKeys;
  readonly settings: UnknownKeys;
}

interface JkitParts extends StoredEnding {
  readonly messages: readonly PinnedMessage[];
  /** Null: the JKit says nothing about rules. */
  readonly rules: readonly Rule[] | null;
  readonly kept: JkitKept;
  /** Sentences about what could not be read. */
  readonly warnings: readonly string[];
}

export type ContentRead =
  | { readonly ok: true; readonly parts: JkitParts }
  | { readonly ok: false; readonly code: 'jkit-format' | 'jkit-without-fields' };

/** Reads the content of a JKit. Duplicate messages are kept. */
export function readContent(text: string): ContentRead {
  const content = parseJson(text);
  if (!isRecord(content)) {
    return { ok: false, code: 'jkit-format' };
  }
  const { fields } = content;
  if (!Array.isArray(fields)) {
    return { ok: false, code: 'jkit-without-fields' };
  }
  const read = fields.map((entry: unknown) => readEntry(entry, newId())).filter((entry) => entry !== null);
  const loaded = read.slice(0, jkitLimits.messages);
  const settings = fieldsOf(content['settings']);
  const { lineEnding, ending } = settings;
  const rules = readRules(content['rules']);
  const knownEnding = ending === 'none' || ending === 'cr' ? ending : null;
  return {
    ok: true,
    parts: {
      messages: loaded.map(({ message }) => message),
      rules: 'rules' in content ? rules.read : null,
      lineEnding: lineEnding === true,
      ending: knownEnding,
      kept: {
        content: {
          ...without(content, 'fields', 'settings', 'rules'),
          ...(rules.unread !== undefined && { rules: rules.unread }),
        },
        settings: without(settings, 'lineEnding', ...(knownEnding === null ? [] : ['ending'])),
      },
      warnings: [
        ...warned(loaded.filter(({ cut }) => cut).length, jkitWarning.cut),
        ...(read.length > jkitLimits.messages ? [jkitWarning.tooMany(read.length)] : []),
        ...warned(fields.length - read.length, jkitWarning.unreadable),
        ...rules.faults,
      ],
    },
  };
}

const warned = (count: number, words: (count: number) => string): string[] => (count === 0 ? [] : [words(count)]);

/** Warnings about data that was lost when a JKit was read. */
const jkitWarning = {
  cut: (count: number) =>
    count === 1
      ? `One message was longer than ${maxInputLength} characters and was truncated.`
      : `${count} messages were longer than ${maxInputLength} characters and were truncated.`,
  tooMany: (count: number) => `This JKit has ${count} messages. Only the first ${jkitLimits.messages} were loaded.`,
  unreadable: (count: number) =>
    count === 1
      ? 'One entry of this JKit is not a message and was left out.'
      : `${count} entries of this JKit are not messages and were left out.`,
};

interface ReadRules {
  readonly read: readonly Rule[];
  /** Unreadable entries, or a value that is no list. Saving writes it back. Undefined: nothing. */
  readonly unread: unknown;
  /** One sentence for each entry that could not be read. */
  readonly faults: readonly string[];
}

/** Reads the rules of a JKit or a file. None of them may act until a person allows it. */
export function readRules(value: unknown): ReadRules {
  if (!Array.isArray(value)) {
    return { read: [], unread: value, faults: [] };
  }
  const read: Rule[] = [];
  const unread: unknown[] = [];
  const faults: string[] = [];
  for (const entry of value as readonly unknown[]) {
    const result = readRule(entry);
    if (result.ok && read.length < ruleLimits.rules) {
      read.push({ ...result.rule, id: newId() });
    } else {
      unread.push(entry);
      faults.push(result.ok ? tooManyText : `A rule was left out: ${result.message}`);
    }
  }
  return { read, unread: unread.length > 0 ? unread : undefined, faults: [...new Set(faults)] };
}

const tooManyText = `A panel has at most ${ruleLimits.rules} rules. The others were left out.`;

/** Returns the field of a JKit or a file with these rules, followed by entries that could not be read. */
export function writeRules(rules: readonly Rule[], unread?: unknown): { readonly rules?: unknown } {
  const kept: readonly unknown[] = Array.isArray(unread) ? unread : [];
  return rules.length === 0 ? {} : { rules: [...rules.map(writeRule), ...kept] };
}
