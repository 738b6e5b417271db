/**
 * Gives the same result as `automaton.ts` without its table: every instruction is advanced with every character. It
 * is slower where the table fits, and much faster where states hardly repeat. A character never costs more than a
 * visit to each instruction.
 */
import type { Characters } from './characters.ts';
import type { Instruction, Program } from './program.ts';
import { type Place, Reach } from './reach.ts';
import { charactersOf } from './utf8-units.ts';

export class Simulation {
  readonly #program: Program;
  readonly #characters: Characters;
  readonly #unicode: boolean;
  /** True: a match may begin behind the first character. */
  readonly #floating: boolean;
  readonly #reach: Reach;
  /** For each instruction that takes a character, its atom and its next instruction; -1 for the others. */
  readonly #atoms: Int32Array;
  readonly #nexts: Int32Array;
  /** Instructions that take the next character. `#count` is their number. */
  #places: Int32Array;
  #count = 0;
  #next: Int32Array;
  #nextCount = 0;
  /** For each instruction, the turn in which it was last added to `#next`. */
  readonly #added: Uint32Array;
  #turn = 0;
  #allowed: readonly boolean[] = [];

  constructor(program: Program, characters: Characters, unicode: boolean, floating: boolean) {
    const { length } = program.instructions;
    this.#program = program;
    this.#characters = characters;
    this.#unicode = unicode;
    this.#floating = floating;
    this.#reach = new Reach(program);
    const taking = program.instructions.map((instruction) =>
      instruction.kind === 'character' ? instruction : { atom: -1, next: -1 },
    );
    this.#atoms = Int32Array.from(taking, ({ atom }) => atom);
    this.#nexts = Int32Array.from(taking, ({ next }) => next);
    this.#places = new Int32Array(length);
    this.#next = new Int32Array(length);
    this.#added = new Uint32Array(length);
  }

  /** Returns the same as `Automaton.test`. */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    this.#places[0] = this.#program.start;
    this.#count = 1;
    let start = true;
    let wordBefore = false;
    for (const code of charactersOf(bytes, from, to, this.#unicode)) {
      const taken = this.#characters.classes[this.#characters.classOf(code)];
      const wordAfter = taken?.word ?? false;
      this.#allowed = taken?.allowed ?? [];
      if (this.#advance({ start, end: false, wordBefore, wordAfter })) {
        return true;
      }
      if (this.#count === 0) {
        return false;
      }
      start = false;
      wordBefore = wordAfter;
    }
    this.#allowed = [];
    return this.#advance({ start, end: true, wordBefore, wordAfter: false });
  }

  /** Advances every instruction over one character. Returns true if a match is reached before that. */
  #advance(place: Place): boolean {
    this.#turn++;
    this.#nextCount = 0;
    this.#reach.begin();
    const places = this.#places;
    const atoms = this.#atoms;
    const allowed = this.#allowed;
    for (let index = 0; index < this.#count; index++) {
      const at = places[index] as number;
      const atom = atoms[at] as number;
      if (atom === -1) {
        if (!this.#reach.visit(at, place, this.#take)) {
          return true;
        }
      } else if (allowed[atom]) {
        this.#add(this.#nexts[at] as number);
      }
    }
    if (this.#floating) {
      this.#add(this.#program.start);
    }
    [this.#places, this.#next] = [this.#next, this.#places];
    this.#count = this.#nextCount;
    return false;
  }

  readonly #take = (instruction: Instruction): boolean => {
    if (instruction.kind === 'character' && this.#allowed[instruction.atom]) {
      this.#add(instruction.next);
    }
    return instruction.kind !== 'match';
  };

  #add(place: number): void {
    if (this.#added[place] !== this.#turn) {
      this.#added[place] = this.#turn;
      this.#next[this.#nextCount++] = place;
    }
  }
}
