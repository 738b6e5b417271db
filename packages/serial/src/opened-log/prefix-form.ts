/**
 * Prefix of a fixed length, read from bytes. It gives the same times as the expression of its program, which costs several
 * times as much for each line.
 */
import type { LogClock } from './log-clock.ts';

/** Fields of a pattern by their letters: year, month, day, hour, minute, second and milliseconds. */
const FIELDS = 'YMDhmsf';
/** Codes of fields come after those of literal bytes. */
const FIRST_FIELD = 0x100;
const ZERO = 0x30;

export class PrefixForm {
  readonly length: number;
  readonly direction: 'received' | 'sent';
  /** Literal bytes, or `FIRST_FIELD` plus the index of the field whose digit is there. */
  readonly #codes: readonly number[];
  readonly #time: 'dated' | 'timeOfDay' | 'sincePrevious';
  readonly #fields = new Int32Array(FIELDS.length);

  /**
   * @param pattern A letter of `FIELDS` for each digit, as in `[hh:mm:ss.fff] `. Other characters are ASCII and themselves.
   * @param time `dated`: the pattern has all fields of a date.
   */
  constructor(
    pattern: string,
    time: 'dated' | 'timeOfDay' | 'sincePrevious',
    direction: 'received' | 'sent' = 'received',
  ) {
    this.length = pattern.length;
    this.direction = direction;
    this.#time = time;
    this.#codes = Array.from(pattern, (letter) => {
      const field = FIELDS.indexOf(letter);
      return field === -1 ? letter.charCodeAt(0) : FIRST_FIELD + field;
    });
  }

  /**
   * Returns the time of a prefix that begins at `start`, in milliseconds since the Unix epoch. Null without one; the clock
   * then stays as it is.
   */
  timeAt(text: Uint8Array, start: number, clock: LogClock): number | null {
    const { length } = this;
    const codes = this.#codes;
    const fields = this.#fields;
    fields.fill(0);
    for (let at = 0; at < length; at++) {
      // Behind the text there is no digit and no literal byte.
      const byte = text[start + at] ?? 0;
      const code = codes[at] as number;
      if (code < FIRST_FIELD) {
        if (byte !== code) {
          return null;
        }
        continue;
      }
      const digit = byte - ZERO;
      if (digit < 0 || digit > 9) {
        return null;
      }
      const field = code - FIRST_FIELD;
      fields[field] = (fields[field] as number) * 10 + digit;
    }
    const [year = 0, month = 0, day = 0, hour = 0] = fields;
    const within = (fields[4] as number) * 60_000 + (fields[5] as number) * 1_000 + (fields[6] as number);
    return this.#time === 'dated'
      ? clock.dated(year, month, day, hour, within)
      : clock[this.#time](hour * 3_600_000 + within);
  }
}
