/**
 * Finds the function, and the calls inlined into it, at an address. Stores for each unit ranges of addresses with
 * their innermost subroutine, and for each subroutine the enclosing one.
 */
import { unlessDamaged } from '../dwarf/damage.ts';
import type { Subroutine, SubroutineVisitor } from '../dwarf/subroutines.ts';
import { IntervalMap } from './interval-map.ts';
import { NumberList } from './number-list.ts';

/** Marks a missing value: no enclosing subroutine, or no name. */
const NONE = 0xffff_ffff;

interface Claim {
  readonly low: number;
  readonly high: number;
  readonly subroutine: number;
}

/** Position of a unit's ranges in the index; `end` is excluded. */
export interface SubroutineSlice {
  readonly first: number;
  readonly end: number;
}

export class SubroutineIndexBuilder {
  readonly #entries = new NumberList('wide');
  readonly #around = new NumberList('narrow');
  readonly #callFiles = new NumberList('narrow');
  readonly #callLines = new NumberList('narrow');
  readonly #lows = new NumberList('wide');
  readonly #highs = new NumberList('wide');
  readonly #values = new NumberList('narrow');

  /**
   * Adds the subroutines that `visit` finds in one unit. Keeps the subroutines before damage; `isWhole` is then
   * false.
   */
  addUnit(visit: (visitor: SubroutineVisitor) => void): SubroutineSlice & { readonly isWhole: boolean } {
    const first = this.#lows.length;
    const claims: Claim[] = [];
    const isWhole = unlessDamaged(() => {
      visit(this.#collect(claims));
      return true;
    }, false);
    this.#flatten(claims);
    return { first, end: this.#lows.length, isWhole };
  }

  /**
   * Builds the index.
   * @param nameOf returns the name of the entry at an offset; called once for each subroutine
   */
  build(nameOf: (entry: number) => string | undefined): SubroutineIndex {
    const texts: string[] = [];
    const numbers = new Map<string, number>();
    const names = Uint32Array.from({ length: this.#entries.length }, (_, subroutine) => {
      const text = nameOf(this.#entries.at(subroutine));
      if (text === undefined) {
        return NONE;
      }
      const number = numbers.get(text) ?? texts.push(text) - 1;
      numbers.set(text, number);
      return number;
    });
    return new SubroutineIndex({
      map: new IntervalMap(this.#lows.toArray(), this.#highs.toArray(), this.#values.toArray()),
      entries: this.#entries.toArray(),
      around: this.#around.toArray(),
      callFiles: this.#callFiles.toArray(),
      callLines: this.#callLines.toArray(),
      names,
      texts,
    });
  }

  #collect(claims: Claim[]): SubroutineVisitor {
    /** Open subroutines with the number of claims before each was opened. */
    const open: { subroutine: number; claims: number }[] = [];
    return {
      enter: (subroutine) => {
        const number = this.#push(subroutine, open.at(-1)?.subroutine ?? NONE);
        open.push({ subroutine: number, claims: claims.length });
        for (const { low, high } of subroutine.ranges) {
          claims.push({ low, high, subroutine: number });
        }
      },
      leave: () => {
        const closed = open.pop();
        if (closed !== undefined && closed.claims === claims.length) {
          // Removes the subroutine: neither it nor its descendants have code.
          this.#truncate(closed.subroutine);
        }
      },
    };
  }

  /**
   * Adds a subroutine and returns its number. A subprogram ends the chain of inlined calls, even inside another one.
   */
  #push(subroutine: Subroutine, around: number): number {
    this.#entries.push(subroutine.entry);
    this.#around.push(subroutine.isInlined ? around : NONE);
    this.#callFiles.push(subroutine.callFile);
    this.#callLines.push(subroutine.callLine);
    return this.#entries.length - 1;
  }

  #truncate(length: number): void {
    for (const list of [this.#entries, this.#around, this.#callFiles, this.#callLines]) {
      list.truncate(length);
    }
  }

  /** Converts nested ranges into consecutive ranges, each with its innermost subroutine: the one entered last. */
  #flatten(claims: readonly Claim[]): void {
    const sorted = claims.toSorted((a, b) => a.low - b.low);
    const open: Claim[] = [];
    let from = 0;
    const emitUpTo = (address: number, { subroutine }: Claim) => {
      if (from < address) {
        this.#lows.push(from);
        this.#highs.push(address);
        this.#values.push(subroutine);
        from = address;
      }
    };
    const closeUpTo = (address: number) => {
      for (let top = open.at(-1); top !== undefined && top.high <= address; top = open.at(-1)) {
        emitUpTo(top.high, top);
        open.pop();
      }
    };
    for (const claim of sorted) {
      closeUpTo(claim.low);
      const top = open.at(-1);
      if (top !== undefined) {
        emitUpTo(claim.low, top);
      }
      from = claim.low;
      open.push(claim);
    }
    closeUpTo(Number.POSITIVE_INFINITY);
  }
}

interface SubroutineArrays {
  readonly map: IntervalMap;
  readonly entries: Uint32Array | Float64Array;
  readonly around: Uint32Array | Float64Array;
  readonly callFiles: Uint32Array | Float64Array;
  readonly callLines: Uint32Array | Float64Array;
  readonly names: Uint32Array;
  readonly texts: readonly string[];
}

/** Function or inlined call, with the source position of the call if it was inlined. */
export interface FoundSubroutine {
  /** Offset of the entry in `.debug_info`. */
  readonly entry: number;
  readonly name: string | undefined;
  readonly callFile: number;
  readonly callLine: number;
}

export class SubroutineIndex {
  readonly #arrays: SubroutineArrays;

  constructor(arrays: SubroutineArrays) {
    this.#arrays = arrays;
  }

  /** Number of functions and inlined calls. */
  get length(): number {
    return this.#arrays.names.length;
  }

  /** Returns the chain from the innermost inlined call to the function that holds the code; empty outside functions. */
  chainAt(slice: SubroutineSlice, address: number): FoundSubroutine[] {
    const { map, entries, around, callFiles, callLines, names, texts } = this.#arrays;
    const chain: FoundSubroutine[] = [];
    let subroutine = map.find(address, slice.first, slice.end) ?? NONE;
    while (subroutine !== NONE) {
      const name = texts[names[subroutine] ?? NONE];
      const [entry = 0, callFile = 0, callLine = 0] = [
        entries[subroutine],
        callFiles[subroutine],
        callLines[subroutine],
      ];
      chain.push({ entry, name, callFile, callLine });
      subroutine = around[subroutine] ?? NONE;
    }
    return chain;
  }
}
