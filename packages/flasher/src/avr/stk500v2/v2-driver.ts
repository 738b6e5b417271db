/**
 * STK500 version 2 as the bootloader of the Arduino Mega 2560 speaks it (`stk500boot.c`). It erases pages in order: each
 * page that is written erases the page of a counter, whatever address was loaded. The counter is 0 after a reset and after
 * Chip Erase, which erases nothing.
 */
import { joined } from '@wirebench/port/bytes';
import type { AvrFuses } from '../avr-board.ts';
import type { AvrDriver, AvrFacts } from '../avr-driver.ts';
import { AvrError } from '../avr-failure.ts';
import type { AvrLink } from '../avr-link.ts';
import { deadlines } from '../deadlines.ts';
import type { AvrPart } from '../parts/part-table.ts';

/** Flash with more bytes needs an extended address. */
const SHORT_FLASH = 128 * 1_024;
/** Bytes of EEPROM of one request. */
const EEPROM_BLOCK = 64;
/** Zeros that fill the largest request that was cut short. They are ignored outside of a frame. */
const FILLING = new Uint8Array(285);
const RESYNC_TRIES = 3;
const FIRST_SEQUENCE = 1;

/**
 * Frames of STK500 version 2 (AVR068, "Message Format"): start, sequence number, size of the body (big endian), token,
 * body, XOR of all bytes before.
 */

const START = 0x1b;
const TOKEN = 0x0e;
/** Bytes of a frame besides its body. */
const FRAME_OVERHEAD = 6;
/** Largest body of an answer: a page of 256 bytes, with command and both status bytes. */
const MAXIMUM_BODY = 275;

/** Builds a frame. @param sequence 0 to 255; the answer repeats it. */
export function v2Frame(sequence: number, body: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_OVERHEAD + body.length);
  frame.set([START, sequence, body.length >>> 8, body.length & 0xff, TOKEN]);
  frame.set(body, 5);
  frame[frame.length - 1] = xorOf(frame.subarray(0, -1));
  return frame;
}

interface FoundFrame {
  readonly sequence: number;
  readonly body: Uint8Array;
  /** Bytes up to the end of the frame. */
  readonly used: number;
}

/** Finds the first intact frame; null if there is none yet. Other bytes before it are skipped. */
export function findV2Frame(bytes: Uint8Array): FoundFrame | null {
  for (let at = 0; at + FRAME_OVERHEAD <= bytes.length; at++) {
    if (bytes[at] !== START || bytes[at + 4] !== TOKEN) {
      continue;
    }
    const size = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    const end = at + FRAME_OVERHEAD + size;
    if (size > 0 && size <= MAXIMUM_BODY && end <= bytes.length) {
      if (bytes[end - 1] === xorOf(bytes.subarray(at, end - 1))) {
        return { sequence: bytes[at + 1] ?? 0, body: bytes.slice(at + 5, end - 1), used: end };
      }
    }
  }
  return null;
}

function xorOf(bytes: Uint8Array): number {
  let xor = 0;
  for (const byte of bytes) {
    xor ^= byte;
  }
  return xor;
}

const v2Codes = {
  signOn: 0x01,
  getParameter: 0x03,
  loadAddress: 0x06,
  enterProgramming: 0x10,
  leaveProgramming: 0x11,
  chipErase: 0x12,
  programFlash: 0x13,
  readFlash: 0x14,
  programEeprom: 0x15,
  readEeprom: 0x16,
  readFuse: 0x18,
  readLock: 0x1a,
  readSignature: 0x1b,
} as const;

/** Bodies of requests of STK500 version 2 (AVR068, "Commands"). Numbers are big endian. */
const STATUS_OK = 0x00;

/** `targetVoltage` is in tenths of a volt. A bootloader has none. */
export const v2Parameters = { softwareMajor: 0x91, softwareMinor: 0x92, targetVoltage: 0x94 } as const;

/** Bit 31 of an address: the part has more than 64 K words, so the extended address is loaded (AVR068, `CMD_LOAD_ADDRESS`). */
const EXTENDED = 0x8000_0000;
/** Bytes of an answer before the byte that an SPI instruction reads (AVR068, `CMD_READ_FUSE_ISP`, "RetAddr"). */
const RETURNED_BYTE = 4;
/** Mode of programming: a page, written at the end of the command, with a wait for a fixed time (AVR068, "Mode byte"). */
const PAGE_MODE = 0xc1;
const WRITE_DELAY = 10;

export const signOn = () => Uint8Array.of(v2Codes.signOn);
export const getV2Parameter = (parameter: number) => Uint8Array.of(v2Codes.getParameter, parameter);

/**
 * Parameters as AVR Studio sends them for AVR parts: time-out, stabilisation, delays, synchronising, poll value and
 * index, then the SPI instruction "Programming Enable".
 */
const enterV2Programming = () =>
  Uint8Array.of(v2Codes.enterProgramming, 200, 100, 25, 32, 0, 0x53, 3, 0xac, 0x53, 0, 0);
const leaveV2Programming = () => Uint8Array.of(v2Codes.leaveProgramming, 1, 1);
/** Erase delay, poll method, then the SPI instruction "Chip Erase". */
const chipErase = () => Uint8Array.of(v2Codes.chipErase, WRITE_DELAY, 0, 0xac, 0x80, 0, 0);

/**
 * Loads an address.
 *
 * @param address Number of a word of flash, or of a byte of EEPROM.
 * @param isExtended True for flash of parts with more than 64 K words.
 */
export function loadV2Address(address: number, isExtended: boolean): Uint8Array {
  const body = new Uint8Array(5);
  body[0] = v2Codes.loadAddress;
  new DataView(body.buffer).setUint32(1, address + (isExtended ? EXTENDED : 0));
  return body;
}

/** SPI instructions "Load Program Memory Page", "Write Program Memory Page" and "Read Program Memory". */
export const programV2Flash = (bytes: Uint8Array) => programV2(v2Codes.programFlash, [0x40, 0x4c, 0x20], bytes);
/** SPI instructions "Load EEPROM Memory Page", "Write EEPROM Memory Page" and "Read EEPROM Memory". */
const programV2Eeprom = (bytes: Uint8Array) => programV2(v2Codes.programEeprom, [0xc1, 0xc2, 0xa0], bytes);

function programV2(code: number, instructions: readonly number[], bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const head = [code, length >>> 8, length & 0xff, PAGE_MODE, WRITE_DELAY, ...instructions, 0, 0];
  return Uint8Array.of(...head, ...bytes);
}

export const readV2Flash = (length: number) => Uint8Array.of(v2Codes.readFlash, length >>> 8, length & 0xff, 0x20);
const readV2Eeprom = (length: number) => Uint8Array.of(v2Codes.readEeprom, length >>> 8, length & 0xff, 0xa0);

/** SPI instruction "Read Signature Byte". @param index 0 to 2. */
export const readV2Signature = (index: number) =>
  Uint8Array.of(v2Codes.readSignature, RETURNED_BYTE, 0x30, 0, index, 0);

/** SPI instructions "Read Fuse bits", "Read Fuse High bits", "Read Extended Fuse Bits" and "Read Lock bits". */
export const fuseReads = {
  low: () => Uint8Array.of(v2Codes.readFuse, RETURNED_BYTE, 0x50, 0x00, 0, 0),
  high: () => Uint8Array.of(v2Codes.readFuse, RETURNED_BYTE, 0x58, 0x08, 0, 0),
  extended: () => Uint8Array.of(v2Codes.readFuse, RETURNED_BYTE, 0x50, 0x08, 0, 0),
  lock: () => Uint8Array.of(v2Codes.readLock, RETURNED_BYTE, 0x58, 0x00, 0, 0),
} as const;

/** Sends Sign On and looks for its answer. Returns the name that it tells; null after `limit` milliseconds. */
export async function askV2(link: AvrLink, limit: number, signal: AbortSignal): Promise<string | null> {
  link.send(v2Frame(FIRST_SEQUENCE, signOn()));
  return link.find(findSignOn, limit, signal);
}

/** Finds an answer to Sign On. `result` is the name that it tells, `used` the index behind it. */
export function findSignOn(received: Uint8Array): { readonly result: string; readonly used: number } | null {
  const frame = findV2Frame(received);
  const name = frame === null ? null : nameOf(frame.body);
  return frame === null || name === null ? null : { result: name, used: frame.used };
}

/** Returns the name in an answer to Sign On: command, status, length, characters. */
function nameOf([code, status, length = 0, ...name]: Uint8Array): string | null {
  const isAnswer = code === signOn()[0] && status === STATUS_OK && name.length >= length;
  return isAnswer ? String.fromCharCode(...name.slice(0, length)) : null;
}

export class V2Driver implements AvrDriver {
  readonly protocol = 'stk500v2';
  readonly awakeInterval = 1_000;
  readonly isChecked = true;
  readonly writesInOrder = true;
  readonly #link: AvrLink;
  readonly #name: string;
  #sequence = FIRST_SEQUENCE;
  #isLarge = false;

  /** @param name Name from the answer to Sign On, which was the last request. */
  constructor(link: AvrLink, name: string) {
    this.#link = link;
    this.#name = name;
  }

  async identify(signal: AbortSignal): Promise<AvrFacts> {
    const ask = async (parameter: number) => (await this.#exchange(getV2Parameter(parameter), 3, signal))[2];
    const version = `${await ask(v2Parameters.softwareMajor)}.${await ask(v2Parameters.softwareMinor)}`;
    // A programmer would obey Chip Erase.
    if ((await ask(v2Parameters.targetVoltage)) !== 0) {
      throw new AvrError('programmer', { detail: this.#name });
    }
    await this.#exchange(enterV2Programming(), 2, signal);
    let signature = 0;
    for (const index of [0, 1, 2]) {
      signature = (signature << 8) | ((await this.#exchange(readV2Signature(index), 4, signal))[2] ?? 0);
    }
    const isUsual = this.#name === 'AVRISP_2';
    return {
      bootloader: isUsual ? 'stk500boot' : 'unknown',
      name: isUsual ? 'stk500boot_v2' : this.#name,
      version,
      signature,
      fuses: await this.#readFuses(signal),
    };
  }

  usePart({ flashSize }: AvrPart): void {
    this.#isLarge = flashSize > SHORT_FLASH;
  }

  /** Its commands for EEPROM are not those for flash. A bootloader without them refuses them. */
  async hasEeprom(_bootStart: number, signal: AbortSignal): Promise<boolean> {
    await this.#exchange(loadV2Address(0, false), 2, signal);
    return (await this.#tryExchange(readV2Eeprom(1), deadlines.read, signal))[1] === STATUS_OK;
  }

  async readFlash(address: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    await this.#exchange(loadV2Address(address >>> 1, this.#isLarge), 2, signal);
    return (await this.#exchange(readV2Flash(length), length + 3, signal, deadlines.read)).subarray(2, length + 2);
  }

  /** Resets the counter of erased pages. A bootloader that was just reset needs no request, which others would obey. */
  async beginWrite(isFresh: boolean, signal: AbortSignal): Promise<void> {
    if (!isFresh) {
      // Newer versions answer with a failure, since nothing is erased (`stk500boot.c`, "issue 543").
      await this.#tryExchange(chipErase(), deadlines.command, signal);
    }
  }

  async writePage(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#exchange(loadV2Address(address >>> 1, this.#isLarge), 2, signal);
    await this.#exchange(programV2Flash(bytes), 2, signal, deadlines.writePage);
  }

  /** Reads on from 0 without loading another address: versions count addresses of EEPROM in different units. */
  async readEeprom(length: number, signal: AbortSignal, read: (done: number) => void): Promise<Uint8Array> {
    await this.#exchange(loadV2Address(0, false), 2, signal);
    let bytes: Uint8Array = new Uint8Array(0);
    while (bytes.length < length) {
      const count = Math.min(EEPROM_BLOCK, length - bytes.length);
      const answer = await this.#exchange(readV2Eeprom(count), count + 3, signal, deadlines.read);
      bytes = joined(bytes, answer.subarray(2, count + 2));
      read(bytes.length);
    }
    return bytes;
  }

  /** Writes all bytes up to the last one that differs, for the same reason. */
  async writeEeprom(
    bytes: Uint8Array,
    changed: readonly boolean[],
    signal: AbortSignal,
    written: (done: number) => void,
  ): Promise<void> {
    const end = changed.lastIndexOf(true) + 1;
    await this.#exchange(loadV2Address(0, false), 2, signal);
    for (let at = 0; at < end; at += EEPROM_BLOCK) {
      const block = bytes.subarray(at, Math.min(at + EEPROM_BLOCK, end));
      const limit = deadlines.writeEeprom + block.length * deadlines.eepromByte;
      await this.#exchange(programV2Eeprom(block), 2, signal, limit);
      written(at + block.length);
    }
  }

  async keepAwake(signal: AbortSignal): Promise<void> {
    await this.#exchange(signOn(), 3, signal);
  }

  /** A bootloader that waits for the rest of a request takes the zeros as that, and finds a wrong checksum. */
  async resync(signal: AbortSignal): Promise<boolean> {
    await this.#link.quiet(signal);
    for (let attempt = 0; attempt < RESYNC_TRIES; attempt++) {
      this.#sequence = FIRST_SEQUENCE;
      if ((await askV2(this.#link, deadlines.sync, signal)) !== null) {
        await this.#link.quiet(signal);
        return true;
      }
      this.#link.send(FILLING);
      await this.#link.quiet(signal);
    }
    return false;
  }

  async leave(signal: AbortSignal): Promise<void> {
    await this.#exchange(leaveV2Programming(), 2, signal);
  }

  async #readFuses(signal: AbortSignal): Promise<AvrFuses | null> {
    const read = async (request: Uint8Array) => {
      const answer = await this.#tryExchange(request, deadlines.command, signal);
      return answer[1] === STATUS_OK && answer.length >= 4 ? (answer[2] ?? null) : null;
    };
    const fuses = {
      low: await read(fuseReads.low()),
      high: await read(fuseReads.high()),
      extended: await read(fuseReads.extended()),
      lock: await read(fuseReads.lock()),
    };
    return Object.values(fuses).every((fuse) => fuse === null) ? null : fuses;
  }

  /**
   * Sends a request and returns the body of its answer.
   *
   * @param size Least bytes of the body.
   * @throws AvrError `stopped-answering`, or `refused` for a status that is not OK.
   */
  async #exchange(
    body: Uint8Array,
    size: number,
    signal: AbortSignal,
    limit: number = deadlines.command,
  ): Promise<Uint8Array> {
    const answer = await this.#tryExchange(body, limit, signal, size);
    if (answer[1] !== STATUS_OK || answer.length < size) {
      throw new AvrError('refused', { detail: `Command ${body[0]}, status ${answer[1]}.` });
    }
    return answer;
  }

  async #tryExchange(body: Uint8Array, limit: number, signal: AbortSignal, size = 2): Promise<Uint8Array> {
    this.#sequence = (this.#sequence + 1) & 0xff;
    const sequence = this.#sequence;
    this.#link.send(v2Frame(sequence, body));
    const { port } = this.#link;
    const answer = await this.#link.find(
      (pending) => {
        // Answers to earlier requests may still arrive.
        for (let at = 0, frame = findV2Frame(pending); frame !== null; frame = findV2Frame(pending.subarray(at))) {
          at += frame.used;
          if (frame.sequence === sequence) {
            return { result: frame.body, used: at };
          }
        }
        return null;
      },
      limit + port.wireTime(body.length + size + 2 * FRAME_OVERHEAD),
      signal,
    );
    if (answer === null) {
      throw new AvrError('stopped-answering');
    }
    if (answer[0] !== body[0]) {
      throw new AvrError('refused', { detail: `Command ${body[0]} was answered by ${answer[0]}.` });
    }
    return answer;
  }
}
