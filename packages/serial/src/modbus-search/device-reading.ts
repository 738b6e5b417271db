/** Reads the identification and the tables of one device that was found. */
import { readRequest } from '@wirebench/frames/modbus';
import type { ChangingDevice } from './findings.ts';
import type { Answer, Question } from './line-questions.ts';
import { type BlockAnswer, type FoundTable, findRanges, tableFunctions } from './register-ranges.ts';
import {
  ANSWER_BYTES,
  LONGEST_ANSWER,
  longLimit,
  MAX_PARTS,
  MAX_REPEATS,
  type Range,
  TRIES,
  UNIT_ANSWER,
} from './search-plan.ts';

export interface DeviceReadingParts {
  /** Changed while it is read. */
  readonly device: ChangingDevice;
  readonly limit: number;
  readonly registers: Range | null;
  readonly ask: (question: Question) => Promise<Answer>;
  /** Called before each block of a table. */
  readonly onBlock: () => void;
}

/** Exceptions that mean the function itself (V1.1b3, section 7). */
const ILLEGAL_FUNCTION = 1;

/** Identification (V1.1b3, section 6.21): type 14, basic objects, in parts as long as more follow. */
const IDENTIFICATION = 14;
const BASIC = 1;
const MORE_FOLLOWS = 0xff;

/** Returns the request by which a unit is looked for: its first holding register. */
export const unitRequest = (unit: number): Uint8Array => readRequest(unit, 3, [0, 0, 0, 1]);

/** Characters of an identification that are kept. */
const MAX_CHARACTERS = 200;

const word = (value: number): readonly number[] => [value >> 8, value & 0xff];

/** Reads a device. One whose answers come after the limit keeps its registers unread. */
export async function readDevice(parts: DeviceReadingParts): Promise<void> {
  const { device, limit, registers, onBlock } = parts;
  const questions = new DeviceQuestions(parts);
  if (device.fastest > limit) {
    return;
  }
  device.identification = await questions.identification();
  if (registers === null) {
    return;
  }
  const tables: FoundTable[] = [];
  for (const [table, code] of tableFunctions) {
    const ranges = await findRanges(registers, (address, count) => {
      onBlock();
      return questions.block(code, address, count);
    });
    if (ranges === null) {
      // Some devices say nothing to a function that they do not have.
      if (await questions.isThere()) {
        continue;
      }
      device.isGone = true;
      return;
    }
    if (ranges.length > 0) {
      tables.push({ table, ranges });
    }
  }
  device.tables = tables;
}

class DeviceQuestions {
  readonly #parts: DeviceReadingParts;
  #repeats = MAX_REPEATS;

  constructor(parts: DeviceReadingParts) {
    this.#parts = parts;
  }

  async identification(): Promise<readonly string[]> {
    const { unit } = this.#parts.device;
    const objects: string[] = [];
    let next = 0;
    for (let part = 0; part < MAX_PARTS; part++) {
      const request = readRequest(unit, 43, [IDENTIFICATION, BASIC, next]);
      const answer = await this.#clear(request, LONGEST_ANSWER);
      if (answer.kind !== 'answer' || answer.exception !== null) {
        // Devices that know no function 43 may also be silent about it.
        break;
      }
      const { frame } = answer;
      let at = 8;
      for (let left = frame[7] as number; left > 0 && at + 2 <= frame.length - 2; left--) {
        const length = frame[at + 1] as number;
        objects.push(textOf(frame.subarray(at + 2, Math.min(at + 2 + length, frame.length - 2))));
        at += 2 + length;
      }
      const following = frame[6] as number;
      if (frame[5] !== MORE_FOLLOWS || following <= next) {
        break;
      }
      next = following;
    }
    return objects.filter((text) => text !== '');
  }

  async block(code: 1 | 2 | 3 | 4, address: number, count: number): Promise<BlockAnswer> {
    const { device } = this.#parts;
    const request = readRequest(device.unit, code, [...word(address), ...word(count)]);
    const answer = await this.#clear(request, ANSWER_BYTES + 2 * count);
    if (answer.kind !== 'answer') {
      return 'silent';
    }
    const { exception } = answer;
    return exception === null ? 'read' : exception === ILLEGAL_FUNCTION ? 'no-table' : 'refused';
  }

  /** Returns true if the device still answers the request by which it was found. */
  async isThere(): Promise<boolean> {
    const { kind } = await this.#clear(unitRequest(this.#parts.device.unit), UNIT_ANSWER);
    return kind === 'answer';
  }

  /** Asks until an answer comes, a few times, and longer than before. */
  async #clear(request: Uint8Array, answerBytes: number): Promise<Answer> {
    const { device, limit, ask } = this.#parts;
    let answer = await ask({ request, answerBytes, limit, lingers: false });
    for (let tries = 1; tries < TRIES && this.#repeats > 0 && answer.kind !== 'answer'; tries++) {
      device.damaged += answer.kind === 'damaged' ? 1 : 0;
      this.#repeats--;
      answer = await ask({ request, answerBytes, limit: longLimit(limit), lingers: false });
    }
    if (answer.kind === 'answer') {
      device.fastest = Math.min(device.fastest, answer.ms);
      device.slowest = Math.max(device.slowest, answer.ms);
      device.isTwice ||= answer.isTwice;
    } else {
      device.damaged += answer.kind === 'damaged' ? 1 : 0;
    }
    return answer;
  }
}

/** Returns text of a device without control characters. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
}
