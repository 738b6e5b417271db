/**
 * Optiboot 4.4, the bootloader of the Uno: a part of STK500 version 1 at 115200 baud. It knows no EEPROM: it reads and
 * writes flash whatever memory type a command names. Sources: Atmel AVR061; `optiboot.c` of Arduino's AVR core; its
 * code, run in an emulator.
 */
import type { AvrStep } from '../faults.ts';
import { type BootContext, type Bootcode, type BootProgram, bytes, type Leaving } from './boot-program.ts';
import { command, crcEop, failed, inSync, ok } from './stk500-v1.ts';

/** Time of the watchdog in milliseconds: 131072 periods of its 128 kHz oscillator. */
const watchdog = 1_024;
/** Time of the watchdog when it is used to leave, in milliseconds. */
const shortWatchdog = 16;
/** Version 4.4. */
const versions: Readonly<Record<number, number>> = { 129: 4, 130: 4 };
/** Answer to all other parameters. */
const otherParameter = 3;
/** Number of words that a write copies from the buffer, whatever length the command names. */
const pageWords = 64;
/** First address from which the CPU halts during an erase, so that the erase starts after the data. */
const nrwwStart = 0x7000;

const steps: Readonly<Record<number, AvrStep>> = {
  [command.getSync]: 'sync',
  [command.enterProgMode]: 'enter',
  [command.leaveProgMode]: 'leave',
  [command.setDevice]: 'parameter',
  [command.setDeviceExt]: 'parameter',
};

const refusal = [inSync, failed];

export const optiboot: Bootcode = { runsAtPower: 'never', deafTime: 375, returnsWhenEmpty: false, run };

function* getch(): BootProgram<number> {
  return yield { kind: 'receive', patience: watchdog, otherwise: () => ({ after: 0 }) };
}

function* run({ memories, now }: BootContext): BootProgram {
  /** Byte address of 16 bits. */
  let address = 0;
  /** RAM that keeps the bytes of earlier writes. */
  const buffer = new Uint8Array(256).fill(0xff);
  const wrong: Leaving = { after: shortWatchdog };
  for (;;) {
    const code = yield* getch();
    switch (code) {
      case command.getParameter: {
        const which = yield* getch();
        if ((yield* getch()) !== crcEop) {
          return wrong;
        }
        const value = versions[which] ?? otherParameter;
        yield { kind: 'exchange', step: 'parameter', answer: () => [inSync, value, ok], refusal };
        break;
      }
      case command.loadAddress: {
        const [low = 0, high = 0, end] = yield* bytes(getch, 3);
        address = ((low | (high << 8)) << 1) & 0xffff;
        if (end !== crcEop) {
          return wrong;
        }
        yield { kind: 'exchange', step: 'address', answer: () => [inSync, ok], refusal };
        break;
      }
      case command.universal:
        if ((yield* bytes(getch, 5))[4] !== crcEop) {
          return wrong;
        }
        yield { kind: 'exchange', step: 'universal', answer: () => [inSync, 0, ok], refusal };
        break;
      case command.progPage: {
        const [, length = 0] = yield* bytes(getch, 3);
        const delayed = address >= nrwwStart;
        if (!delayed) {
          memories.erasePage(now(), address);
        }
        buffer.set(yield* bytes(getch, length === 0 ? 256 : length));
        if ((yield* getch()) !== crcEop) {
          return wrong;
        }
        const work = () => {
          if (delayed) {
            memories.erasePage(now(), address);
          }
          for (let at = 0; at < pageWords * 2; at += 2) {
            memories.fillPage(address + at, (buffer[at] ?? 0) | ((buffer[at + 1] ?? 0) << 8));
          }
          memories.writePage(now(), address);
        };
        yield { kind: 'exchange', step: 'write', early: [inSync], work, answer: () => [ok], refusal };
        break;
      }
      case command.readPage: {
        const [, length = 0, , end] = yield* bytes(getch, 4);
        if (end !== crcEop) {
          return wrong;
        }
        const from = address;
        const count = length === 0 ? 256 : length;
        address = (address + count) & 0xffff;
        const answer = () => [inSync, ...memories.readFlash(from, count), ok];
        yield { kind: 'exchange', step: 'read', answer, refusal };
        break;
      }
      case command.readSignature:
        if ((yield* getch()) !== crcEop) {
          return wrong;
        }
        yield {
          kind: 'exchange',
          step: 'signature',
          answer: () => [inSync, ...memories.board.chip.signature, ok],
          refusal,
        };
        break;
      default: {
        const length = { [command.setDevice]: 20, [command.setDeviceExt]: 5 }[code] ?? 0;
        yield* bytes(getch, length);
        if ((yield* getch()) !== crcEop) {
          return wrong;
        }
        yield { kind: 'exchange', step: steps[code] ?? null, answer: () => [inSync, ok], refusal };
        if (code === command.leaveProgMode) {
          return { after: shortWatchdog };
        }
      }
    }
  }
}
