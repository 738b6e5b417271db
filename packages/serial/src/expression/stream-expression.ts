/**
 * Follows an expression over a stream that arrives in pieces, and keeps the ends of its capture groups. All ways
 * through the program advance side by side (R. Cox, "Regular Expression Matching: the Virtual Machine Approach",
 * 2009), so a byte costs at most the length of the program.
 *
 * `^` holds at the beginning of the stream and behind a line break, `$` in front of a line break or of a pause. Empty
 * matches do not count. Colours (SGR sequences) are skipped, and so is NUL unless the source names it.
 */
import { NUL } from '../control-sequences.ts';
import { unfinishedLength } from '../visible-utf8.ts';
import { type CharacterClass, Characters } from './characters.ts';
import { checkValid } from './expression.ts';
import { compileExpression, type Program } from './program.ts';
import { holds, type Place } from './reach.ts';
import { parseExpression } from './syntax.ts';
import { highSurrogate, lowSurrogate, nextCharacter } from './utf8-units.ts';

const ESCAPE = 0x1b;
const BRACKET = 0x5b;
/** Longest beginning of a colour that is waited for, in bytes. */
const MAX_COLOUR = 32;

/** Returns true if a source has `\0`, `\x00`, `\u0000`, `\u{0}` or the character itself: NUL in a stream counts for it. */
export const namesNul = (source: string): boolean => /\0|\\(?:0|x00|u0000|u\{0+\})/.test(source.replaceAll('\\\\', ''));

/** A range of the stream, in bytes from its beginning. */
export interface StreamSpan {
  readonly start: number;
  readonly end: number;
}

export interface StreamMatch extends StreamSpan {
  /** Capture groups by number, from 1. Null: the match does not contain the group. Index 0 is the whole match. */
  readonly groups: readonly (StreamSpan | null)[];
}

/** A way through the program: the instruction that it has reached, its first byte, and the offsets that it has saved. */
interface Way {
  readonly at: number;
  readonly start: number;
  readonly saved: readonly number[];
}

/** The next character, as a line end or a part of a word, if it is known. */
type Ahead = 'unknown' | Pick<Place, 'end' | 'wordAfter'>;

const nothingSaved: readonly number[] = [];

export class StreamExpression {
  readonly #program: Program;
  readonly #characters: Characters;
  readonly #unicode: boolean;
  readonly #skipsNul: boolean;
  /** For each class of characters that was seen: 1 if a match can begin with it, else 0. */
  readonly #begins: number[] = [];
  readonly #firstAtoms: ReadonlySet<number>;
  /** For each instruction, the round in which it was last visited. */
  readonly #seen: Uint32Array;
  #round = 0;
  #ways: Way[] = [];
  /** Bytes of a character or of a colour that has not ended yet. */
  #held: number[] = [];
  /** Number of bytes taken, including held ones. */
  #taken = 0;
  #isLineStart = true;
  #wordBefore = false;
  #found: StreamMatch | null = null;
  #isFinal = false;

  /**
   * @param source Source as in JavaScript.
   * @param flags Any of `i`, `s` and `u`.
   * @throws ExpressionError if the source is invalid, or cannot be matched in linear time.
   */
  constructor(source: string, flags: string) {
    checkValid(source, flags);
    this.#unicode = flags.includes('u');
    this.#skipsNul = !namesNul(source);
    this.#program = compileExpression(parseExpression(source, this.#unicode), true);
    this.#characters = new Characters(this.#program.atoms, flags);
    this.#seen = new Uint32Array(this.#program.instructions.length);
    this.#firstAtoms = this.#findFirstAtoms();
  }

  /** Names of the capture groups by number, from 1; null for a group without a name. */
  get groupNames(): readonly (string | null)[] {
    return this.#program.groups;
  }

  /** The match so far. It can still be replaced by a longer one while `isFinal` is false. */
  get found(): StreamMatch | null {
    return this.#found;
  }

  /** True: no further byte changes the match. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** True: bytes of a possible match have come, so that a pause can decide about it. */
  get isOpen(): boolean {
    return this.#found !== null || this.#ways.length > 0;
  }

  /**
   * Takes bytes until the first match is known, or until it is final if it was known before.
   *
   * @returns Offset behind the last byte that was taken, or -1 if all were taken without such a change.
   */
  take(bytes: Uint8Array, from = 0, to = bytes.length): number {
    const hadFound = this.#found !== null;
    for (let at = from; at < to && !this.#isFinal; at++) {
      this.#takeByte(bytes[at] as number);
      if (this.#isFinal || (!hadFound && this.#found !== null)) {
        return at + 1;
      }
    }
    return -1;
  }

  /** Decides what the bytes so far are, as if a line ended here. Returns true if they have a match, which is final. */
  pause(): boolean {
    this.#peek(this.#taken - this.#held.length, { end: true, wordAfter: false });
    this.#isFinal = this.#found !== null;
    return this.#isFinal;
  }

  #takeByte(byte: number): void {
    this.#taken++;
    if (this.#held.length === 0 && byte < 0x80 && byte !== ESCAPE) {
      this.#takeCharacter(byte, this.#taken - 1, this.#taken);
      return;
    }
    this.#held.push(byte);
    while (this.#held.length > 0 && !this.#isUnfinished()) {
      const bytes = Uint8Array.from(this.#held);
      const { code, end } = nextCharacter(bytes, 0, bytes.length);
      const start = this.#taken - bytes.length;
      this.#held = this.#held.slice(end);
      if (code !== null) {
        this.#takeCharacter(code, start, start + end);
      }
    }
  }

  /** Returns true if the held bytes begin a character or a colour, and its end has not come. */
  #isUnfinished(): boolean {
    const held = this.#held;
    if (held[0] !== ESCAPE) {
      return unfinishedLength(Uint8Array.from(held)) === held.length;
    }
    // Digits, `:` and `;` are neighbours in ASCII.
    const isColour = held.every((byte, index) => index < 2 || (byte >= 0x30 && byte <= 0x3b));
    return held.length <= MAX_COLOUR && isColour && (held.length === 1 || held[1] === BRACKET);
  }

  #takeCharacter(code: number, start: number, end: number): void {
    if (code === NUL && this.#skipsNul) {
      return;
    }
    if (code > 0xffff && !this.#unicode) {
      this.#step(highSurrogate(code), start, end);
      this.#step(lowSurrogate(code), end, end);
    } else {
      this.#step(code, start, end);
    }
  }

  /** Advances all ways over the character at `start`, whose last byte is before `end`. */
  #step(code: number, start: number, end: number): void {
    if (this.#isFinal) {
      return;
    }
    const type = this.#characters.classOf(code);
    const taken = this.#characters.classes[type] as CharacterClass;
    const isLineEnd = code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
    const canBegin = this.#found === null && this.#canBegin(type, taken);
    if (this.#ways.length > 0 || canBegin) {
      if (canBegin) {
        this.#ways.push({ at: this.#program.start, start, saved: nothingSaved });
      }
      const next: Way[] = [];
      this.#visit(start, { end: isLineEnd, wordAfter: taken.word }, (atom, way) => {
        if (taken.allowed[atom]) {
          next.push(way);
        }
      });
      this.#ways = next;
    }
    this.#isLineStart = isLineEnd;
    this.#wordBefore = taken.word;
    this.#peek(end, 'unknown');
  }

  /** Looks for a match that ends at `offset`. It is final if no preferred way goes on from there. */
  #peek(offset: number, ahead: Ahead): void {
    if (this.#ways.length === 0) {
      this.#isFinal = this.#found !== null;
      return;
    }
    let goesOn = false;
    const isMatch = this.#visit(offset, ahead, () => {
      goesOn = true;
    });
    this.#isFinal = isMatch && !goesOn;
  }

  /**
   * Follows the ways, preferred ones first, up to instructions that take a character, or to a match, which becomes the
   * one that was found. Less preferred ways end there. Returns true for a match.
   *
   * @param take Receives each atom and the way behind it. With an unknown next character also assertions about it.
   */
  #visit(offset: number, ahead: Ahead, take: (atom: number, way: Way) => void): boolean {
    const { instructions } = this.#program;
    const place: Place = {
      start: this.#isLineStart,
      wordBefore: this.#wordBefore,
      ...(ahead === 'unknown' ? { end: false, wordAfter: false } : ahead),
    };
    this.#round++;
    for (const way of this.#ways) {
      const pending: Way[] = [way];
      for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
        const { at, start, saved } = current;
        const instruction = instructions[at];
        if (instruction === undefined || this.#seen[at] === this.#round) {
          continue;
        }
        this.#seen[at] = this.#round;
        switch (instruction.kind) {
          case 'character':
            take(instruction.atom, { at: instruction.next, start, saved });
            break;
          case 'fork':
            pending.push({ at: instruction.second, start, saved }, { at: instruction.first, start, saved });
            break;
          case 'save': {
            const more = saved.slice();
            more[instruction.slot] = offset;
            pending.push({ at: instruction.next, start, saved: more });
            break;
          }
          case 'assertion':
            if (ahead === 'unknown' && instruction.assertion !== 'start') {
              take(-1, current);
            } else if (holds(instruction.assertion, place)) {
              pending.push({ at: instruction.next, start, saved });
            }
            break;
          case 'match':
            if (offset > start) {
              this.#found = { start, end: offset, groups: groupsOf(saved, start, offset, this.#program.groups.length) };
              return true;
            }
        }
      }
    }
    return false;
  }

  #canBegin(type: number, { allowed }: CharacterClass): boolean {
    this.#begins[type] ??= [...this.#firstAtoms].some((atom) => allowed[atom]) ? 1 : 0;
    return this.#begins[type] === 1;
  }

  /** Returns the atoms with which a match can begin, with every assertion taken for true. */
  #findFirstAtoms(): ReadonlySet<number> {
    const { instructions, start } = this.#program;
    const atoms = new Set<number>();
    const seen = new Set<number>();
    const pending = [start];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const instruction = instructions[at];
      if (instruction === undefined || seen.has(at)) {
        continue;
      }
      seen.add(at);
      if (instruction.kind === 'character') {
        atoms.add(instruction.atom);
      } else if (instruction.kind === 'fork') {
        pending.push(instruction.first, instruction.second);
      } else if (instruction.kind !== 'match') {
        pending.push(instruction.next);
      }
    }
    return atoms;
  }
}

function groupsOf(saved: readonly number[], start: number, end: number, count: number): (StreamSpan | null)[] {
  const groups: (StreamSpan | null)[] = [{ start, end }];
  for (let number = 1; number < count; number++) {
    const from = saved[2 * number];
    const to = saved[2 * number + 1];
    groups.push(from === undefined || to === undefined ? null : { start: from, end: to });
  }
  return groups;
}
