/**
 * What tells crashes apart: the first functions of the crashed task that are the application's own. Stays the same when the program is built again, whatever
 * moves in memory, and whether a call is inlined or not.
 */
import { isGuess, type StackFrame } from '../unwind/stack-frame.ts';
import { isLibraryCode } from './library-code.ts';

/** Functions that it has at most. */
const MOST_FUNCTIONS = 4;
const MOST_CHARACTERS = 120;

type Frames = readonly Pick<StackFrame, 'places' | 'source'>[];

/** @param frames of the crashed task, innermost first. Null where no function is known. */
export function fingerprintOf(frames: Frames): string | null {
  const known = frames
    .filter(({ source }) => !isGuess(source))
    .flatMap(({ places }) => places)
    .flatMap(({ name, file }) => (name === undefined ? [] : [{ name: normalised(name), file: file ?? '' }]));
  const own = known.filter(({ name, file }) => !isLibraryCode(name, file));
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
