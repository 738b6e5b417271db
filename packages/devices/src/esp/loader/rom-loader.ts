/**
 * The loader in the chip's ROM. Requests, answers and errors: Espressif, "Serial Protocol", sections "Commands" and
 * "ROM Loader Errors". Undocumented behaviour follows genuine ESP32 and ESP32-C3 ROM code. That code builds answers
 * in memory that is never cleared. The last two status bytes and the value therefore keep their previous content.
 */

import { md5 } from '@noble/hashes/legacy.js';
import { joined } from '../../byte-fields.ts';
import { sectorSize } from '../nor-flash.ts';
import { type Loader, type LoaderContext, type Next, type Outcome, securityInfo, silent } from './loader.ts';
import { answer, checksumOf, dataHeaderSize, op, parseRequest, type Request, wordAt } from './request.ts';
import { leftoverWindow, RomInflation } from './rom-inflation.ts';

const error = {
  /** "The format of the received message is invalid"; also for unknown commands. */
  format: 0x05,
  /** "Message is ok, but the running result is wrong". */
  result: 0x06,
  checksum: 0x07,
  /** "SPI read request length is wrong". */
  readLength: 0x0a,
  deflate: 0x0b,
  ramAddress: 0x0f,
} as const;

/** Flash size that the ROM assumes until SPI_SET_PARAMS sets another, in bytes. */
const assumedFlashSize = 0x200000;
/** Most bytes that READ_FLASH_SLOW reads. */
const readLimit = 64;
const syncAnswers = 8;
/**
 * Most bytes of a frame that the ROM keeps, header included. With genuine ROM code, 8 further bytes were lost without
 * effect, and 24 further bytes crashed it. The range between has not been tested.
 */
const frameLimit = 8_192;
const deadlyFrame = frameLimit + 9;
/** Size of the ESP32's receive ring in bytes, also assumed for untested chips. */
const usualRing = 256;
/** Shortest time of one entry of WRITE_REG in milliseconds: a guess, so that entries have different times. */
const entryTime = 0.001;
/** Bytes of one entry of WRITE_REG: address, value, mask, microseconds to wait before it. */
const entrySize = 16;
/** Commands of the ESP8266, which ends at READ_REG. */
const oldOps: readonly number[] = [0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a];
const allOps: readonly number[] = [...oldOps, 0x0b, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13];
/** "Serial Protocol", section "Supported in Secure Download Mode". */
const secureOps: readonly number[] = [0x02, 0x03, 0x04, 0x08, 0x0b, 0x0d, 0x0f, 0x14];

type Entry = [address: number, value: number, mask: number, delay: number];

/** The outcome of an exception of the processor: no answers from then on. */
const crash = (now: number): Outcome => ({ ...silent(now), next: { kind: 'crash' } });

interface Download {
  offset: number;
  blockSize: number;
  expected: number;
  inflation: RomInflation | null;
  encrypted: boolean;
}

/** Result of a failed command. */
interface Failure {
  readonly code: number;
  /** Bytes of old data before the status, for commands that keep the place of their data. */
  readonly after?: number;
}

/** Result of a successful command: data before the status, the consequence, and the time at which it is complete. */
interface Done {
  readonly data?: Uint8Array;
  /** True: the command clears an old error code. */
  readonly clears?: boolean;
  readonly next?: Next;
  readonly until?: number;
}

export class RomLoader implements Loader {
  readonly frameCapacity = deadlyFrame;
  readonly cutsFrames = true;
  readonly waiting: { readonly ring: number };
  readonly #context: LoaderContext;
  readonly #ops: readonly number[];
  readonly #statusBytes: number;
  /** The memory in which answers are built. It is never cleared. */
  readonly #body = new Uint8Array(128);
  #errorCode = 0;
  #lastOp = 0;
  #value = 0;
  /** First word of the last received data. A request without data leaves it in the buffer. */
  #receivedWord = 0;
  #flashSize = assumedFlashSize;
  #download: Download = { offset: 0, blockSize: 0, expected: 0, inflation: null, encrypted: false };
  /** RAM in which this ROM inflates; null if it does not program whole windows. */
  readonly #window: Uint8Array | null;
  #ram = { address: 0, expected: 0, begun: false };

  constructor(context: LoaderContext) {
    this.#context = context;
    this.waiting = { ring: context.chip.receiveRing ?? usualRing };
    this.#window = context.romDeflate === 'windows' ? leftoverWindow() : null;
    const { romDelay } = context.chip;
    if (romDelay?.variable !== undefined) {
      context.memory.write(romDelay.variable, romDelay.ticksPerMicrosecond);
    }
    const { generation } = context.chip;
    this.#statusBytes = generation === 'esp8266' ? 2 : 4;
    if (generation === 'esp8266') {
      this.#ops = oldOps;
    } else if (context.security.secureDownload && generation === 'later') {
      this.#ops = secureOps;
    } else {
      this.#ops = context.chip.securityInfo === 'none' ? allOps : [...allOps, op.securityInfo];
    }
  }

  process(frame: Uint8Array, now: number): Outcome {
    if (frame.length >= deadlyFrame) {
      return crash(now);
    }
    const request = parseRequest(frame.subarray(0, frameLimit));
    if (request === null) {
      return silent(now);
    }
    if (request.data.length >= 4) {
      this.#receivedWord = wordAt(request.data, 0);
    }
    if (request.direction !== 0 || !this.#ops.includes(request.op)) {
      return this.#unknown(now);
    }
    if (request.op === op.readReg || request.op === op.writeReg) {
      return this.#register(request, now);
    }
    this.#lastOp = request.op;
    const done = this.#run(request, now);
    if ('code' in done) {
      this.#errorCode = done.code;
      return this.#outcome(this.#body.slice(0, done.after ?? 0), false, now);
    }
    if (done.clears) {
      this.#errorCode = 0;
    }
    return this.#outcome(done.data ?? new Uint8Array(), true, Math.max(now, done.until ?? now), done.next);
  }

  refuse(frame: Uint8Array, now: number): Outcome {
    this.#lastOp = parseRequest(frame)?.op ?? this.#lastOp;
    this.#errorCode = error.result;
    return this.#outcome(new Uint8Array(), false, now);
  }

  /**
   * Answers an unknown command like a failure of the previous one: with its opcode and value, and after SYNC eight
   * times.
   */
  #unknown(now: number): Outcome {
    this.#errorCode = error.format;
    return this.#outcome(new Uint8Array(), false, now);
  }

  #outcome(data: Uint8Array, good: boolean, at: number, next?: Next): Outcome {
    this.#body.set(data);
    this.#body[data.length] = good ? 0 : 1;
    this.#body[data.length + 1] = this.#errorCode;
    const frame = answer(this.#lastOp, this.#value, this.#body.subarray(0, data.length + this.#statusBytes));
    const answers = this.#lastOp === op.sync ? Array.from({ length: syncAnswers }, () => frame) : [frame];
    return { answers, answerAt: at, freeAt: at, ...(next && { next }) };
  }

  #register({ op: opcode, data }: Request, now: number): Outcome {
    if (opcode === op.writeReg) {
      return this.#writeRegisters(data, 0, now);
    }
    const value = this.#context.memory.read(wordAt(data, 0));
    if (value === null) {
      return crash(now);
    }
    this.#value = value;
    return this.#registersDone(opcode, now);
  }

  /**
   * Executes the entries of WRITE_REG. Each waits, reads, and writes back with the masked bits changed, even if the
   * mask has all bits or no bits. An incomplete last entry is ignored.
   */
  #writeRegisters(data: Uint8Array, start: number, now: number, waited = false): Outcome {
    const { memory } = this.#context;
    for (let at = start; at + entrySize <= data.length; at += entrySize) {
      const [address, value, mask, delay] = [0, 1, 2, 3].map((word) => wordAt(data, at / 4 + word)) as Entry;
      if (delay > 0 && !(waited && at === start)) {
        const duration = this.#waited(delay);
        const until = now + duration;
        const resume = (then: number) => {
          memory.wait(duration);
          return this.#writeRegisters(data, at, then, true);
        };
        return { answers: [], answerAt: until, freeAt: until, resume };
      }
      const before = memory.read(address);
      if (before === null) {
        return crash(now);
      }
      memory.write(address, ((before & ~mask) | (value & mask)) >>> 0);
      memory.wait(entryTime);
    }
    return this.#registersDone(op.writeReg, now);
  }

  /** Returns the milliseconds that the ROM really waits for a delay in microseconds. */
  #waited(microseconds: number): number {
    const { memory, crystal, chip } = this.#context;
    const { variable, ticksPerMicrosecond = crystal } = chip.romDelay ?? {};
    const ticks = variable === undefined ? ticksPerMicrosecond : (memory.read(variable) ?? 0);
    return (microseconds * ticks) / crystal / 1_000;
  }

  #registersDone(opcode: number, now: number): Outcome {
    this.#lastOp = opcode;
    this.#errorCode = 0;
    return this.#outcome(new Uint8Array(), true, now);
  }

  #run(request: Request, now: number): Done | Failure {
    const { data } = request;
    switch (request.op) {
      case op.sync:
        this.#value = this.#receivedWord;
        return { clears: true };
      case op.spiAttach:
        this.#context.pins.attached = true;
        return { clears: true };
      case op.spiSetParams:
        this.#flashSize = wordAt(data, 1);
        return {};
      case op.changeBaud:
        return { clears: true, next: { kind: 'rate', baudRate: wordAt(data, 0) } };
      case op.securityInfo:
        return { data: securityInfo(this.#context) };
      case op.md5:
        return this.#digest(wordAt(data, 0), wordAt(data, 1));
      case op.readFlashSlow:
        return this.#readSlow(wordAt(data, 0), wordAt(data, 1));
      case op.flashBegin:
      case op.deflateBegin:
        return this.#begin(request, now);
      case op.flashData:
      case op.deflateData:
        return this.#block(request, now);
      case op.flashEnd:
      case op.deflateEnd:
        return { next: { kind: 'leave' } };
      case op.memBegin:
        return this.#beginRam(wordAt(data, 0), wordAt(data, 3));
      case op.memData:
        return this.#ramBlock(request);
      default:
        return this.#endRam(wordAt(data, 0), wordAt(data, 1));
    }
  }

  /** Returns the MD5 as 32 ASCII hex digits. */
  #digest(offset: number, length: number): Done | Failure {
    const { flash, hashBeyond } = this.#context;
    const end = offset + length;
    if (end > flash.size && hashBeyond === 'refused') {
      return { code: error.result };
    }
    const ahead = Math.max(0, Math.min(end, flash.size) - offset);
    const wrapped = (offset + ahead) % flash.size;
    const bytes = joined(this.#readable(offset, ahead), this.#readable(wrapped, length - ahead));
    const digest = md5(bytes);
    const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return { data: new TextEncoder().encode(digits), clears: true };
  }

  #readSlow(offset: number, length: number): Done | Failure {
    if (length > readLimit) {
      return { code: error.readLength, after: readLimit };
    }
    const data = this.#body.slice(0, readLimit);
    data.set(this.#readable(offset, length));
    return { data };
  }

  #readable(offset: number, length: number): Uint8Array {
    return this.#context.pins.attached ? this.#context.flash.read(offset, length) : new Uint8Array(length).fill(0xff);
  }

  #begin({ op: opcode, data }: Request, now: number): Done | Failure {
    const { chip, flash, pins } = this.#context;
    const [size, blockSize, offset] = [wordAt(data, 0), wordAt(data, 2), wordAt(data, 3)];
    if (chip.generation === 'esp8266') {
      pins.attached = true;
    }
    const known = chip.generation === 'esp8266' ? flash.size : Math.min(this.#flashSize, flash.size);
    if (!pins.attached || offset + size > known) {
      return { code: error.result };
    }
    const encrypted = chip.generation === 'later' && wordAt(data, 4) === 1;
    const stream = { offset, blocks: wordAt(data, 1), flashEnd: known };
    const inflation = opcode === op.deflateBegin ? new RomInflation(this.#window, stream) : null;
    this.#download = { offset, blockSize, expected: 0, inflation, encrypted };
    const start = Math.floor(offset / sectorSize) * sectorSize;
    const end = Math.ceil((offset + size) / sectorSize) * sectorSize;
    flash.eraseRange(now, start, Math.min(flash.size, start + this.#eraseLength(start, end - start)));
    return { until: flash.busyUntil };
  }

  /**
   * Returns the number of bytes that the ROM erases. The ESP8266 counts the sectors before the first block boundary
   * twice, and so erases more than requested ("Serial Protocol", ESP8266, section "Erase Size Bug").
   */
  #eraseLength(start: number, length: number): number {
    if (this.#context.chip.generation !== 'esp8266') {
      return length;
    }
    const sectors = length / sectorSize;
    const head = 16 - ((start / sectorSize) % 16);
    return (sectors <= head ? sectors * 2 : sectors + head) * sectorSize;
  }

  /**
   * Processes a data block. A wrong sequence number is refused without effect. A block with a wrong checksum is
   * refused but counted, so it cannot be sent again. Blocks beyond the announced number are written.
   */
  #block({ op: opcode, checksum, data }: Request, now: number): Done | Failure {
    const download = this.#download;
    const payload = data.subarray(dataHeaderSize, dataHeaderSize + wordAt(data, 0));
    const sequence = wordAt(data, 1);
    if (data.length < dataHeaderSize || sequence !== download.expected) {
      return { code: error.format };
    }
    download.expected++;
    if (checksumOf(payload) !== (checksum & 0xff)) {
      return { code: error.checksum };
    }
    if (opcode === op.deflateData) {
      return this.#inflatedBlock(payload, now);
    }
    return this.#write(download.offset + sequence * download.blockSize, payload, now);
  }

  #inflatedBlock(payload: Uint8Array, now: number): Done | Failure {
    const programmings = this.#download.inflation?.push(payload) ?? null;
    if (programmings === null) {
      return { code: error.deflate };
    }
    let done: Done | Failure = {};
    for (const { offset, data } of programmings) {
      done = this.#write(offset, data, now);
    }
    return done;
  }

  #write(offset: number, payload: Uint8Array, now: number): Done | Failure {
    const { flash, pins } = this.#context;
    if (!pins.attached || offset + payload.length > flash.size) {
      return { code: error.result };
    }
    const data = this.#download.encrypted ? this.#context.encrypt(offset, payload) : payload;
    flash.program(now, offset, data);
    return { until: flash.busyUntil };
  }

  #beginRam(size: number, address: number): Done | Failure {
    if (!this.#context.memory.isRam(address, size)) {
      return { code: error.ramAddress };
    }
    this.#ram = { address, expected: 0, begun: true };
    return {};
  }

  /**
   * Processes a data block for RAM. The ESP32 checks the sequence number first, later chips check the checksum first.
   */
  #ramBlock({ checksum, data }: Request): Done | Failure {
    const payload = data.subarray(dataHeaderSize, dataHeaderSize + wordAt(data, 0));
    const misplaced = !this.#ram.begun || wordAt(data, 1) !== this.#ram.expected || data.length < dataHeaderSize;
    const damaged = checksumOf(payload) !== (checksum & 0xff);
    if (damaged && (this.#context.chip.generation === 'later' || !misplaced)) {
      return { code: error.checksum };
    }
    if (misplaced) {
      return { code: error.format };
    }
    this.#context.memory.upload(this.#ram.address, payload);
    this.#ram.address += payload.length;
    this.#ram.expected++;
    return {};
  }

  #endRam(stay: number, entry: number): Done {
    if (stay !== 0) {
      return { clears: true };
    }
    return { clears: true, next: { kind: 'start', entry } };
  }
}
