/**
 * Fingerprint of a crash: the first functions of the crashed task that are the application's own. It does not change
 * with a rebuild, with moved memory, or with inlining.
 */
import { isGuess, type StackFrame } from '../unwind/stack-frame.ts';
import { isLibraryCode } from './library-code.ts';

/** Maximum functions in a fingerprint. */
const MAX_FUNCTIONS = 4;
const MAX_CHARACTERS = 120;

type Frames = readonly Pick<StackFrame, 'places' | 'source'>[];

/**
 * Returns the fingerprint; null if no function is known.
 *
 * @param frames Frames of the crashed task, innermost first.
 */
export function fingerprintOf(frames: Frames): string | null {
  const known = frames
    .filter(({ source }) => !isGuess(source))
    .flatMap(({ places }) => places)
    .flatMap(({ name, file }) => (name === undefined ? [] : [{ name: normalised(name), file: file ?? '' }]));
  const own = known.filter(({ name, file }) => !isLibraryCode(name, file));
  const names = (own.length > 0 ? own : known).map(({ name }) => name);
  // Removes repetitions, because the depth of a recursion depends on the data.
  const different = names.filter((name, index) => name !== names[index - 1]);
  return different.length === 0 ? null : different.slice(0, MAX_FUNCTIONS).join(' < ');
}

/** Removes arguments of templates and functions, and the suffixes of compiler-made copies. */
function normalised(name: string): string {
  return withoutBrackets(name)
    .replace(/\.(?:constprop|isra|part|cold|lto_priv|llvm)\b.*$/, '')
    .replace(/\[(?:abi|clone)[^\]]*\]/g, '')
    .replace(/\{lambda.*$/, '{lambda}')
    .replace(/ const$/, '')
    .trim()
    .slice(0, MAX_CHARACTERS);
}

/** Removes the content of `<…>` and `(…)`. Names of operators may contain these characters themselves. */
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
