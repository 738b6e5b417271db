/** Finds core dumps of a session that show the same crash. */
import { clockTime } from '../../console/row-times.ts';
import type { ListedDump } from '../symbol-files.ts';
import type { Fingerprints } from './use-fingerprints.ts';

interface SameCrash {
  /** Number of this occurrence, from 1, and the total. */
  readonly number: number;
  readonly count: number;
  readonly first: ListedDump;
}

/**
 * Returns null for a crash that happened once, or whose functions are unknown.
 * @param dumps Newest first.
 */
export function sameCrash(
  dump: ListedDump,
  dumps: readonly ListedDump[],
  fingerprints: Fingerprints,
): SameCrash | null {
  const fingerprint = fingerprints.get(dump.id);
  const same = dumps.filter(({ id }) => fingerprint !== undefined && fingerprints.get(id) === fingerprint).toReversed();
  const [first] = same;
  return first === undefined || same.length < 2
    ? null
    : { number: same.findIndex(({ id }) => id === dump.id) + 1, count: same.length, first };
}

/** @param portName Port of the first occurrence. Null: its dump was dropped. */
export function sameCrashText({ number, count, first }: SameCrash, portName: string | null): string {
  const where = portName === null ? '' : ` on ${portName}`;
  return number === 1
    ? `The same crash happened ${count} times in this session; this is the first.`
    : `The same crash again: ${number} of ${count} in this session, first at ${clockTime(first.at)}${where}.`;
}
