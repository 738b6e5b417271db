/** Collects what the checks of a plan find, and turns codes into sentences. The codes and sentences are the family's own. */
import type { FailureText } from './flash-failure.ts';
import type { RefusalFinding, WarningFinding } from './flash-plan.ts';

/** What the sentences are made of. Each uses what it needs. */
export interface FindingDetail {
  /** Names of files. */
  readonly files?: readonly string[];
  /** What the file or the release says or asks for, in words. */
  readonly wanted?: string;
  /** What the board is or has, in words. */
  readonly found?: string;
  /** Address, in words. */
  readonly at?: string;
  /** Names of partitions. */
  readonly partitions?: readonly string[];
}

export type FindingText = (detail: FindingDetail) => FailureText;

export interface FindingTexts<Refusal extends string, Warning extends string> {
  readonly refusals: Readonly<Record<Refusal, FindingText>>;
  readonly warnings: Readonly<Record<Warning, FindingText>>;
  /** Refusals that a person may override. */
  readonly overridable: readonly Refusal[];
}

export class Findings<Refusal extends string, Warning extends string> {
  readonly refusals: RefusalFinding<Refusal>[] = [];
  readonly warnings: WarningFinding<Warning>[] = [];
  readonly #texts: FindingTexts<Refusal, Warning>;

  constructor(texts: FindingTexts<Refusal, Warning>) {
    this.#texts = texts;
  }

  /** @param final a refusal that is certain, though its kind may usually be overridden. */
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

  /** The findings as a plan has them. @param overrides refusals that a person has overridden, where that may be done. */
  outcome(overrides: readonly Refusal[]) {
    const isOverridden = ({ code, overridable }: RefusalFinding<Refusal>) => overridable && overrides.includes(code);
    return {
      refusals: this.refusals.filter((refusal) => !isOverridden(refusal)),
      overridden: this.refusals.filter(isOverridden),
      warnings: this.warnings,
    };
  }
}

/** `"a.bin"`, `"a.bin" and "b.bin"`, `"a.bin", "b.bin" and "c.bin"`. */
export function quoted(names: readonly string[] = []): string {
  const all = names.map((name) => `"${name}"`);
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
