/**
 * Reads facts about a board that arrive without a checksum, such as register words, so that a damaged byte does not
 * become a fact.
 */
import { readAgreed } from '../../core/retry.ts';
import { EspError } from '../esp-failure.ts';

/**
 * Reads plain data until two readings in a row agree.
 *
 * @param what Completes "No two answers agree about: …".
 * @param first An earlier reading, which counts as the first one.
 * @throws EspError `stopped-answering` if no two readings agree.
 * @throws the rejection of `read`.
 */
export async function readSurely<Result>(
  what: string,
  read: () => Promise<Result>,
  first?: { readonly reading: Result },
): Promise<Result> {
  let known = first;
  const next = async () => {
    const reading = known === undefined ? await read() : known.reading;
    known = undefined;
    return reading;
  };
  const agreed = await readAgreed(next, (one, other) => JSON.stringify(one) === JSON.stringify(other));
  if (agreed === null) {
    throw new EspError('stopped-answering', { detail: `No two answers agree about: ${what}.` });
  }
  return agreed.reading;
}
