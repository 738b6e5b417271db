/**
 * Names of C++ functions for people: from the mangled form of the Itanium C++ ABI, which GCC and Clang use, to text as
 * `llvm-addr2line -C` prints it (Rust's older mangling is of the same form). What occurs in programs is understood; for the
 * rest (expressions in template arguments, `decltype`, literals of floating point) there is no answer rather than a wrong one.
 */
import { NameParser } from './name-parser.ts';
import { write } from './nodes.ts';
import { NotUnderstood } from './not-understood.ts';

const LONGEST = 8_192;
/** Parts written for one name: the longest names of a big program take a few thousand. */
const MOST_PARTS = 50_000;

/** Undefined when `symbol` is no mangled name, or not understood. */
export function demangle(symbol: string): string | undefined {
  if (!symbol.startsWith('_Z') || symbol.length > LONGEST) {
    return undefined;
  }
  try {
    return write(new NameParser(symbol, 2).parse(), {
      index: 0,
      count: undefined,
      ink: { left: MOST_PARTS },
    });
  } catch (error) {
    if (error instanceof NotUnderstood) {
      return undefined;
    }
    throw error;
  }
}
