/**
 * STK500 version 1 as optiboot and ATmegaBOOT speak it. Sources besides AVR061: `optiboot.c`, `optiboot_x.c` and
 * `ATmegaBOOT_168.c` for what they answer.
 */
import { isSame } from '../../core/bytes.ts';
import type { AvrBootloader } from '../avr-board.ts';
import type { AvrDriver, AvrFacts } from '../avr-driver.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrLink } from '../avr-link.ts';
import { deadlines } from '../deadlines.ts';
import type { AvrPart } from '../parts/part-table.ts';

/** Optiboot answers every parameter that it does not know with 3, the hardware version among them (`optiboot.c`). */
const OPTIBOOT_HARDWARE = 3;
const ATMEGABOOT_HARDWARE = 2;
/** Bytes that tell flash from EEPROM. */
const SAMPLE = 32;
/** Bytes of EEPROM of one request. ATmega4809 has pages of 64 bytes. */
const EEPROM_BLOCK = 32;
/** Largest number of bytes that a bootloader may still wait for: a page with its request. */
const FILLING = 264;

/**
 * Requests and answers of STK500 version 1 (AVR061). A request ends with `Sync_CRC_EOP`, an answer is
 * `Resp_STK_INSYNC`, its data, `Resp_STK_OK`. Addresses are little endian, lengths big endian.
 */
const responses = { ok: 0x10, failed: 0x11, unknown: 0x12, noDevice: 0x13, inSync: 0x14, noSync: 0x15 } as const;

/** First bytes of an answer, also of one that has lost its first. */
const starts: ReadonlySet<number> = new Set(Object.values(responses));

const EOP = 0x20;

export const parameters = { hardware: 0x80, softwareMajor: 0x81, softwareMinor: 0x82 } as const;

/** Memory of a page command: flash or EEPROM. */
type MemoryType = 'F' | 'E';

const codes = {
  getSync: 0x30,
  getParameter: 0x41,
  enterProgramming: 0x50,
  leaveProgramming: 0x51,
  loadAddress: 0x55,
  universal: 0x56,
  programPage: 0x64,
  readPage: 0x74,
  readSignature: 0x75,
} as const;

/** SPI instruction "Load Extended Address byte" (ATmega2560 data sheet, "Serial Programming Instruction Set"). */
const LOAD_EXTENDED_ADDRESS = 0x4d;

const request = (...bytes: readonly number[]) => Uint8Array.of(...bytes, EOP);

export const getSync = () => request(codes.getSync);
export const getParameter = (parameter: number) => request(codes.getParameter, parameter);
export const enterProgramming = () => request(codes.enterProgramming);
export const leaveProgramming = () => request(codes.leaveProgramming);
export const readSignature = () => request(codes.readSignature);

/** @param address Address of a word for flash, or as the bootloader counts; 16 bits. */
export const loadAddress = (address: number) => request(codes.loadAddress, address & 0xff, (address >>> 8) & 0xff);

/** Selects a section of 64 K words by the SPI instruction. Its answer has one byte. */
export const loadExtendedAddress = (section: number) => request(codes.universal, LOAD_EXTENDED_ADDRESS, 0, section, 0);

export function programPage(bytes: Uint8Array, memory: MemoryType): Uint8Array {
  const { length } = bytes;
  return request(codes.programPage, length >>> 8, length & 0xff, memory.charCodeAt(0), ...bytes);
}

/** @param length 1 to 256. */
export function readPage(length: number, memory: MemoryType): Uint8Array {
  return request(codes.readPage, length >>> 8, length & 0xff, memory.charCodeAt(0));
}

const accepted = Uint8Array.of(responses.inSync, responses.ok);

/** Sends Get Sync and looks for its answer among other bytes. Returns false after `limit` milliseconds. */
export async function askV1(link: AvrLink, limit: number, signal: AbortSignal): Promise<boolean> {
  link.send(getSync());
  return findAccepted(link, limit, signal);
}

/**
 * Gets a bootloader into step that may have lost bytes of earlier requests. A lost byte leaves optiboot waiting for the
 * end of a request. A space ends it; any other byte makes optiboot leave (`verifySpace`). ATmegaBOOT ignores up to four
 * unknown bytes.
 */
export async function settleV1(link: AvrLink, signal: AbortSignal): Promise<boolean> {
  for (let spaces = 0; spaces < 2; spaces++) {
    link.send(Uint8Array.of(EOP));
    if (await findAccepted(link, deadlines.sync, signal)) {
      break;
    }
  }
  await link.quiet(signal);
  return askV1(link, deadlines.sync, signal);
}

async function findAccepted(link: AvrLink, limit: number, signal: AbortSignal): Promise<boolean> {
  const look = (pending: Uint8Array) => {
    const end = endOfAccepted(pending);
    return end === null ? null : { result: true, used: end };
  };
  return (await link.find(look, limit, signal)) ?? false;
}

/** Returns the index behind the first answer without data; null if `received` has none. */
export function endOfAccepted(received: Uint8Array): number | null {
  for (let at = 0; at + 2 <= received.length; at++) {
    if (isSame(received.subarray(at, at + 2), accepted)) {
      return at + 2;
    }
  }
  return null;
}

export class V1Driver implements AvrDriver {
  readonly protocol = 'stk500v1';
  readonly awakeInterval = 300;
  readonly isChecked = false;
  readonly writesInOrder = false;
  readonly #link: AvrLink;
  #part: AvrPart | null = null;
  /** Section of 64 K words that was selected last. */
  #section = 0;

  constructor(link: AvrLink) {
    this.#link = link;
  }

  async identify(signal: AbortSignal): Promise<AvrFacts> {
    await this.#exchange(enterProgramming(), 0, deadlines.command, signal);
    const ask = async (parameter: number) =>
      (await this.#exchange(getParameter(parameter), 1, deadlines.command, signal))[0] ?? 0;
    const hardware = await ask(parameters.hardware);
    const major = await ask(parameters.softwareMajor);
    const minor = await ask(parameters.softwareMinor);
    const [first = 0, second = 0, third = 0] = await this.#exchange(readSignature(), 3, deadlines.command, signal);
    const bootloader: AvrBootloader =
      hardware === OPTIBOOT_HARDWARE ? 'optiboot' : hardware === ATMEGABOOT_HARDWARE ? 'atmegaboot' : 'unknown';
    const names = { optiboot: 'optiboot', atmegaboot: 'ATmegaBOOT', unknown: 'STK500 v1' } as const;
    return {
      bootloader,
      name: names[bootloader],
      version: `${major}.${minor}`,
      signature: (first << 16) | (second << 8) | third,
      fuses: null,
    };
  }

  usePart(part: AvrPart): void {
    this.#part = part;
  }

  /**
   * Reads the same address as flash and as EEPROM. Optiboot without EEPROM ignores the kind of memory and would write
   * flash (`optiboot.c`, `STK_PROG_PAGE`). Beyond its end EEPROM is mirrored. The bootloader itself is never empty.
   */
  async hasEeprom(bootStart: number, signal: AbortSignal): Promise<boolean> {
    const read = async (memory: MemoryType) => {
      await this.#loadAddress(bootStart, memory, signal);
      return this.#exchange(readPage(SAMPLE, memory), SAMPLE, deadlines.read, signal);
    };
    return !isSame(await read('F'), await read('E'));
  }

  async readFlash(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    await this.#loadAddress(address, 'F', signal);
    return this.#exchange(readPage(length, 'F'), length, deadlines.read, signal);
  }

  async beginWrite(): Promise<void> {
    // Pages are erased one by one as they are written.
  }

  async writePage(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#loadAddress(address, 'F', signal);
    await this.#exchange(programPage(bytes, 'F'), 0, deadlines.writePage, signal);
  }

  async readEeprom(length: number, signal: AbortSignal, read: (done: number) => void): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += EEPROM_BLOCK) {
      const count = Math.min(EEPROM_BLOCK, length - at);
      await this.#loadAddress(at, 'E', signal);
      bytes.set(await this.#exchange(readPage(count, 'E'), count, deadlines.read, signal), at);
      read(at + count);
    }
    return bytes;
  }

  async writeEeprom(
    bytes: Uint8Array,
    changed: readonly boolean[],
    signal: AbortSignal,
    written: (done: number) => void,
  ): Promise<void> {
    for (let at = 0; at < bytes.length; at += EEPROM_BLOCK) {
      const block = bytes.subarray(at, at + EEPROM_BLOCK);
      if (changed.slice(at, at + block.length).includes(true)) {
        await this.#loadAddress(at, 'E', signal);
        const limit = deadlines.writeEeprom + block.length * deadlines.eepromByte;
        await this.#exchange(programPage(block, 'E'), 0, limit, signal);
      }
      written(at + block.length);
    }
  }

  async keepAwake(signal: AbortSignal): Promise<void> {
    await this.#exchange(getSync(), 0, deadlines.command, signal);
  }

  async resync(signal: AbortSignal): Promise<boolean> {
    this.#section = 0;
    await this.#link.quiet(signal);
    if (await settleV1(this.#link, signal)) {
      return true;
    }
    // The bootloader may wait for the rest of a page. What it then writes is not the page: it is written again.
    this.#link.send(new Uint8Array(FILLING).fill(EOP));
    await this.#link.quiet(signal);
    return settleV1(this.#link, signal);
  }

  async leave(signal: AbortSignal): Promise<void> {
    await this.#exchange(leaveProgramming(), 0, deadlines.command, signal);
  }

  /**
   * Loads the address of the next page. Addresses count words, those of EEPROM too; on ATmega4809 they count bytes
   * (`optiboot_x.c`, `STK_LOAD_ADDRESS`).
   */
  async #loadAddress(address: number, memory: MemoryType, signal: AbortSignal): Promise<void> {
    const counted = this.#part?.isXmega === true ? address : address >>> 1;
    const section = counted >>> 16;
    if (memory === 'F' && section !== this.#section) {
      await this.#exchange(loadExtendedAddress(section), 1, deadlines.command, signal);
      this.#section = section;
    }
    await this.#exchange(loadAddress(counted & 0xffff), 0, deadlines.command, signal);
  }

  /**
   * Sends a request and returns the data of its answer.
   *
   * @throws AvrError `stopped-answering`, or `refused` for another answer.
   */
  async #exchange(bytes: Uint8Array, count: number, limit: number, signal: AbortSignal): Promise<Uint8Array> {
    // An answer that came twice must not count as that of this request.
    this.#link.dropReceived();
    this.#link.send(bytes);
    const answer = await this.#link.take(count + 2, limit + this.#link.port.wireTime(bytes.length), signal);
    if (answer === null || !starts.has(answer[0] ?? -1)) {
      // Other bytes are text: the bootloader has left, and the sketch prints.
      throw new AvrError('stopped-answering');
    }
    if (answer[0] !== responses.inSync || answer[count + 1] !== responses.ok) {
      throw new AvrError('refused', { detail: `Answer ${answer[0]} … ${answer[count + 1]}.` });
    }
    return answer.subarray(1, count + 1);
  }
}
