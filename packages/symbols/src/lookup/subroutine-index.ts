/**
 * Which function, and which call inlined into it, an address belongs to: for each unit ranges of addresses with the innermost
 * one, and for each of those the one around it.
 */
import { unlessDamaged } from '../dwarf/damage.ts';
import type { Subroutine, SubroutineVisitor } from '../dwarf/subroutines.ts';
import { IntervalMap } from './interval-map.ts';
import { NumberList } from './number-list.ts';

/** No subroutine around. */
const NONE = 0xffff_ffff;

interface Claim {
  readonly low: number;
  readonly high: number;
  readonly subroutine: number;
}

/** Where a unit's ranges are in the index. */
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

  /** Takes the subroutines of one unit while `visit` finds them; of a damaged one those before the damage. */
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

  /** @param nameOf by the offset of an entry; asked once for each. */
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
    /** Numbers of the open subroutines; how many claims there were when each was opened. */
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
          // Neither it nor anything inside of it has code.
          this.#truncate(closed.subroutine);
        }
      },
    };
  }

  /** A subprogram ends the chain of inlined calls, wherever it is. */
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

  /** From nested ranges to ranges side by side, each with the innermost subroutine: the one that was entered last. */
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

/** A function, and where it was called, when the call was inlined. */
export interface FoundSubroutine {
  /** Offset of its entry in `.debug_info`. */
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

  /** Functions and inlined calls. */
  get length(): number {
    return this.#arrays.names.length;
  }

  /** From the innermost inlined call to the function that holds the code; empty outside of functions. */
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
