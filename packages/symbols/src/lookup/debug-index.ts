/** Index of a file's debug information: units by address, and the lines and subroutines of each unit. */

import type { AddressRange } from '../dwarf/address-lists.ts';
import { unitType } from '../dwarf/constants.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { DebugSections } from '../dwarf/debug-sections.ts';
import { readLineHeader } from '../dwarf/line-header.ts';
import { runLineProgram } from '../dwarf/line-program.ts';
import { NameReader } from '../dwarf/names.ts';
import { visitSubroutines } from '../dwarf/subroutines.ts';
import type { Unit, UnitHeader, UnitReader } from '../dwarf/unit.ts';
import { IntervalMap } from './interval-map.ts';
import { type LineIndex, LineIndexBuilder, type LineTable } from './line-index.ts';
import { type SubroutineIndex, SubroutineIndexBuilder, type SubroutineSlice } from './subroutine-index.ts';

export interface IndexedUnit {
  readonly lineTable: LineTable | undefined;
  readonly subroutines: SubroutineSlice;
}

export class DebugIndex {
  readonly lines: LineIndex;
  readonly subroutines: SubroutineIndex;
  /** Number of units that are damaged and missing from the index, at least in part. */
  readonly damagedUnits: number;
  readonly #units: readonly IndexedUnit[];
  readonly #ranges: IntervalMap;

  constructor(parts: {
    lines: LineIndex;
    subroutines: SubroutineIndex;
    damagedUnits: number;
    units: readonly IndexedUnit[];
    ranges: IntervalMap;
  }) {
    this.lines = parts.lines;
    this.subroutines = parts.subroutines;
    this.damagedUnits = parts.damagedUnits;
    this.#units = parts.units;
    this.#ranges = parts.ranges;
  }

  get units(): number {
    return this.#units.length;
  }

  unitAt(address: number): IndexedUnit | undefined {
    return this.#units[this.#ranges.find(address) ?? -1];
  }
}

/**
 * Maps addresses to units. If several units claim an address, the choice is the same as in LLVM's
 * `DWARFDebugAranges`.
 */

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

export class IndexBuilder {
  readonly #sections: DebugSections;
  readonly #reader: UnitReader;
  readonly #headers: readonly UnitHeader[];
  readonly #lines: LineIndexBuilder;
  readonly #subroutines = new SubroutineIndexBuilder();
  readonly #units: IndexedUnit[] = [];
  readonly #ranges: (readonly AddressRange[])[] = [];
  /** Units by number; needed until names are resolved, because names refer from one unit to another. */
  readonly #read: (Unit | undefined)[] = [];
  #damagedUnits = 0;

  constructor(sections: DebugSections, reader: UnitReader, headers: readonly UnitHeader[], is64: boolean) {
    this.#sections = sections;
    this.#reader = reader;
    this.#headers = headers;
    this.#lines = new LineIndexBuilder(is64);
  }

  /**
   * Adds the lines and subroutines of a unit.
   * @param claimed ranges of the unit in `.debug_aranges`; if undefined, the unit's own ranges are used
   */
  addUnit(index: number, claimed: readonly AddressRange[] | undefined): void {
    const unit = this.#readUnit(index);
    const subroutines = this.#subroutines.addUnit((visitor) => {
      // Type units contain no code.
      if (unit !== undefined && unit.header.type !== unitType.type) {
        visitSubroutines(unit, visitor);
      }
    });
    const lines = unlessDamaged(() => unit && this.#readLines(unit), damagedLines);
    this.#units.push({ lineTable: lines?.table, subroutines });
    this.#ranges.push(claimed ?? unit?.ranges ?? []);
    if (unit === undefined || !subroutines.isWhole || lines?.isWhole === false) {
      this.#damagedUnits++;
    }
  }

  build(): DebugIndex {
    const names = new NameReader(
      this.#headers.map(({ offset }) => offset),
      (index) => this.#read[index],
    );
    return new DebugIndex({
      lines: this.#lines.build(),
      subroutines: this.#subroutines.build((entry) => names.nameOf(entry)),
      damagedUnits: this.#damagedUnits,
      units: this.#units,
      ranges: unitRanges(this.#ranges),
    });
  }

  #readUnit(index: number): Unit | undefined {
    const header = this.#headers[index];
    const unit = header && unlessDamaged(() => this.#reader.read(header), undefined);
    this.#read[index] = unit;
    return unit;
  }

  #readLines(unit: Unit): ReadLines | undefined {
    if (unit.lineTable === undefined) {
      return undefined;
    }
    const { addressSize } = unit.header;
    const header = readLineHeader(this.#sections, unit.lineTable, addressSize);
    const { isWhole, firstRun, endRun } = this.#lines.addTable(addressSize, (rows) =>
      runLineProgram(this.#sections.line, this.#sections.littleEndian, header, rows),
    );
    const { version, directories, files } = header;
    return { isWhole, table: { version, directories, files, directory: unit.directory, firstRun, endRun } };
  }
}

interface ReadLines {
  readonly isWhole: boolean;
  readonly table: LineTable | undefined;
}

const damagedLines: ReadLines = { isWhole: false, table: undefined };
