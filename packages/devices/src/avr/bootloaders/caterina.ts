/**
 * Caterina, the bootloader of the Leonardo: AVR109 on the chip's own USB. It processes one command in each USB packet
 * and drops the rest of the packet. Sources: Atmel AVR109; `Caterina.c` of Arduino's AVR core.
 */
import { type BootContext, type Bootcode, type BootProgram, bytes } from './boot-program.ts';

/** Milliseconds until the sketch starts, if there is one. Only block reads and writes start this time again. */
const timeout = 8_000;
/** Milliseconds until the sketch starts after Exit. */
const exitTime = 500;

const char = (text: string) => text.charCodeAt(0);
const carriageReturn = 0x0d;
const unknown = [0x3f];
const done = () => [carriageReturn];
const identifier = [...new TextEncoder().encode('CATERIN')];
/** Part code of an ATmega128, which the old AVRProg accepts. */
const partCode = 0x44;

export const caterina: Bootcode = { runsAtPower: 'without-sketch', deafTime: 0, returnsWhenEmpty: true, run };

/** The main loop does not run in the middle of a command, so its timeout does not either. */
function* getch(): BootProgram<number> {
  return yield { kind: 'receive', patience: Number.POSITIVE_INFINITY, otherwise: () => null };
}

function* run({ memories, now }: BootContext): BootProgram {
  const { fuses, chip, bootStart } = memories.board;
  /** Byte address of a word. */
  let address = 0;
  let deadline = now() + timeout;

  const whenIdle = () => {
    if (memories.hasSketch) {
      return { after: 0 };
    }
    // Without a sketch the counter of the timeout stands still.
    deadline = now() + timeout;
    return null;
  };

  function eraseAll(): void {
    for (let page = 0; page < bootStart; page += chip.pageSize) {
      memories.erasePage(now(), page);
      memories.writePage(now(), page);
    }
  }

  function writeFlash(data: readonly number[]): void {
    const start = address;
    memories.erasePage(now(), start);
    for (let index = 0; index + 1 < data.length; index += 2) {
      memories.fillPage(address, (data[index] ?? 0) | ((data[index + 1] ?? 0) << 8));
      address += 2;
    }
    memories.writePage(now(), start);
  }

  function writeEeprom(data: readonly number[]): void {
    for (const byte of data) {
      memories.writeEeprom(now(), address >> 1, byte);
      address += 2;
    }
  }

  function* block(write: boolean): BootProgram<void> {
    const [high = 0, low = 0, type] = yield* bytes(getch, 3);
    const size = (high << 8) | low;
    const eeprom = type === char('E');
    if (!eeprom && type !== char('F')) {
      yield { kind: 'exchange', step: null, answer: () => unknown, refusal: unknown };
    } else if (write) {
      const data = yield* bytes(getch, size);
      const work = () => (eeprom ? writeEeprom(data) : writeFlash(data));
      yield { kind: 'exchange', step: eeprom ? 'write-eeprom' : 'write', work, answer: done, refusal: unknown };
    } else {
      memories.clearPage();
      const answer = () => {
        const content = eeprom ? memories.readEeprom(address >> 1, size) : memories.readFlash(address, size);
        address += eeprom ? size * 2 : size & ~1;
        return content;
      };
      yield { kind: 'exchange', step: eeprom ? 'read-eeprom' : 'read', answer, refusal: unknown };
    }
    deadline = now() + timeout;
  }

  function* execute(code: string): BootProgram<void> {
    switch (code) {
      case 'E':
        deadline = now() + exitTime;
        memories.clearPage();
        yield { kind: 'exchange', step: 'leave', answer: done, refusal: unknown };
        break;
      case 'T':
        yield* getch();
        yield { kind: 'exchange', step: 'parameter', answer: done, refusal: unknown };
        break;
      case 'L':
      case 'P':
        yield { kind: 'exchange', step: 'enter', answer: done, refusal: unknown };
        break;
      case 't':
        yield { kind: 'exchange', step: 'parameter', answer: () => [partCode, 0], refusal: unknown };
        break;
      case 'a':
        yield { kind: 'exchange', step: 'parameter', answer: () => [char('Y')], refusal: unknown };
        break;
      case 'A': {
        const [high = 0, low = 0] = yield* bytes(getch, 2);
        address = (high << 9) | (low << 1);
        yield { kind: 'exchange', step: 'address', answer: done, refusal: unknown };
        break;
      }
      case 'p':
        yield { kind: 'exchange', step: 'parameter', answer: () => [char('S')], refusal: unknown };
        break;
      case 'S':
        yield { kind: 'exchange', step: 'sync', answer: () => identifier, refusal: unknown };
        break;
      case 'V':
        yield { kind: 'exchange', step: 'parameter', answer: () => [char('1'), char('0')], refusal: unknown };
        break;
      case 's':
        yield { kind: 'exchange', step: 'signature', answer: () => chip.signature.toReversed(), refusal: unknown };
        break;
      case 'e':
        yield { kind: 'exchange', step: 'erase', work: eraseAll, answer: done, refusal: unknown };
        break;
      case 'r':
        yield { kind: 'exchange', step: 'fuses', answer: () => [memories.lock], refusal: unknown };
        break;
      case 'F':
        yield { kind: 'exchange', step: 'fuses', answer: () => [fuses.low], refusal: unknown };
        break;
      case 'N':
        yield { kind: 'exchange', step: 'fuses', answer: () => [fuses.high], refusal: unknown };
        break;
      case 'Q':
        yield { kind: 'exchange', step: 'fuses', answer: () => [fuses.extended], refusal: unknown };
        break;
      case 'b': {
        const answer = () => [char('Y'), chip.pageSize >> 8, chip.pageSize & 0xff];
        yield { kind: 'exchange', step: 'parameter', answer, refusal: unknown };
        break;
      }
      case 'B':
      case 'g':
        yield* block(code === 'B');
        break;
      case 'C':
      case 'c': {
        const byte = yield* getch();
        memories.fillPage(address, byte);
        address += code === 'c' ? 2 : 0;
        yield { kind: 'exchange', step: 'write', answer: done, refusal: unknown };
        break;
      }
      case 'm': {
        const work = () => memories.writePage(now(), address);
        yield { kind: 'exchange', step: 'write', work, answer: done, refusal: unknown };
        break;
      }
      case 'R':
        yield {
          kind: 'exchange',
          step: 'read',
          answer: () => memories.readFlash(address, 2).toReversed(),
          refusal: unknown,
        };
        break;
      case 'D': {
        const byte = yield* getch();
        yield {
          kind: 'exchange',
          step: 'write-eeprom',
          work: () => writeEeprom([byte]),
          answer: done,
          refusal: unknown,
        };
        break;
      }
      case 'd': {
        const answer = () => {
          address += 2;
          return memories.readEeprom((address >> 1) - 1, 1);
        };
        yield { kind: 'exchange', step: 'read-eeprom', answer, refusal: unknown };
        break;
      }
      case '\x1b':
        break;
      default:
        yield { kind: 'exchange', step: null, answer: () => unknown, refusal: unknown };
    }
  }

  for (;;) {
    const code = yield { kind: 'receive', patience: Math.max(0, deadline - now()), otherwise: whenIdle };
    yield* execute(String.fromCharCode(code));
    yield { kind: 'end-packet' };
  }
}
