/**
 * ATmegaBOOT_168, the bootloader of the Nano until 2018: STK500 version 1 at 57600 baud. Sources: Atmel AVR061;
 * `ATmegaBOOT_168.c` of Arduino's AVR core; its code, run in an emulator.
 */
import type { AvrStep } from '../faults.ts';
import type { AvrMemories } from '../memories.ts';
import {
  type BootContext,
  type Bootcode,
  type BootProgram,
  bytes,
  type Exchange,
  type Leaving,
} from './boot-program.ts';
import { command, crcEop, failed, inSync, ok } from './stk500-v1.ts';

/** Milliseconds without a byte until the sketch starts. */
const patience = 1_125;
/** Number of commands with a wrong end, or unknown bytes, after which the sketch starts. */
const maxErrors = 5;
/** Hardware version 2, software version 1.16. 0x98 is a request of AVR Studio. */
const parameters: Readonly<Record<number, number>> = { 128: 2, 129: 1, 130: 16, 152: 3 };
/** Highest parameter of Set Parameter that has one byte of data. */
const highestShortParameter = 0x85;
const programmerName = [...new TextEncoder().encode('AVR ISP')];
/** First byte of the SPI command Read Signature Byte. */
const readSignatureByte = 0x30;
const memoryTypeEeprom = 0x45;

const refusal = [inSync, failed];
const acknowledge = () => [inSync, ok];

/** Number of data bytes of commands that are acknowledged and ignored, and their steps. */
const ignored: Readonly<Record<number, { readonly length: number; readonly step: AvrStep }>> = {
  [command.getSync]: { length: 0, step: 'sync' },
  [command.setDevice]: { length: 20, step: 'parameter' },
  [command.setDeviceExt]: { length: 5, step: 'parameter' },
  [command.enterProgMode]: { length: 0, step: 'enter' },
  [command.chipErase]: { length: 0, step: 'enter' },
  [command.leaveProgMode]: { length: 0, step: 'leave' },
};

export const atmegaBoot: Bootcode = { runsAtPower: 'always', deafTime: 200, returnsWhenEmpty: true, run };

function* getch(): BootProgram<number> {
  return yield { kind: 'receive', patience, otherwise: () => ({ after: 0 }) };
}

function* run({ memories, now }: BootContext): BootProgram {
  let errors = 0;
  /** Word address of Load Address; after a read or write, which double it, a byte address. 16 bits. */
  let address = 0;
  const sketch: Leaving = { after: 0 };

  /** Answers if the command ends correctly. Returns false after too many errors. */
  function* finish(exchange: Omit<Exchange, 'kind' | 'refusal'>): BootProgram<boolean> {
    if ((yield* getch()) === crcEop) {
      yield { kind: 'exchange', refusal, ...exchange };
      return true;
    }
    errors++;
    return errors < maxErrors;
  }

  for (;;) {
    const code = yield* getch();
    const plain = ignored[code];
    let goesOn = true;
    if (plain !== undefined) {
      yield* bytes(getch, plain.length);
      goesOn = yield* finish({ step: plain.step, answer: acknowledge });
    } else if (code === command.getSignOn) {
      goesOn = yield* finish({ step: 'sync', answer: () => [inSync, ...programmerName, ok] });
    } else if (code === command.setParameter) {
      yield* bytes(getch, (yield* getch()) > highestShortParameter ? 1 : 0);
      goesOn = yield* finish({ step: 'parameter', answer: acknowledge });
    } else if (code === command.getParameter) {
      const value = parameters[yield* getch()] ?? 0;
      goesOn = yield* finish({ step: 'parameter', answer: () => [inSync, value, ok] });
    } else if (code === command.loadAddress) {
      const [low = 0, high = 0] = yield* bytes(getch, 2);
      address = low | (high << 8);
      goesOn = yield* finish({ step: 'address', answer: acknowledge });
    } else if (code === command.universal) {
      const [first, , index = 0] = yield* bytes(getch, 4);
      const value = first === readSignatureByte ? memories.board.chip.signature[Math.min(index, 2)] : 0;
      goesOn = yield* finish({ step: 'universal', answer: () => [inSync, value ?? 0, ok] });
    } else if (code === command.progPage) {
      const [high = 0, low = 0, type] = yield* bytes(getch, 3);
      const data = yield* bytes(getch, (high << 8) | low);
      const eeprom = type === memoryTypeEeprom;
      const work = () => {
        address = (address << 1) & 0xffff;
        if (eeprom) {
          writeEeprom(memories, now(), address, data);
          address = (address + data.length) & 0xffff;
        } else {
          writeFlash(memories, now(), address, data);
        }
      };
      goesOn = yield* finish({ step: eeprom ? 'write-eeprom' : 'write', work, answer: acknowledge });
    } else if (code === command.readPage) {
      const [high = 0, low = 0, type] = yield* bytes(getch, 3);
      const length = (high << 8) | low;
      const eeprom = type === memoryTypeEeprom;
      const from = (address << 1) & 0xffff;
      address = from;
      // A wrong end is not counted here.
      if ((yield* getch()) === crcEop) {
        address = (from + length) & 0xffff;
        const read = () => (eeprom ? memories.readEeprom(from, length) : memories.readFlash(from, length));
        const answer = () => [inSync, ...read(), ok];
        yield { kind: 'exchange', step: eeprom ? 'read-eeprom' : 'read', answer, refusal };
      }
    } else if (code === command.readSignature) {
      goesOn = yield* finish({ step: 'signature', answer: () => [inSync, ...memories.board.chip.signature, ok] });
    } else if (code === command.readOscillator) {
      goesOn = yield* finish({ step: 'parameter', answer: () => [inSync, 0, ok] });
    } else {
      errors++;
      goesOn = errors < maxErrors;
    }
    if (!goesOn) {
      return sketch;
    }
  }
}

function writeEeprom(memories: AvrMemories, at: number, from: number, data: readonly number[]): void {
  for (const [index, byte] of data.entries()) {
    memories.writeEeprom(at, from + index, byte);
  }
}

/**
 * Erases and writes page by page, counted from `from` on. A whole page is written where its last word is, a part of one
 * where the word after its last is: with an address inside a page that is another page than the erased one.
 */
function writeFlash(memories: AvrMemories, at: number, from: number, data: readonly number[]): void {
  const { pageSize } = memories.board.chip;
  for (let start = 0; start < data.length; start += pageSize) {
    const end = Math.min(data.length, start + pageSize);
    memories.erasePage(at, from + start);
    memories.clearPage();
    for (let index = start; index < end; index += 2) {
      memories.fillPage(from + index, (data[index] ?? 0) | ((data[index + 1] ?? 0xff) << 8));
    }
    memories.writePage(at, from + (end - start === pageSize ? end - 2 : end));
  }
}
