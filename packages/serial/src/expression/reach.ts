/** Where a program is without taking a character: over its forks, and over the assertions that hold at a place. */
import type { Instruction, Program } from './program.ts';

export interface Place {
  /** Nothing stands before it in the line. */
  readonly start: boolean;
  /** Nothing stands behind it. */
  readonly end: boolean;
  /** The character before it, and the one behind it, is part of a word. */
  readonly wordBefore: boolean;
  readonly wordAfter: boolean;
}

type Stop = Extract<Instruction, { kind: 'character' | 'match' }>;

/** Collects where a program stops for a character or a match, each place once, in the order of preference. */
export class Reach {
  readonly #instructions: readonly Instruction[];
  /** For each instruction, the round in which it was last come to. */
  readonly #seen: Uint32Array;
  readonly #pending: number[] = [];
  #round = 0;

  constructor({ instructions }: Program) {
    this.#instructions = instructions;
    this.#seen = new Uint32Array(instructions.length);
  }

  /** Forgets what was come to. */
  begin(): void {
    this.#round++;
  }

  /** Hands on every stop that is reached from `from` and has not been come to since `begin`; ends when told by false. */
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
        default:
          if (!stop(instruction)) {
            return false;
          }
      }
    }
    return true;
  }
}

function holds(assertion: Extract<Instruction, { kind: 'assertion' }>['assertion'], place: Place): boolean {
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
