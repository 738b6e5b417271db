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
