/**
 * Tests if a line has a match. The set of a program's current instructions is one state; from a state, a class of
 * characters always leads to the same next state. States are created when first needed and kept in a table, so most
 * characters cost a single look-up. A table that grows too large is cleared. After several clears the automaton falls
 * back to `simulation.ts`. A character then costs at most the length of the program.
 */
import type { CharacterClass, Characters } from './characters.ts';
import type { Program } from './program.ts';
import { type Place, Reach } from './reach.ts';
import { Simulation } from './simulation.ts';
import { highSurrogate, lowSurrogate, nextCharacter } from './utf8-units.ts';

const ESCAPE = 0x1b;
/** Entries of the table besides states: not computed yet; no match can follow; a match was found. */
const UNKNOWN = 0;
const DEAD = -1;
const MATCHED = -2;
/** Row of the state in which every line begins. Row 0 is unused, because 0 means `UNKNOWN`. */
const START_ROW = 1;
/** Most states, and most clears of the table before the simulation takes over. */
const MAX_STATES = 2_000;
const MAX_CLEARS = 4;
/** Classes that a row of the table has room for at first. */
const FIRST_WIDTH = 16;
/** Replaces the class of a byte that is no character by itself. */
const NOT_ALONE = -1;

/** Kind of the position before a state: start of the line, behind a word character, or any other. */
type Before = 'start' | 'word' | 'other';

interface State {
  readonly before: Before;
  /** Instructions that take the next character, before forks and assertions are followed. */
  readonly places: readonly number[];
  /** True: there is a match if the line ends here. Null until first needed. */
  matchesAtEnd: boolean | null;
}

export class Automaton {
  readonly #program: Program;
  readonly #characters: Characters;
  readonly #unicode: boolean;
  readonly #reach: Reach;
  /** True: a match may begin behind the first character. */
  readonly #floating: boolean;
  /** True: the program has word boundaries. */
  readonly #words: boolean;
  /** Class of each byte that is a character by itself. */
  readonly #types: Int16Array;
  /** States by row of the table. */
  #states: State[] = [];
  readonly #rows = new Map<string, number>();
  #width: number;
  /** The next state for each state and class. A state is named by the index at which its row begins. */
  #table = new Int32Array(0);
  #clears = 0;
  readonly #simulation: Simulation;

  constructor(program: Program, characters: Characters, unicode: boolean) {
    this.#program = program;
    this.#characters = characters;
    this.#unicode = unicode;
    this.#reach = new Reach(program);
    this.#words = program.instructions.some(
      (instruction) => instruction.kind === 'assertion' && instruction.assertion.endsWith('boundary'),
    );
    this.#types = new Int16Array(256).fill(NOT_ALONE);
    this.#types.set(characters.ascii);
    this.#types[ESCAPE] = NOT_ALONE;
    this.#floating = this.#canBeginLater();
    this.#width = Math.max(FIRST_WIDTH, characters.classes.length);
    this.#simulation = new Simulation(program, characters, unicode, this.#floating);
    this.#clear();
  }

  /**
   * Returns true if the UTF-8 text in `bytes` from `from` up to `to` has a match. Colours (SGR sequences) are
   * skipped. A byte that belongs to no character counts as U+FFFD.
   */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#clears > MAX_CLEARS) {
      return this.#simulation.test(bytes, from, to);
    }
    const types = this.#types;
    let table = this.#table;
    let state = START_ROW * this.#width;
    let at = from;
    while (at < to) {
      const type = types[bytes[at] as number] as number;
      const known = type === NOT_ALONE ? UNKNOWN : (table[state + type] as number);
      if (known > 0) {
        state = known;
        at++;
        continue;
      }
      const { code, end } = nextCharacter(bytes, at, to);
      state = known === UNKNOWN ? this.#take(state, code) : known;
      if (state < 0) {
        return state === MATCHED;
      }
      if (this.#clears > MAX_CLEARS) {
        return this.#simulation.test(bytes, from, to);
      }
      table = this.#table;
      at = end;
    }
    return this.#matchesAtEnd(this.#states[state / this.#width] as State);
  }

  /**
   * Returns the state after a character, or another entry of the table. `code` is null for a colour, which changes
   * nothing.
   */
  #take(state: number, code: number | null): number {
    if (code === null) {
      return state;
    }
    if (code > 0xffff && !this.#unicode) {
      const between = this.#next(state, this.#characters.classOf(highSurrogate(code)));
      return between < 0 ? between : this.#next(between, this.#characters.classOf(lowSurrogate(code)));
    }
    return this.#next(state, this.#characters.classOf(code));
  }

  #next(from: number, type: number): number {
    const row = from / this.#width;
    this.#widen();
    const place = row * this.#width + type;
    const known = this.#table[place] as number;
    if (known !== UNKNOWN) {
      return known;
    }
    const { before, places } = this.#states[row] as State;
    const taken = this.#characters.classes[type] as CharacterClass;
    const after = this.#step(before, places, taken);
    if (after === MATCHED || after.places.length === 0) {
      const end = after === MATCHED ? MATCHED : DEAD;
      this.#table[place] = end;
      return end;
    }
    const states = this.#states;
    const next = this.#rowOf(after) * this.#width;
    // A table that was cleared no longer has the previous state.
    if (this.#states === states) {
      this.#table[place] = next;
    }
    return next;
  }

  #step(
    before: Before,
    places: readonly number[],
    taken: CharacterClass,
  ): typeof MATCHED | Omit<State, 'matchesAtEnd'> {
    const next = new Set<number>();
    const place = placeOf(before, taken.word, false);
    const goesOn = this.#visitAll(places, place, (instruction) => {
      if (instruction.kind === 'character' && taken.allowed[instruction.atom]) {
        next.add(instruction.next);
      }
      return instruction.kind !== 'match';
    });
    if (!goesOn) {
      return MATCHED;
    }
    if (this.#floating) {
      next.add(this.#program.start);
    }
    return {
      before: this.#words && taken.word ? 'word' : 'other',
      places: [...next].sort((one, other) => one - other),
    };
  }

  #matchesAtEnd(state: State): boolean {
    const place = placeOf(state.before, false, true);
    state.matchesAtEnd ??= !this.#visitAll(state.places, place, ({ kind }) => kind !== 'match');
    return state.matchesAtEnd;
  }

  #visitAll(places: readonly number[], place: Place, stop: Parameters<Reach['visit']>[2]): boolean {
    this.#reach.begin();
    return places.every((from) => this.#reach.visit(from, place, stop));
  }

  /** Returns the row of the state, which is created if necessary. */
  #rowOf({ before, places }: Omit<State, 'matchesAtEnd'>): number {
    const key = `${before} ${places.join(' ')}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#states.length >= MAX_STATES) {
      this.#clears++;
      this.#clear();
    }
    const row = this.#states.push({ before, places, matchesAtEnd: null }) - 1;
    this.#rows.set(key, row);
    if (this.#states.length * this.#width > this.#table.length) {
      const table = new Int32Array(this.#states.length * 2 * this.#width);
      table.set(this.#table);
      this.#table = table;
    }
    return row;
  }

  #clear(): void {
    this.#states = [{ before: 'other', places: [], matchesAtEnd: false }];
    this.#rows.clear();
    this.#table.fill(UNKNOWN);
    this.#rowOf({ before: 'start', places: [this.#program.start] });
  }

  /** Widens the rows for all classes known so far. */
  #widen(): void {
    const { length } = this.#characters.classes;
    if (length <= this.#width) {
      return;
    }
    const width = length * 2;
    const table = new Int32Array((this.#table.length / this.#width) * width);
    for (const [index, value] of this.#table.entries()) {
      const row = Math.floor(index / this.#width);
      table[row * width + (index % this.#width)] = value > 0 ? (value / this.#width) * width : value;
    }
    this.#table = table;
    this.#width = width;
  }

  /** Returns false if every way through the program begins with the start of the line. */
  #canBeginLater(): boolean {
    return [true, false].some((wordBefore) =>
      [true, false].some((wordAfter) => {
        const place = { start: false, end: !wordAfter, wordBefore, wordAfter };
        let found = false;
        this.#reach.begin();
        this.#reach.visit(this.#program.start, place, () => {
          found = true;
          return false;
        });
        return found;
      }),
    );
  }
}

function placeOf(before: Before, wordAfter: boolean, end: boolean): Place {
  return { start: before === 'start', end, wordBefore: before === 'word', wordAfter };
}
