/** Random sessions with a boot ROM: commands of PICOBOOT and of the drive, right and wrong, requests, resets, waits. */
import type { Random } from '../../../random.ts';
import type { Setup } from '../../rom/boot-device.ts';
import { address } from '../../rom/boot-device.ts';
import { bytesOf, headerOf } from '../recorded-sessions.ts';

export type Action =
  | { readonly what: 'out'; readonly endpoint: number; readonly data: Uint8Array }
  | { readonly what: 'in'; readonly endpoint: number; readonly length: number }
  | { readonly what: 'control'; readonly setup: Setup }
  | { readonly what: 'bus-reset' }
  | { readonly what: 'wait'; readonly time: number };

const addresses = [
  0x1000_0000, 0x1000_1000, 0x1000_0100, 0x1000_0001, 0x101f_f000, 0x101f_ff00, 0x1020_0000, 0x1100_0000, 0x1200_0000,
  0x1400_0000, 0x1800_0000, 0x1fff_f000, 0x1fff_ff00, 0x2000_0000, 0x2000_0010, 0x2004_1f00, 0x2004_2000, 0x1500_0000,
  0x1500_3f00, 0x1500_4000, 0, 0x1f00, 0x2000, 0xffff_ff00,
] as const;
const lengths = [0, 1, 63, 64, 65, 100, 255, 256, 257, 300, 512, 1_000, 1_024, 4_096] as const;
/** Routines in RAM that return: one stores a word, the others count. */
const routines = ['0148024901607047001000200100feca', '01207047000000000000000000000000'] as const;

/** Place of the routines. A session expects code there that returns: the write before may have been refused. */
export const codePlace = 0x2000_3000;
export const returningCode = Uint8Array.from({ length: 64 }, (_, index) => (index % 2 === 0 ? 0x70 : 0x47));

const getStatus: Action = { what: 'control', setup: { type: 0xc1, request: 0x42, value: 0, index: 1, length: 16 } };
const interfaceReset: Action = { what: 'control', setup: { type: 0x41, request: 0x41, value: 0, index: 1, length: 0 } };
const configure: Action = { what: 'control', setup: { type: 0, request: 9, value: 1, index: 0, length: 0 } };
const acknowledgement: Action = { what: 'in', endpoint: address.picobootIn, length: 0 };

/** Returns a session that depends on `random` only. */
export function randomSession(random: Random): Action[] {
  return new Writer(random).session();
}

class Writer {
  readonly #random: Random;
  #token = 0;
  #tag = 0x1000;

  constructor(random: Random) {
    this.#random = random;
  }

  session(): Action[] {
    const opening = this.#below(3) === 0 ? [] : [this.#command(6, [], 0), acknowledgement];
    return [...opening, ...Array.from({ length: 4 + this.#below(8) }, () => this.#part()).flat()];
  }

  #part(): Action[] {
    const parts: readonly (() => Action[])[] = [
      () => this.#read(),
      () => this.#read(),
      () => this.#write(),
      () => this.#write(),
      () => this.#erase(),
      () => [this.#command(1, [this.#below(4)], 0), acknowledgement],
      () => this.#oddCommand(),
      () => [this.#out(new Uint8Array(this.#pick([0, 1, 31, 33, 64, 32]))), acknowledgement, getStatus],
      () => [this.#request()],
      () => this.#drive(),
      () => this.#drive(),
      () => this.#exec(),
      () => this.#reboot(),
      () => [this.#pick<Action>([{ what: 'bus-reset' }, { what: 'wait', time: 5 }]), configure],
      () => [{ what: 'wait', time: this.#pick([1, 5]) }],
    ];
    return this.#pick(parts)();
  }

  #read(): Action[] {
    const [from, length] = [this.#pick(addresses), this.#pick(lengths)];
    const answer = this.#below(4) === 0 ? [] : [this.#out(new Uint8Array(this.#pick([0, 0, 0, 12])))];
    return [this.#command(0x84, words(from, length), length), into(length), ...answer, getStatus];
  }

  #write(): Action[] {
    const [to, length] = [this.#pick(addresses), this.#pick(lengths)];
    const sent = this.#below(6) === 0 ? this.#below(length + 1) : length;
    const data = length === 0 ? [] : [this.#out(this.#bytes(sent))];
    return [this.#command(5, words(to, length), length), ...data, acknowledgement, getStatus];
  }

  #erase(): Action[] {
    const size = this.#pick([0, 4_096, 8_192, 256, 12_288]);
    const end = this.#below(4) === 0 ? [] : [acknowledgement];
    // A refused erase ends at an unknown moment within a packet's time.
    return [this.#command(3, words(this.#pick(addresses), size), 0), { what: 'wait', time: 0.2 }, ...end, getStatus];
  }

  #oddCommand(): Action[] {
    const id = this.#pick([0x81, 0x83, 4, 0x85, 0x86, 9, 0x89, 7, 0x87, 0x82, 10, 0, 0x7f]);
    const args = this.#pick([[], [1], words(0x2000_0000, 256), words(0x2000_1000), words(0x1000_0000, 256)]);
    const answer = this.#below(2) === 0 ? [] : [this.#out(new Uint8Array(this.#pick([0, 64])))];
    return [this.#command(id, args, this.#pick([0, 256, 64])), into(this.#pick([0, 256])), ...answer, getStatus];
  }

  #request(): Action {
    const halt = (request: number, index: number): Action => ({
      what: 'control',
      setup: { type: 2, request, value: 0, index, length: 0 },
    });
    const any: Setup = {
      type: this.#pick([0x80, 0x81, 0x82, 0xa1, 0xc0, 0xc1, 0, 1, 2, 0x21, 0x41, 0x42]),
      request: this.#pick([0, 1, 3, 5, 6, 8, 9, 10, 11, 0x41, 0x42, 0xfe, 0xff]),
      value: this.#pick([0, 0, 0, 1, 0x100, 0x200, 0x300, 0x301, 0x304, 0x201, 0x600]),
      index: this.#pick([0, 1, 2, 0x84, 0x81, 3, 0x101]),
      length: this.#pick([0, 0, 1, 2, 8, 16, 18, 64, 255]),
    };
    return this.#pick<Action>([
      interfaceReset,
      interfaceReset,
      halt(1, this.#pick([3, 0x84, 2, 0x81])),
      halt(3, this.#pick([3, 0x84, 2, 0x81])),
      configure,
      { what: 'control', setup: { type: 0x21, request: 0xff, value: 0, index: 0, length: 0 } },
      { what: 'control', setup: any },
    ]);
  }

  #exec(): Action[] {
    const code = bytesOf(this.#pick(routines));
    return [
      this.#command(5, words(codePlace, code.length), code.length),
      this.#out(code),
      acknowledgement,
      this.#command(8, words(codePlace), 0),
      acknowledgement,
      getStatus,
      this.#command(0x84, words(0x2000_1000, 4), 4),
      into(4),
    ];
  }

  #reboot(): Action[] {
    // At once, or after everything that a host tries before: the moment itself is the emulator's.
    const args = words(0, 0x2004_2000, this.#pick([0, 1_200]));
    return [
      this.#command(2, args, this.#pick([0, 64])),
      acknowledgement,
      this.#command(0x84, words(0x2000_0000, 256), 256),
      into(256),
      getStatus,
      ...this.#writeSector(),
      { what: 'wait', time: 700 },
    ];
  }

  #drive(): Action[] {
    const dataIn = 0x80;
    const any = this.#pick([0, dataIn]);
    const [command, length, flags] = this.#pick<readonly [readonly number[], number, number]>([
      [[0, 0, 0, 0, 0, 0], 0, 0],
      [[0x12, 0, 0, 0, 36, 0], 36, dataIn],
      [[0x12, 0, 0, 0, 36, 0], this.#pick([0, 5, 64, 100]), any],
      [[3, 0, 0, 0, 18, 0], 18, dataIn],
      [[0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0], 8, dataIn],
      [[0x28, 0, 0, 0, 0, this.#pick([2, 3, 131]), 0, 0, this.#below(3), 0], this.#pick([512, 1_024, 0, 100]), any],
      [[0x1b, 0, 0, 0, this.#pick([0, 2, 3]), 0], 0, 0],
      [[0x5a, 0], this.#pick([0, 16]), any],
      [[0x2a, 0, 0, 0, 15, 160, 0, 0, 1, 0], this.#pick([512, 512, 512, 1_024, 100]), this.#pick([0, 0, 0, dataIn])],
    ]);
    const block = new Uint8Array(31);
    const view = new DataView(block.buffer);
    view.setUint32(0, 0x4342_5355, true);
    view.setUint32(4, ++this.#tag, true);
    view.setUint32(8, length, true);
    block.set([flags, this.#pick([...new Array<number>(11).fill(0), 1]), command.length], 12);
    block.set(command, 15);
    const status: Action = { what: 'in', endpoint: address.storageIn, length: 13 };
    const clear: Action = {
      what: 'control',
      setup: { type: 2, request: 1, value: 0, index: this.#pick([0x81, 0x81, 2]), length: 0 },
    };
    const data: Action[] =
      command[0] === 0x2a
        ? [{ what: 'out', endpoint: address.storageOut, data: this.#sectors(length) }]
        : length > 0
          ? [{ what: 'in', endpoint: address.storageIn, length }]
          : [];
    const after = this.#below(2) === 0 ? [] : [clear, status];
    return [{ what: 'out', endpoint: address.storageOut, data: block }, ...data, status, ...after];
  }

  /** A write of one block, and the sense after it. A chip that is about to restart refuses it. */
  #writeSector(): Action[] {
    const command = (bytes: readonly number[], length: number, flags: number): Action => {
      const block = new Uint8Array(31);
      const view = new DataView(block.buffer);
      view.setUint32(0, 0x4342_5355, true);
      view.setUint32(4, ++this.#tag, true);
      view.setUint32(8, length, true);
      block.set([flags, 0, bytes.length, ...bytes], 12);
      return { what: 'out', endpoint: address.storageOut, data: block };
    };
    const answer = (length: number): Action => ({ what: 'in', endpoint: address.storageIn, length });
    const clear: Action = {
      what: 'control',
      setup: { type: 2, request: 1, value: 0, index: address.storageOut, length: 0 },
    };
    return [
      command([0x2a, 0, 0, 0, 15, 160, 0, 0, 1, 0], 512, 0),
      { what: 'out', endpoint: address.storageOut, data: this.#sectors(512) },
      answer(13),
      clear,
      command([3, 0, 0, 0, 18, 0], 18, 0x80),
      answer(18),
      answer(13),
    ];
  }

  /** Two equal blocks of UF2, cut at `length`. */
  #sectors(length: number): Uint8Array {
    const header = headerOf({
      number: this.#below(4),
      total: this.#pick([4, 4, 4, 2]),
      address:
        this.#pick([0x1000_0000, 0x1000_1000, 0x2000_0000, 0x1000_0080, 0x1500_0000, 0x101f_ff00]) +
        256 * this.#below(4),
      flags: this.#pick([0x2000, 0x2000, 0x2001, 0]),
      family: this.#pick([0xe48b_ff56, 0xe48b_ff56, 0xe48b_ff59]),
    });
    const block = new Uint8Array(512);
    block.set(bytesOf(header));
    block.set(this.#bytes(256), 32);
    new DataView(block.buffer).setUint32(508, 0x0ab1_6f30, true);
    return Uint8Array.from([...block, ...block]).slice(0, length);
  }

  #command(id: number, args: readonly number[], length: number): Action {
    const view = new DataView(new ArrayBuffer(32));
    view.setUint32(0, 0x431f_d10b, true);
    view.setUint32(4, ++this.#token, true);
    view.setUint8(8, id);
    view.setUint8(9, args.length);
    view.setUint32(12, length, true);
    new Uint8Array(view.buffer).set(args, 16);
    return this.#out(new Uint8Array(view.buffer));
  }

  #out(data: Uint8Array): Action {
    return { what: 'out', endpoint: address.picobootOut, data };
  }

  #bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#below(256));
  }

  #below(limit: number): number {
    return this.#random.below(limit);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}

function into(length: number): Action {
  return { what: 'in', endpoint: address.picobootIn, length };
}

function words(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24]);
}
