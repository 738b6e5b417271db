/**
 * Comparisons over the fields of frames, in Find, rules and the shell: `modbus.unit:7`, `nmea.sat<4`, `speed > 1400`,
 * `status:running`, `name="left motor"`. Words without an operator stay text.
 */

/** `:` is equal or contains, `=` is equal. */
export type Operator = ':' | '=' | '!=' | '<' | '<=' | '>' | '>=';

export interface Comparison {
  /** Name as written: `modbus.unit`, `speed`, `svs.cno` (any of its elements). */
  readonly name: string;
  readonly operator: Operator;
  readonly value: number | bigint | string;
  /** Words of the query that it was made of. */
  readonly text: string;
}

export interface FrameQuery {
  /** All of them must hold. */
  readonly comparisons: readonly Comparison[];
  /** Rest of the query. */
  readonly text: string;
}

/** A colon takes no spaces: `Error: 5` is text. */
const pattern = /(?<![\w.])([A-Za-z_][\w.]*)(?:(:)(?=\S)|\s*(!=|<=|>=|<|>|=)\s*)("[^"]*"|[^\s"]+)(?=\s|$)/g;

const numberPattern = /^[+-]?(?:0x[\da-f]+|\d+\.?\d*(?:e[+-]?\d{1,3})?|\.\d+(?:e[+-]?\d{1,3})?)$/i;

/** Returns the number that a text is; undefined for other texts. Integers beyond 2⁵³ are bigint. */
export function parseNumber(text: string): number | bigint | undefined {
  if (!numberPattern.test(text)) {
    return undefined;
  }
  if (/^[+-]?(0x[\da-f]+|\d+)$/i.test(text)) {
    const magnitude = BigInt(text.replace(/^[+-]/, ''));
    const whole = text.startsWith('-') ? -magnitude : magnitude;
    return BigInt(Number(whole)) === whole && Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  return Number(text);
}

/**
 * Takes the comparisons out of a query.
 *
 * @param isField Returns true for the name of a field, with its decoder or without. A word about any other name stays
 *   text, so that `http://…` and `key=value` are found in logs without frames.
 */
export function parseQuery(query: string, isField: (name: string) => boolean): FrameQuery {
  const comparisons: Comparison[] = [];
  const text = query.replaceAll(
    pattern,
    (all, name: string, colon: string | undefined, other: string | undefined, value: string) => {
      const operator = (colon ?? other) as Operator;
      const isQuoted = value.startsWith('"');
      const number = isQuoted ? undefined : parseNumber(value);
      const needsNumber = operator.startsWith('<') || operator.startsWith('>');
      if ((needsNumber && number === undefined) || !isField(name)) {
        return all;
      }
      comparisons.push({ name, operator, value: number ?? (isQuoted ? value.slice(1, -1) : value), text: all });
      return '';
    },
  );
  const rest = comparisons.length === 0 ? query : text.replaceAll(/\s+/g, ' ').trim();
  return { comparisons, text: rest };
}
