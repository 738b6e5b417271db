/**
 * Collects the findings of a plan's checks and turns their codes into sentences. Each family has its own codes and
 * sentences.
 */
import type { FailureText } from './flash-failure.ts';
import type { RefusalFinding, WarningFinding } from './flash-plan.ts';

/** Values for the sentences. Each sentence uses those that it needs. */
export interface FindingDetail {
  readonly files?: readonly string[];
  /** Part of the file that is concerned, in words, if the file holds several: `app`. */
  readonly inside?: string;
  /** Property that the file or the release states or requires, in words. */
  readonly wanted?: string;
  /** The board's actual property, in words. */
  readonly found?: string;
  /** Address, as text. */
  readonly at?: string;
  readonly partitions?: readonly string[];
  /** Lost contents, in words for everyone: `Files that the old program stored, 128 KB,`. */
  readonly lost?: string;
}

export type FindingText = (detail: FindingDetail) => FailureText & Pick<WarningFinding<string>, 'plain'>;

/** Settings that a board has stored, before a release is written. */
export interface StoredSettings {
  /** Number of stored values; null if they were not counted. */
  readonly values: number | null;
  /** False: the new program looks for its settings elsewhere, so that these are lost. */
  readonly canBeKept: boolean;
}

interface KeepAnswer {
  readonly label: string;
  /** Further words, in a few letters; empty without any. */
  readonly note: string;
}

export interface KeepQuestion {
  readonly text: string;
  readonly keep: KeepAnswer;
  readonly erase: KeepAnswer;
}

/**
 * Returns the question before a release is written, with its answers. The flasher and the dialog of the button ask it.
 *
 * @param stored Missing: it is not known what the board has stored. Null: it has stored nothing, so nothing is asked.
 */
export function keepQuestion(stored?: StoredSettings | null): KeepQuestion | null {
  if (stored === null) {
    return null;
  }
  const { values = null, canBeKept = true } = stored ?? {};
  const count = values === null ? '' : values === 1 ? '1 value' : `${values} values`;
  return {
    text: 'Stored Wi-Fi and settings',
    keep: canBeKept
      ? { label: 'Keep its Wi-Fi and settings', note: count }
      : { label: `Its ${count || 'settings'} cannot be kept: the new program stores them elsewhere.`, note: '' },
    erase: { label: 'Erase everything first', note: 'as new' },
  };
}

/**
 * Returns a warning in the words for a person who only installs a release, and the sentence with names and addresses
 * that a fold shows. Null: there is nothing more to show.
 */
export function plainWarning({
  what,
  remedy,
  plain,
}: Pick<WarningFinding<string>, 'what' | 'remedy' | 'plain'>): FailureText & { readonly details: string | null } {
  if (plain !== undefined) {
    return { what: plain, remedy: '', details: `${what} ${remedy}`.trim() };
  }
  return /0x[\dA-F]/i.test(what)
    ? {
        what: 'Something about this write is unusual.',
        remedy: 'Ask the publisher of the release if the board does not start afterwards.',
        details: `${what} ${remedy}`.trim(),
      }
    : { what, remedy, details: null };
}

/** Remedy of each refusal that says that firmware and board do not belong together. */
export const anotherFirmware = 'Choose other firmware, or connect the board that it is for.';

/** Refuses a board with less flash than the release requires. */
const flashGuardText: FindingText = ({ wanted, found }) => ({
  what: `This firmware is meant for boards with at least ${wanted} of flash. This board has ${found}.`,
  remedy: anotherFirmware,
});

/** Sentences that several families have. */
export const refusalText = {
  'nothing-to-write': () => ({ what: 'There is no file to write.', remedy: 'Add a file.' }),
  'file-empty': ({ files }) => ({ what: `${quoted(files)} is empty.`, remedy: 'Build it again, or get a fresh copy.' }),
  'not-firmware': ({ files, wanted, found = '' }) => ({
    what: `${quoted(files)} is ${wanted}, not firmware.`,
    remedy: found,
  }),
  'unknown-part': ({ found }) => ({
    what: `This board has ${found}. Its flash layout is unknown here.`,
    remedy: 'Write it with a program that supports this part.',
  }),
  'guard-model': ({ wanted, found }) => ({
    what: `This firmware is meant for ${wanted}. This board has ${found}.`,
    remedy: anotherFirmware,
  }),
  'guard-flash': flashGuardText,
} satisfies Readonly<Record<string, FindingText>>;

/** Sentences of files at the same addresses. */
export const overlapText =
  (remedy: string): FindingText =>
  ({ files, at }) => ({ what: `${quoted(files)} overlap at ${at}.`, remedy });

/** Refuses demo firmware on a real board. @param thing Word for what would run it: `chip`. */
export const demoFirmwareText =
  (thing: 'chip' | 'part' | 'board'): FindingText =>
  ({ files }) => {
    const [are, they] = files?.length === 1 ? ['is', 'it'] : ['are', 'they'];
    return {
      what: `${quoted(files)} ${are} for the demo board only: on a real ${thing} ${they} would do nothing.`,
      remedy: 'Choose the demo board, or firmware for this board.',
    };
  };

export interface FindingTexts<Refusal extends string, Warning extends string> {
  readonly refusals: Readonly<Record<Refusal, FindingText>>;
  readonly warnings: Readonly<Record<Warning, FindingText>>;
  readonly overridable: readonly Refusal[];
}

export class Findings<Refusal extends string, Warning extends string> {
  readonly refusals: RefusalFinding<Refusal>[] = [];
  readonly warnings: WarningFinding<Warning>[] = [];
  readonly #texts: FindingTexts<Refusal, Warning>;

  constructor(texts: FindingTexts<Refusal, Warning>) {
    this.#texts = texts;
  }

  /** @param final True: this refusal cannot be overridden, even if its code usually can. */
  refuse(code: Refusal, detail: FindingDetail = {}, final = false): void {
    const { refusals, overridable } = this.#texts;
    this.refusals.push({
      code,
      files: detail.files ?? [],
      overridable: !final && overridable.includes(code),
      ...refusals[code](detail),
    });
  }

  warn(code: Warning, detail: FindingDetail = {}): void {
    this.warnings.push({ code, files: detail.files ?? [], ...this.#texts.warnings[code](detail) });
  }

  /**
   * Returns the findings as a plan holds them.
   *
   * @param overrides Codes that a person has overridden. Only overridable refusals are affected.
   */
  outcome(overrides: readonly Refusal[]) {
    const isOverridden = ({ code, overridable }: RefusalFinding<Refusal>) => overridable && overrides.includes(code);
    return {
      refusals: this.refusals.filter((refusal) => !isOverridden(refusal)),
      overridden: this.refusals.filter(isOverridden),
      warnings: this.warnings,
    };
  }
}

/** Names what is concerned: `"app.bin"`, or `The app in "all.bin"`. */
export function subject({ files, inside }: FindingDetail): string {
  return inside === undefined ? quoted(files) : `The ${inside} in ${quoted(files)}`;
}

/** Quotes names as a list: `"a.bin"`, `"a.bin" and "b.bin"`, `"a.bin", "b.bin" and "c.bin"`. */
export function quoted(names: readonly string[] = []): string {
  const all = names.map((name) => `"${name}"`);
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
