/** AVR109 as Caterina speaks it on the USB of ATmega32U4 (`Caterina.c`). */

import { PortError } from '../../port-failure.ts';
import type { AvrFuses } from '../avr-board.ts';
import type { AvrDriver, AvrFacts } from '../avr-driver.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrLink } from '../avr-link.ts';
import { deadlines } from '../deadlines.ts';

const IDENTIFIER_LENGTH = 7;
const CATERINA = 'CATERIN';
const EEPROM_BLOCK = 64;
/** Bytes that a block may still need, as filling. An escape is ignored outside of one (`Caterina.c`). */
const ESCAPE = 27;
const FILLING = 260;

/** Requests of AVR109 (sections "Commands" and "Block commands"). Numbers are big endian. */

const code = (character: string) => character.charCodeAt(0);
const plain = (character: string) => Uint8Array.of(code(character));

/** Answer to a request without data. */
const CARRIAGE_RETURN = 0x0d;
/** Answer to `supportsBlocks`. */
const YES = code('Y');

export const identifier = () => plain('S');
const softwareVersion = () => plain('V');
export const supportsBlocks = () => plain('b');
const readSignature = () => plain('s');
const enterProgramming = () => plain('P');
const leaveProgramming = () => plain('L');
export const exitBootloader = () => plain('E');

export const fuseReads = {
  low: () => plain('F'),
  high: () => plain('N'),
  extended: () => plain('Q'),
  lock: () => plain('r'),
} as const;

/** @param address Number of a word of flash, or of a byte of EEPROM; 16 bits. */
export const setAddress = (address: number) => Uint8Array.of(code('A'), (address >>> 8) & 0xff, address & 0xff);

export const writeBlock = (bytes: Uint8Array, memory: 'F' | 'E') =>
  Uint8Array.of(code('B'), bytes.length >>> 8, bytes.length & 0xff, code(memory), ...bytes);

export const readBlock = (length: number, memory: 'F' | 'E') =>
  Uint8Array.of(code('g'), length >>> 8, length & 0xff, code(memory));

/** Sends the request for the identifier. Returns its seven characters; null after `limit` milliseconds. */
export async function askAvr109(link: AvrLink, limit: number, signal: AbortSignal): Promise<string | null> {
  link.send(identifier());
  const answer = await link.take(IDENTIFIER_LENGTH, limit, signal);
  const name = answer === null ? '' : String.fromCharCode(...answer);
  return /^[\x20-\x7e]{7}$/.test(name) ? name : null;
}

export class Avr109Driver implements AvrDriver {
  readonly protocol = 'avr109';
  /** Caterina leaves 8 s after the last block. */
  readonly awakeInterval = 2_000;
  readonly isChecked = false;
  readonly writesInOrder = false;
  readonly #link: AvrLink;
  readonly #name: string;

  /** @param name Identifier of the bootloader. */
  constructor(link: AvrLink, name: string) {
    this.#link = link;
    this.#name = name;
  }

  async identify(signal: AbortSignal): Promise<AvrFacts> {
    const [major = 0, minor = 0] = await this.#exchange(softwareVersion(), 2, signal);
    const blocks = await this.#exchange(supportsBlocks(), 3, signal);
    if (blocks[0] !== YES) {
      throw new AvrError('refused', { detail: 'The bootloader takes no blocks.' });
    }
    const [third = 0, second = 0, first = 0] = await this.#exchange(readSignature(), 3, signal);
    await this.#order(enterProgramming(), signal);
    const isUsual = this.#name === CATERINA;
    return {
      bootloader: isUsual ? 'caterina' : 'unknown',
      name: isUsual ? 'Caterina' : this.#name.trim(),
      version: `${String.fromCharCode(major)}.${String.fromCharCode(minor)}`,
      signature: (first << 16) | (second << 8) | third,
      fuses: await this.#readFuses(signal),
    };
  }

  usePart(): void {
    // Sizes are those of the requests.
  }

  /** AVR109 has EEPROM in its block commands. */
  async hasEeprom(): Promise<boolean> {
    return true;
  }

  async readFlash(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    await this.#order(setAddress(address >>> 1), signal);
    return this.#exchange(readBlock(length, 'F'), length, signal, deadlines.read);
  }

  async beginWrite(): Promise<void> {
    // Pages are erased one by one as they are written.
  }

  async writePage(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#order(setAddress(address >>> 1), signal);
    await this.#order(writeBlock(bytes, 'F'), signal, deadlines.writePage);
  }

  async readEeprom(length: number, signal: AbortSignal, read: (done: number) => void): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += EEPROM_BLOCK) {
      const count = Math.min(EEPROM_BLOCK, length - at);
      await this.#order(setAddress(at), signal);
      bytes.set(await this.#exchange(readBlock(count, 'E'), count, signal, deadlines.read), at);
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
        await this.#order(setAddress(at), signal);
        const limit = deadlines.writeEeprom + block.length * deadlines.eepromByte;
        await this.#order(writeBlock(block, 'E'), signal, limit);
      }
      written(at + block.length);
    }
  }

  /** Reads a word: Caterina counts its time from the last block (`Caterina.c`, `Timeout`). */
  async keepAwake(signal: AbortSignal): Promise<void> {
    await this.readFlash(0, 2, signal);
  }

  async resync(signal: AbortSignal): Promise<boolean> {
    await this.#link.quiet(signal);
    if ((await askAvr109(this.#link, deadlines.signOn, signal)) === this.#name) {
      return true;
    }
    // A block that was cut short takes these bytes. The page is written again.
    this.#link.send(new Uint8Array(FILLING).fill(ESCAPE));
    await this.#link.quiet(signal);
    return (await askAvr109(this.#link, deadlines.signOn, signal)) === this.#name;
  }

  async leave(signal: AbortSignal): Promise<void> {
    await this.#order(leaveProgramming(), signal);
    try {
      await this.#order(exitBootloader(), signal);
    } catch (error) {
      // The port may vanish before the answer is read: the bootloader has left.
      if (!(error instanceof PortError && this.#link.port.over.aborted)) {
        throw error;
      }
    }
  }

  async #readFuses(signal: AbortSignal): Promise<AvrFuses> {
    const read = async (request: Uint8Array) => (await this.#exchange(request, 1, signal))[0] ?? null;
    return {
      low: await read(fuseReads.low()),
      high: await read(fuseReads.high()),
      extended: await read(fuseReads.extended()),
      lock: await read(fuseReads.lock()),
    };
  }

  /** Sends a request that is answered by a carriage return. @throws AvrError `stopped-answering` or `refused`. */
  async #order(request: Uint8Array, signal: AbortSignal, limit: number = deadlines.command): Promise<void> {
    const [answer] = await this.#exchange(request, 1, signal, limit);
    if (answer !== CARRIAGE_RETURN) {
      throw new AvrError('refused', { detail: `Answer ${answer} to ${String.fromCharCode(request[0] ?? 0)}.` });
    }
  }

  /** Sends a request and returns its answer. @throws AvrError `stopped-answering`. */
  async #exchange(
    request: Uint8Array,
    count: number,
    signal: AbortSignal,
    limit: number = deadlines.command,
  ): Promise<Uint8Array> {
    // An answer that came twice must not count as that of this request.
    this.#link.dropReceived();
    this.#link.send(request);
    const answer = await this.#link.take(count, limit + this.#link.port.wireTime(request.length), signal);
    if (answer === null) {
      throw new AvrError('stopped-answering');
    }
    return answer;
  }
}
