/**
 * An expression as a program for a machine that is at many instructions at once (K. Thompson, "Regular Expression
 * Search Algorithm", 1968). `characters.ts` decides which characters its atoms allow.
 */
import { ExpressionError } from './expression-error.ts';
import type { Assertion, Node } from './syntax.ts';

export type Instruction =
  /** Continues at `next` with a character that the atom with this number allows. */
  | { readonly kind: 'character'; readonly atom: number; readonly next: number }
  /** Continues at `next` if the assertion holds. */
  | { readonly kind: 'assertion'; readonly assertion: Assertion; readonly next: number }
  /** Continues at both. A match through `first` is preferred. */
  | { readonly kind: 'fork'; first: number; second: number }
  /** Keeps the offset of the text in this slot, and continues at `next`. Group n has the slots 2n and 2n + 1. */
  | { readonly kind: 'save'; readonly slot: number; readonly next: number }
  | { readonly kind: 'match' };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** Sources of expressions for a single character, each once. */
  readonly atoms: readonly string[];
  /** Names of the capture groups by their number, from 1; null for a group without one. Empty without captures. */
  readonly groups: readonly (string | null)[];
}

/** Most instructions. They bound the cost of one character. */
const MAX_INSTRUCTIONS = 500;

/**
 * Compiles an expression.
 *
 * @param captures True: the program keeps the ends of capture groups. False: it only finds matches.
 * @throws ExpressionError if the program would be too large.
 */
export function compileExpression(root: Node, captures = false): Program {
  const instructions: Instruction[] = [];
  const atoms: string[] = [];
  const groups: (string | null)[] = captures ? [null] : [];
  const emit = (instruction: Instruction): number => {
    if (instructions.length >= MAX_INSTRUCTIONS) {
      throw new ExpressionError('too-large');
    }
    return instructions.push(instruction) - 1;
  };
  const atomNumber = (atom: string): number => {
    const known = atoms.indexOf(atom);
    return known === -1 ? atoms.push(atom) - 1 : known;
  };
  const fork = (preferred: number, other: number, greedy: boolean): number =>
    emit({ kind: 'fork', first: greedy ? preferred : other, second: greedy ? other : preferred });
  /** Compiles `node` so that it continues at `next`, and returns its first instruction. */
  const compile = (node: Node, next: number): number => {
    switch (node.kind) {
      case 'character':
        return emit({ kind: 'character', atom: atomNumber(node.atom), next });
      case 'assertion':
        return emit({ kind: 'assertion', assertion: node.assertion, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => compile(part, after), next);
      case 'choice':
        return node.options
          .map((option) => compile(option, next))
          .reduceRight((second, first) => fork(first, second, true));
      case 'repeat':
        return compileRepeat(node, next);
      case 'group':
        return captures ? compileGroup(node, next) : compile(node.node, next);
    }
  };
  const compileGroup = ({ node, number, name }: Extract<Node, { kind: 'group' }>, next: number): number => {
    groups[number] = name;
    const end = emit({ kind: 'save', slot: 2 * number + 1, next });
    return emit({ kind: 'save', slot: 2 * number, next: compile(node, end) });
  };
  const compileRepeat = ({ node, least, most, greedy }: Extract<Node, { kind: 'repeat' }>, next: number): number => {
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop: Extract<Instruction, { kind: 'fork' }> = { kind: 'fork', first: next, second: next };
      at = emit(loop);
      const body = compile(node, at);
      loop.first = greedy ? body : next;
      loop.second = greedy ? next : body;
    } else {
      for (let optional = least; optional < most; optional++) {
        at = fork(compile(node, at), next, greedy);
      }
    }
    for (let copy = 0; copy < least; copy++) {
      const before = instructions.length;
      at = compile(node, at);
      if (instructions.length === before) {
        // An empty node has no effect, so one repetition is enough.
        break;
      }
    }
    return at;
  };
  const start = compile(root, emit({ kind: 'match' }));
  return { instructions, start, atoms, groups: Array.from(groups, (name) => name ?? null) };
}
