/**
 * What tells crashes apart: the first functions of the crashed task that are the application's own. Stays the same when the program is built again, whatever
 * moves in memory, and whether a call is inlined or not.
 */
import { isGuess, type StackFrame } from '../unwind/stack-frame.ts';

/** Functions that it has at most. */
const MOST_FUNCTIONS = 4;
const MOST_CHARACTERS = 120;

/** Sources of ESP-IDF, of its copies of other libraries, of Arduino's core, and of the compiler's. */
const LIBRARY_SOURCE =
  /[\\/](?:esp-idf|framework-espidf|framework-arduino[^\\/]*|arduino-esp32|newlib|picolibc|libgcc|gcc|libstdc\+\+-v3)[\\/]|[\\/]components[\\/](?:freertos|esp_[^\\/]+|newlib|heap|log|lwip|soc|hal|xtensa|riscv|spi_flash|pthread|cxx)[\\/]/;
/** What stands between the crash and the application where no source is known (ESP-IDF, `panic.c`, `assert.c`, `port.c`). */
const LIBRARY_FUNCTION =
  /^(?:panic_abort|esp_system_abort|abort|__assert_func|__assert|_esp_error_check_failed|esp_restart\w*|__stack_chk_fail|vApplicationStackOverflowHook|vPortTaskWrapper|vTaskSwitchContext|_xt_\w+|_frxt_\w+|multi_heap\w*|heap_caps\w*|tlsf_\w+|mem(?:cpy|move|set|cmp)|str\w+|v?s?n?printf)$/;

type Frames = readonly Pick<StackFrame, 'places' | 'source'>[];

/** @param frames of the crashed task, innermost first. Null where no function is known. */
export function fingerprintOf(frames: Frames): string | null {
  const known = frames
    .filter(({ source }) => !isGuess(source))
    .flatMap(({ places }) => places)
    .flatMap(({ name, file }) => (name === undefined ? [] : [{ name: normalised(name), file: file ?? '' }]));
  const own = known.filter(({ name, file }) => !LIBRARY_FUNCTION.test(name) && !LIBRARY_SOURCE.test(file));
  const names = (own.length > 0 ? own : known).map(({ name }) => name);
  // How often a function calls itself depends on the data.
  const different = names.filter((name, index) => name !== names[index - 1]);
  return different.length === 0 ? null : different.slice(0, MOST_FUNCTIONS).join(' < ');
}

/** Without arguments of templates and functions, and without the suffixes of copies that the compiler made. */
function normalised(name: string): string {
  return withoutBrackets(name)
    .replace(/\.(?:constprop|isra|part|cold|lto_priv|llvm)\b.*$/, '')
    .replace(/\[(?:abi|clone)[^\]]*\]/g, '')
    .replace(/\{lambda.*$/, '{lambda}')
    .replace(/ const$/, '')
    .trim()
    .slice(0, MOST_CHARACTERS);
}

/** Leaves out what is in `<…>` and `(…)`; names of operators may have these signs themselves. */
function withoutBrackets(name: string): string {
  if (name.includes('operator') || name.includes('(anonymous namespace)') || name.includes('{lambda')) {
    return name.replace(/\([^()]*\)(?: const)?$/, '');
  }
  let depth = 0;
  let kept = '';
  for (const character of name) {
    if (character === '<' || character === '(') {
      depth++;
    } else if (character === '>' || character === ')') {
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) {
      kept += character;
    }
  }
  return kept;
}
