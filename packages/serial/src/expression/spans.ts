/**
 * Finds the matches of a program in a text, the leftmost first. Of matches with the same start it finds the one that
 * JavaScript prefers, greedy or lazy as written. All ways through the program are followed side by side (R. Cox,
 * "Regular Expression Matching: the Virtual Machine Approach", 2009), so the time is bounded by text times program.
 */
import type { Characters } from './characters.ts';
import type { Program } from './program.ts';
import { type Place, Reach } from './reach.ts';

/** A range of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A way through the program: the instruction that it has reached, and the offset at which it began. */
interface Way {
  readonly at: number;
  readonly start: number;
}

export class SpanFinder {
  readonly #program: Program;
  readonly #characters: Characters;
  readonly #unicode: boolean;
  readonly #reach: Reach;

  constructor(program: Program, characters: Characters, unicode: boolean) {
    this.#program = program;
    this.#characters = characters;
    this.#unicode = unicode;
    this.#reach = new Reach(program);
  }

  /** Returns the matches that are not empty, in order and without overlaps; at most `most`. */
  find(text: string, most: number): Span[] {
    const spans: Span[] = [];
    let from = 0;
    while (from <= text.length && spans.length < most) {
      const span = this.#first(text, from);
      if (span === null) {
        break;
      }
      if (span.end > span.start) {
        spans.push(span);
      }
      from = span.end > span.start ? span.end : span.end + this.#lengthAt(text, span.end);
    }
    return spans;
  }

  #first(text: string, from: number): Span | null {
    let ways: Way[] = [];
    let found: Span | null = null;
    // Characters that are part of a word are one unit long.
    let before = from > 0 ? this.#characters.classOf(text.charCodeAt(from - 1)) : null;
    for (let at = from; at <= text.length; at += this.#lengthAt(text, at)) {
      const end = at === text.length;
      const code = this.#unicode ? text.codePointAt(at) : text.charCodeAt(at);
      const type = end ? null : this.#characters.classOf(code ?? 0);
      const place = {
        start: at === 0,
        end,
        wordBefore: this.#isWord(before),
        wordAfter: this.#isWord(type),
      };
      const next: Way[] = [];
      this.#reach.begin();
      if (found === null) {
        ways.push({ at: this.#program.start, start: at });
      }
      const matched = this.#step(ways, place, type, next);
      if (matched !== null) {
        found = { start: matched, end: at };
      }
      if (next.length === 0 && found !== null) {
        break;
      }
      ways = next;
      before = type;
    }
    return found;
  }

  /** Advances the ways over one character to `next`, preferred ones first. Returns the start of a match, or null. */
  #step(ways: readonly Way[], place: Place, type: number | null, next: Way[]): number | null {
    const allowed = type === null ? [] : (this.#characters.classes[type]?.allowed ?? []);
    for (const { at, start } of ways) {
      const goesOn = this.#reach.visit(at, place, (instruction) => {
        if (instruction.kind === 'character' && allowed[instruction.atom]) {
          next.push({ at: instruction.next, start });
        }
        return instruction.kind !== 'match';
      });
      if (!goesOn) {
        return start;
      }
    }
    return null;
  }

  /** Returns the length in units of the character at `at`; 1 at the end. */
  #lengthAt(text: string, at: number): number {
    return this.#unicode && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }

  #isWord(type: number | null): boolean {
    return type !== null && (this.#characters.classes[type]?.word ?? false);
  }
}
