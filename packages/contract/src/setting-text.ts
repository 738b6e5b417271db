/**
 * Text of a setting, as a variable of the environment, a value of the command line or a file of a secret gives it.
 * Shells, systemd, compose files' `env_file` and `.env` remove quotation marks; `docker run --env-file`,
 * `podman run --env-file` and lists of variables in compose files keep them.
 */

export interface SettingText {
  /** The text without white space, control and invisible characters at its ends. */
  readonly value: string;
  /** Sentence for the operator, without the value; null for a usable text. */
  readonly fault: string | null;
}

/** Quotation marks by kind: typed ones, and those by which word processors replace them. */
const kinds = ['"“”„‟«»＂', "'‘’‚‛‹›＇", '`'] as const;

const OUTER = /^[\p{Z}\p{Cc}\p{Cf}]+|[\p{Z}\p{Cc}\p{Cf}]+$/gu;

/** Returns a text without white space, control and invisible characters at its ends. */
export function withoutOuterSpace(text: string): string {
  return text.replace(OUTER, '');
}

/**
 * Reads a setting. Marks around a value are a fault. A mark at one end is a fault too, except in a confidential value:
 * a password may have one.
 *
 * @param name Variable or option, for the sentence.
 */
export function readSetting(name: string, text: string, { isSecret = false } = {}): SettingText {
  const value = withoutOuterSpace(text);
  const [start, end] = [kindOf(value[0]), kindOf(value.at(-1))];
  if (start === null && end === null) {
    return { value, fault: null };
  }
  if (start === end && value.length > 1) {
    return {
      value,
      fault: `${name} has quotation marks around its value. They are part of it: docker run --env-file, for example, keeps them. Remove the marks.`,
    };
  }
  return {
    value,
    fault: isSecret
      ? null
      : `${name} has a quotation mark at the ${start === null ? 'end' : 'start'} of its value, and none at the other. Remove the mark.`,
  };
}

/** Returns true if a text contains a quotation mark, also a typographic one. */
export function hasQuotationMark(text: string): boolean {
  return [...text].some((character) => kindOf(character) !== null);
}

function kindOf(character: string | undefined): string | null {
  return kinds.find((kind) => character !== undefined && kind.includes(character)) ?? null;
}
