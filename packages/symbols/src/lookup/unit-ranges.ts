/**
 * Maps addresses to units. If several units claim an address, the choice is the same as in LLVM's
 * `DWARFDebugAranges`.
 */
import type { AddressRange } from '../dwarf/address-lists.ts';
import { IntervalMap } from './interval-map.ts';

interface Endpoint {
  readonly address: number;
  readonly unit: number;
  readonly isStart: boolean;
}

/**
 * Builds the map from addresses to numbers of units.
 * @param rangesOfUnit ranges by number of the unit, in the order of the file
 */
export function unitRanges(rangesOfUnit: readonly (readonly AddressRange[])[]): IntervalMap {
  const endpoints = rangesOfUnit.flatMap((ranges, unit) =>
    ranges.flatMap(({ low, high }): Endpoint[] =>
      low < high
        ? [
            { address: low, unit, isStart: true },
            { address: high, unit, isStart: false },
          ]
        : [],
    ),
  );
  endpoints.sort((a, b) => a.address - b.address);
  const lows: number[] = [];
  const highs: number[] = [];
  const units: number[] = [];
  const open = new OpenUnits();
  let previous = 0;
  for (const { address, unit, isStart } of endpoints) {
    const first = open.first;
    if (previous < address && first !== undefined) {
      const last = units.length - 1;
      if (highs[last] === previous && open.has(units[last] ?? -1)) {
        highs[last] = address;
      } else {
        lows.push(previous);
        highs.push(address);
        units.push(first);
      }
    }
    open.change(unit, isStart ? 1 : -1);
    previous = address;
  }
  return new IntervalMap(lows, highs, units);
}

/**
 * Units that claim the current address, with the number of their claims. Linkers leave thousands of removed functions
 * at address 0, so one unit may claim an address many times.
 */
class OpenUnits {
  readonly #counts = new Map<number, number>();
  #first: number | undefined;

  /** Lowest number among the claiming units: the first in the file. */
  get first(): number | undefined {
    if (this.#first === undefined) {
      for (const unit of this.#counts.keys()) {
        this.#first = Math.min(this.#first ?? unit, unit);
      }
    }
    return this.#first;
  }

  has(unit: number): boolean {
    return this.#counts.has(unit);
  }

  change(unit: number, by: 1 | -1): void {
    const count = (this.#counts.get(unit) ?? 0) + by;
    if (count > 0) {
      this.#counts.set(unit, count);
    } else {
      this.#counts.delete(unit);
    }
    if (count <= 0 && this.#first === unit) {
      this.#first = undefined;
    } else if (count > 0 && this.#first !== undefined) {
      this.#first = Math.min(this.#first, unit);
    }
  }
}
