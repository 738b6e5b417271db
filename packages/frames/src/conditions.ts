/** Conditions of messages, fields and lists on values of a frame. */
import type { DecoderCondition } from '@wirebench/contract/decoders';

type Raws = ReadonlyMap<string, number | bigint | string>;

/** Returns the raw value of a field: of the same element of a list, else of the frame. */
export function rawIn(raws: Raws, prefix: string, name: string): number | bigint | string | undefined {
  return (prefix === '' ? undefined : raws.get(prefix + name)) ?? raws.get(name);
}

/**
 * Returns what tests conditions, all of which must hold.
 *
 * @param own Name that stands for the element of a list which is given to the test.
 */
export function conditionTest(
  list: readonly DecoderCondition[],
  own?: string,
): (raws: Raws, prefix: string, element?: string) => boolean {
  const tests = list.map(({ field, is, from, to }) => {
    const values = is === undefined ? null : new Set([is].flat().map(String));
    return (raws: Raws, prefix: string, element?: string) => {
      const raw = rawIn(raws, prefix, element !== undefined && field === own ? element : field);
      return (
        raw !== undefined &&
        (values?.has(String(raw)) ?? true) &&
        (from === undefined || Number(raw) >= from) &&
        (to === undefined || Number(raw) <= to)
      );
    };
  });
  return (raws, prefix, element) => tests.every((test) => test(raws, prefix, element));
}
