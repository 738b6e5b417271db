/**
 * Finds texts of which every match of an expression contains at least one. A search for many expressions looks for
 * such texts first, in one pass over the bytes.
 */
import { type Node, parseExpression } from './syntax.ts';

/** Most alternatives of one requirement, and the shortest text that is worth a search. */
const MAX_TEXTS = 16;
const SHORTEST = 2;
/** Longest text of a repetition with a fixed count, in UTF-16 units. */
const LONGEST = 256;
const REPLACEMENT = '\ufffd';

interface Requirement {
  /** The only text that the node matches; null if it matches several. */
  readonly exact: string | null;
  /** A match contains one of these. Null: nothing is known. */
  readonly anyOf: readonly string[] | null;
}

const unknown: Requirement = { exact: null, anyOf: null };

/**
 * Returns texts of which every match contains one; null if there are none.
 *
 * @param source Source that `Expression` accepts with these flags.
 */
export function requiredTexts(source: string, flags: string): readonly string[] | null {
  const ignoreCase = flags.includes('i');
  const unicode = flags.includes('u');
  if (ignoreCase && unicode) {
    // Two letters beyond ASCII match `k` and `s` then.
    return null;
  }
  const { anyOf } = requirementOf(parseExpression(source, unicode), ignoreCase);
  const isUsable = anyOf?.every(
    (text) => text.length >= SHORTEST && text.isWellFormed() && !text.includes(REPLACEMENT),
  );
  return isUsable ? anyOf : null;
}

function requirementOf(node: Node, ignoreCase: boolean): Requirement {
  switch (node.kind) {
    case 'character': {
      const text = literalOf(node.atom);
      return text === null || (ignoreCase && text > '\x7f') ? unknown : { exact: text, anyOf: [text] };
    }
    case 'assertion':
      return { exact: '', anyOf: null };
    case 'group':
      return requirementOf(node.node, ignoreCase);
    case 'sequence':
      return ofSequence(node.parts.map((part) => requirementOf(part, ignoreCase)));
    case 'choice':
      return ofChoice(node.options.map((option) => requirementOf(option, ignoreCase)));
    case 'repeat': {
      if (node.least === 0) {
        return unknown;
      }
      const { exact, anyOf } = requirementOf(node.node, ignoreCase);
      const isFixed = exact !== null && node.least === node.most && exact.length * node.least <= LONGEST;
      const repeated = isFixed ? exact.repeat(node.least) : null;
      return { exact: repeated, anyOf: repeated === null || repeated === '' ? anyOf : [repeated] };
    }
  }
}

function ofSequence(parts: readonly Requirement[]): Requirement {
  let best: readonly string[] | null = null;
  let run = '';
  let isExact = true;
  for (const { exact, anyOf } of parts) {
    if (exact !== null) {
      run += exact;
      continue;
    }
    isExact = false;
    best = better(better(best, run === '' ? null : [run]), anyOf);
    run = '';
  }
  return { exact: isExact ? run : null, anyOf: better(best, run === '' ? null : [run]) };
}

function ofChoice(options: readonly Requirement[]): Requirement {
  const all = new Set<string>();
  for (const { anyOf } of options) {
    if (anyOf === null) {
      return unknown;
    }
    for (const text of anyOf) {
      all.add(text);
    }
  }
  return all.size > MAX_TEXTS ? unknown : { exact: null, anyOf: [...all] };
}

/** Returns the requirement whose shortest text is longer: it is met by fewer lines. */
function better(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) {
    return one ?? other;
  }
  return shortestOf(other) > shortestOf(one) ? other : one;
}

const shortestOf = (texts: readonly string[]): number => Math.min(...texts.map(({ length }) => length));

/** Returns the character that an atom stands for; null for an atom that allows several. */
function literalOf(atom: string): string | null {
  const code = /^\\u(?:([\da-f]{4})|\{([\da-f]+)\})$/i.exec(atom);
  if (code !== null) {
    return String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? '', 16));
  }
  return /^\\[^\w\s]$/.test(atom) ? atom.slice(1) : null;
}
