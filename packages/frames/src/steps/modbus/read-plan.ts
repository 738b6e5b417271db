/** Requests that read registers: one for neighbours, within the limits of the protocol. Nothing else is asked. */
import type { RegisterTable } from '@wirebench/contract/decoders';
import { MAX_UNIT, reads as requests } from './register-tables.ts';

/** Registers, coils or inputs of one unit, from `first` on. */
export interface RegisterRead {
  /** 1 to 247. */
  readonly unit: number;
  readonly table: RegisterTable;
  /** Address as it is sent. */
  readonly first: number;
  readonly count: number;
}

/**
 * Returns the requests that read all of these, in the order of their units and tables. Neighbours share one request: up to
 * 125 registers (V1.1b3, sections 6.3 and 6.4) or 2,000 bits (6.1 and 6.2). A gap ends it, since a device may refuse a
 * request with an address that it does not have. What belongs together is not divided.
 */
export function planReads(wanted: readonly RegisterRead[]): readonly RegisterRead[] {
  const groups = Map.groupBy(
    wanted.filter(({ unit, count }) => unit >= 1 && unit <= MAX_UNIT && count > 0),
    ({ unit, table }) => `${unit} ${table}`,
  );
  return [...groups.values()].flatMap((group) => {
    const reads: RegisterRead[] = [];
    for (const next of group.toSorted((one, other) => one.first - other.first || other.count - one.count)) {
      const last = reads.at(-1);
      const { most } = requests[next.table];
      const end = next.first + next.count;
      if (last !== undefined && next.first <= last.first + last.count && end - last.first <= most) {
        reads[reads.length - 1] = { ...last, count: Math.max(last.count, end - last.first) };
      } else {
        reads.push(next);
      }
    }
    return reads;
  });
}
