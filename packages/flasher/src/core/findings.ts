/**
 * Collects the findings of a plan's checks and turns their codes into sentences. Each family has its own codes and
 * sentences.
 */
import type { FailureText } from './flash-failure.ts';
import type { RefusalFinding, WarningFinding } from './flash-plan.ts';

/** Values for the sentences. Each sentence uses those that it needs. */
export interface FindingDetail {
  readonly files?: readonly string[];
  /** Property that the file or the release states or requires, in words. */
  readonly wanted?: string;
  /** The board's actual property, in words. */
  readonly found?: string;
  /** Address, as text. */
  readonly at?: string;
  readonly partitions?: readonly string[];
}

export type FindingText = (detail: FindingDetail) => FailureText;

/** Remedy of each refusal that says that firmware and board do not belong together. */
export const anotherFirmware = 'Choose other firmware, or connect the board that it is for.';

/** Refuses a board with less flash than the release requires. */
export const flashGuardText: FindingText = ({ wanted, found }) => ({
  what: `This firmware is meant for boards with at least ${wanted} of flash. This board has ${found}.`,
  remedy: anotherFirmware,
});

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

/** Quotes names as a list: `"a.bin"`, `"a.bin" and "b.bin"`, `"a.bin", "b.bin" and "c.bin"`. */
export function quoted(names: readonly string[] = []): string {
  const all = names.map((name) => `"${name}"`);
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
