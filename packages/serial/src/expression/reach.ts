/**
 * Finds the instructions that a program reaches without taking a character: over its forks, and over the assertions
 * that hold at a place.
 */
import type { Instruction, Program } from './program.ts';

export interface Place {
  /** True: no character precedes the place in the line. */
  readonly start: boolean;
  /** True: no character follows the place. */
  readonly end: boolean;
  /** True: the character before the place is part of a word. `wordAfter`: the same for the one behind it. */
  readonly wordBefore: boolean;
  readonly wordAfter: boolean;
}

type Stop = Extract<Instruction, { kind: 'character' | 'match' }>;

/**
 * Collects the instructions at which a program stops for a character or a match, each once, in the order of
 * preference.
 */
export class Reach {
  readonly #instructions: readonly Instruction[];
  /** For each instruction, the round in which it was last visited. */
  readonly #seen: Uint32Array;
  readonly #pending: number[] = [];
  #round = 0;

  constructor({ instructions }: Program) {
    this.#instructions = instructions;
    this.#seen = new Uint32Array(instructions.length);
  }

  /** Starts a new round: all instructions count as not visited. */
  begin(): void {
    this.#round++;
  }

  /**
   * Calls `stop` for every stop that is reached from `from` and was not visited since `begin`. Ends with false as
   * soon as `stop` returns false.
   */
  visit(from: number, place: Place, stop: (instruction: Stop) => boolean): boolean {
    const pending = this.#pending;
    pending.length = 0;
    for (let at: number | undefined = from; at !== undefined; at = pending.pop()) {
      const instruction = this.#instructions[at];
      if (instruction === undefined || this.#seen[at] === this.#round) {
        continue;
      }
      this.#seen[at] = this.#round;
      switch (instruction.kind) {
        case 'fork':
          pending.push(instruction.second, instruction.first);
          break;
        case 'assertion':
          if (holds(instruction.assertion, place)) {
            pending.push(instruction.next);
          }
          break;
        case 'save':
          pending.push(instruction.next);
          break;
        default:
          if (!stop(instruction)) {
            return false;
          }
      }
    }
    return true;
  }
}

export function holds(assertion: Extract<Instruction, { kind: 'assertion' }>['assertion'], place: Place): boolean {
  switch (assertion) {
    case 'start':
      return place.start;
    case 'end':
      return place.end;
    case 'boundary':
      return place.wordBefore !== place.wordAfter;
    case 'no-boundary':
      return place.wordBefore === place.wordAfter;
  }
}

/** Position before an instruction: at the start of the line, behind a character of a word, or behind another one. */
const [START, WORD, OTHER] = [0, 1, 2] as const;

/** Returns true if some line without a line feed has a match. */
export function mayMatch(program: Program, flags: string): boolean {
  const allows = program.atoms.map((atom) => kindsOf(atom, flags));
  const reach = new Reach(program);
  const seen = new Set<string>();
  const pending: [at: number, before: typeof START | typeof WORD | typeof OTHER][] = [
    [program.start, START],
    [program.start, WORD],
    [program.start, OTHER],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [at, before] = next;
    if (seen.has(`${at} ${before}`)) {
      continue;
    }
    seen.add(`${at} ${before}`);
    for (const follows of ['word', 'other', 'end'] as const) {
      const place = {
        start: before === START,
        end: follows === 'end',
        wordBefore: before === WORD,
        wordAfter: follows === 'word',
      };
      reach.begin();
      const goesOn = reach.visit(at, place, (instruction) => {
        if (instruction.kind === 'match') {
          return false;
        }
        if (follows !== 'end' && allows[instruction.atom]?.[follows]) {
          pending.push([instruction.next, follows === 'word' ? WORD : OTHER]);
        }
        return true;
      });
      if (!goesOn) {
        return true;
      }
    }
  }
  return false;
}

const LINE_FEED = 0x0a;

/** Returns the kinds of characters that an atom allows, apart from a line feed. */
function kindsOf(atom: string, flags: string): { word: boolean; other: boolean } {
  const allowed = new RegExp(`^(?:${atom})$`, flags);
  const kinds = { word: false, other: false };
  const last = flags.includes('u') ? 0x10_ffff : 0xffff;
  for (let code = 0; code <= last && !(kinds.word && kinds.other); code++) {
    const character = String.fromCodePoint(code);
    if (code !== LINE_FEED && allowed.test(character)) {
      kinds[/\w/.test(character) ? 'word' : 'other'] = true;
    }
  }
  return kinds;
}
