/**
 * stk500boot of 2012, the bootloader of the Mega 2560: STK500 version 2 at 115200 baud. It erases pages one after the
 * other from the start of the flash, one with each write, whatever address is written: only a write of all pages from 0
 * on, right after a reset, comes out as it was sent. Sources: Atmel AVR068; `stk500boot.c` of Arduino's AVR core; its
 * code, run in an emulator.
 */
import type { AvrStep } from '../faults.ts';
import { type BootContext, type Bootcode, type BootProgram, bytes } from './boot-program.ts';

/** Milliseconds from its start until the sketch starts, if no byte comes. */
const firstPatience = 833;
/** Milliseconds without a byte until the sketch starts, if there is one. */
const patience = 5_000;
/** Milliseconds from the answer to Leave Programming Mode until the sketch starts. */
const leaveTime = 100;
/** Size in bytes of the flash at the end, bootloader included, that is never erased. */
const neverErased = 2 * 8_192;
const signOnText = [...new TextEncoder().encode('AVRISP_2')];

const messageStart = 0x1b;
const token = 0x0e;
const command = {
  signOn: 0x01,
  setParameter: 0x02,
  getParameter: 0x03,
  loadAddress: 0x06,
  enterProgMode: 0x10,
  leaveProgMode: 0x11,
  chipErase: 0x12,
  programFlash: 0x13,
  readFlash: 0x14,
  programEeprom: 0x15,
  readEeprom: 0x16,
  readFuse: 0x18,
  programLock: 0x19,
  readLock: 0x1a,
  readSignature: 0x1b,
  spiMulti: 0x1d,
} as const;
const statusOk = 0x00;
const statusFailed = 0xc0;
/** Hardware version 15, software version 2.10. */
const parameters: Readonly<Record<number, number>> = { 144: 0x0f, 145: 2, 146: 0x0a };
/** Lock bits that Program Lock can change (BLB). */
const bootLockBits = 0x3c;

export const stk500v2: Bootcode = { runsAtPower: 'always', deafTime: 0, returnsWhenEmpty: true, run };

/** Outcome of a message: its body, and the work before it. */
interface Reply {
  readonly step: AvrStep | null;
  readonly work?: () => void;
  readonly body: () => readonly number[];
}

function* run({ memories, now }: BootContext): BootProgram {
  const { signature, eepromSize, pageSize, flashSize } = memories.board.chip;
  const { fuses } = memories.board;
  /** Byte address. */
  let address = 0;
  let eraseAddress = 0;
  const whenIdle = () => (memories.hasSketch ? { after: 0 } : null);

  function* getch(): BootProgram<number> {
    return yield { kind: 'receive', patience, otherwise: whenIdle };
  }

  /** Receives a message with a right checksum. */
  function* message(first: number): BootProgram<{ readonly sequence: number; readonly body: readonly number[] }> {
    let start = first;
    for (;;) {
      if (start === messageStart) {
        const [sequence = 0, high = 0, low = 0, mark = 0] = yield* bytes(getch, 4);
        if (mark === token) {
          const body = yield* bytes(getch, (high << 8) | low);
          const sum = [messageStart, sequence, high, low, token, ...body].reduce((all, byte) => all ^ byte, 0);
          if ((yield* getch()) === sum) {
            return { sequence, body };
          }
        }
      }
      start = yield* getch();
    }
  }

  function spiMulti(first: number, third: number): number {
    switch (first) {
      case 0x30:
        return signature[Math.min(third, 2)] ?? 0;
      case 0x50:
        return fuses.low;
      case 0x58:
        return fuses.high;
      default:
        return 0;
    }
  }

  function programFlash(data: readonly number[]): void {
    const from = address;
    if (eraseAddress < flashSize - neverErased) {
      memories.erasePage(now(), eraseAddress);
      eraseAddress += pageSize;
    }
    for (let index = 0; index < data.length; index += 2) {
      memories.fillPage(address, (data[index] ?? 0) | ((data[index + 1] ?? 0) << 8));
      address += 2;
    }
    memories.writePage(now(), from);
  }

  function programEeprom(data: readonly number[]): void {
    for (const byte of data) {
      memories.writeEeprom(now(), address >>> 1, byte);
      address += 2;
    }
  }

  function execute(body: readonly number[]): Reply {
    const [code = 0, one = 0, two = 0, three = 0, four = 0] = body;
    const size = (one << 8) | two;
    // Called by the write commands only: in other messages, the bytes of the size often stand for more than 32 KB.
    const data = () => Array.from({ length: size }, (_, index) => body[10 + index] ?? 0);
    const done = (...rest: readonly number[]) => [code, statusOk, ...rest];
    switch (code) {
      case command.signOn:
        return { step: 'sync', body: () => done(signOnText.length, ...signOnText) };
      case command.getParameter:
        return { step: 'parameter', body: () => done(parameters[one] ?? 0) };
      case command.setParameter:
        return { step: 'parameter', body: () => done() };
      case command.enterProgMode:
        return { step: 'enter', body: () => done() };
      case command.leaveProgMode:
        return { step: 'leave', body: () => done() };
      case command.readSignature:
        return { step: 'signature', body: () => done(signature[Math.min(four, 2)] ?? 0, statusOk) };
      case command.readLock:
        return { step: 'fuses', body: () => done(memories.lock, statusOk) };
      case command.readFuse: {
        const fuse = two !== 0x50 ? fuses.high : three === 0x08 ? fuses.extended : fuses.low;
        return { step: 'fuses', body: () => done(fuse, statusOk) };
      }
      case command.programLock:
        return { step: 'fuses', work: () => memories.programLock(four | ~bootLockBits), body: () => done(statusOk) };
      case command.spiMulti:
        return { step: 'universal', body: () => done(0, four, 0, spiMulti(four, body[6] ?? 0), statusOk) };
      case command.chipErase:
        return {
          step: 'erase',
          work: () => {
            eraseAddress = 0;
          },
          body: () => [code, statusFailed],
        };
      case command.loadAddress:
        return {
          step: 'address',
          work: () => {
            // Four bytes of a word address. The doubling drops the highest bit, which marks an extended address.
            address = (((one << 24) | (two << 16) | (three << 8) | four) << 1) >>> 0;
          },
          body: () => done(),
        };
      case command.programFlash:
        return { step: 'write', work: () => programFlash(data()), body: () => done() };
      case command.programEeprom:
        return { step: 'write-eeprom', work: () => programEeprom(data()), body: () => done() };
      case command.readFlash: {
        const read = () => {
          const content = memories.readFlash(address, size);
          address += size;
          return done(...content, statusOk);
        };
        return { step: 'read', body: read };
      }
      case command.readEeprom: {
        // Unlike the write, the read takes the doubled address as it is.
        const read = () => {
          const content = memories.readEeprom(address % eepromSize, size);
          address += size;
          return done(...content, statusOk);
        };
        return { step: 'read-eeprom', body: read };
      }
      default:
        return { step: null, body: () => [code, statusFailed] };
    }
  }

  let first = yield { kind: 'receive', patience: firstPatience, otherwise: () => ({ after: 0 }) };
  for (;;) {
    const { sequence, body } = yield* message(first);
    const reply = execute(body);
    yield {
      kind: 'exchange',
      step: reply.step,
      ...(reply.work !== undefined && { work: reply.work }),
      answer: () => framed(sequence, reply.body()),
      refusal: framed(sequence, [body[0] ?? 0, statusFailed]),
    };
    if (body[0] === command.leaveProgMode) {
      return { after: leaveTime };
    }
    first = yield* getch();
  }
}

function framed(sequence: number, body: readonly number[]): number[] {
  const content = [messageStart, sequence, body.length >> 8, body.length & 0xff, token, ...body];
  return [...content, content.reduce((sum, byte) => sum ^ byte, 0)];
}
