/**
 * Demangles names of C++ functions: from the Itanium C++ ABI, used by GCC and Clang, to the text that `llvm-addr2line
 * -C` prints. Rust's older mangling has the same form. Names with constructs that are rare in programs are not
 * demangled instead of guessed: expressions in template arguments, `decltype`, floating-point literals.
 */
import { NameParser } from './name-parser.ts';
import { write } from './nodes.ts';
import { NotUnderstood } from './not-understood.ts';

const LONGEST = 8_192;
/** Maximum parts written for one name. The longest names of a big program take a few thousand. */
const MAX_PARTS = 50_000;

/** Returns the demangled name; undefined if `symbol` is not mangled or not understood. */
export function demangle(symbol: string): string | undefined {
  if (!symbol.startsWith('_Z') || symbol.length > LONGEST) {
    return undefined;
  }
  try {
    return write(new NameParser(symbol, 2).parse(), {
      index: 0,
      count: undefined,
      ink: { left: MAX_PARTS },
    });
  } catch (error) {
    if (error instanceof NotUnderstood) {
      return undefined;
    }
    throw error;
  }
}
