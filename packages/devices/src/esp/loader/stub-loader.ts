/**
 * Simulates the flasher stub. The code that a client uploads is not executed. Behaviour: Espressif, "Serial
 * Protocol", and espressif/esp-flasher-stub, the stub of esptool 5 and esptool-js 0.7. It acknowledges a data block
 * before it writes the block. A write error is reported with the next command, which is then not executed. NAND flash
 * is not simulated.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { sectorSize } from '../nor-flash.ts';
import { type Loader, type LoaderContext, type Next, type Outcome, securityInfo, silent } from './loader.ts';
import { answer, checksumOf, dataHeaderSize, op, parseRequest, type Request, wordAt } from './request.ts';
import { StubDownload, type Written } from './stub-download.ts';
import { type StubStatus, stubStatus } from './stub-status.ts';

/** Permitted sizes of the data, for the commands that check them. */
const sizes: ReadonlyMap<number, readonly number[]> = new Map([
  [op.sync, [36]],
  [op.flashBegin, [16, 20]],
  [op.deflateBegin, [16, 20]],
  [op.flashEnd, [4]],
  [op.deflateEnd, [4]],
  [op.memBegin, [16]],
  [op.memEnd, [8]],
  [op.readReg, [4]],
  [op.spiAttach, [4]],
  [op.spiSetParams, [24]],
  [op.changeBaud, [8]],
  [op.md5, [16]],
  [op.securityInfo, [0]],
  [op.readFlash, [16]],
  [op.eraseRegion, [8]],
]);
const syncAnswers = 8;
const maxBlockSize = 0x4000;

interface Done {
  readonly status: StubStatus;
  readonly value?: number;
  readonly data?: Uint8Array;
  readonly next?: Next;
  /** Time at which the command is complete and answered. Default: at once. */
  readonly until?: number;
  /** Work after the answer. Returns the status for the next command, and the end of the work. */
  readonly afterwards?: () => Written;
}

/**
 * READ_FLASH of the stub: packets of raw data, acknowledged with the number of bytes received so far, then the MD5 of
 * all of them. Source: Espressif, "Serial Protocol", section "Reading Flash".
 */
class FlashReader {
  readonly #data: Uint8Array;
  readonly #packet: number;
  readonly #window: number;
  #sent = 0;
  #acknowledged = 0;
  #ended = false;

  /**
   * @param data Bytes to send.
   * @param packet Most bytes in one packet.
   * @param window Most bytes that may be unacknowledged.
   */
  constructor(data: Uint8Array, packet: number, window: number) {
    this.#data = data;
    this.#packet = packet;
    this.#window = window;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Returns the packets that may be sent now, without framing. */
  sendable(): Uint8Array[] {
    const frames: Uint8Array[] = [];
    while (this.#sent < this.#data.length && this.#sent - this.#acknowledged + this.#packet <= this.#window) {
      const frame = this.#data.subarray(this.#sent, this.#sent + this.#packet);
      this.#sent += frame.length;
      frames.push(frame);
    }
    if (this.#acknowledged >= this.#data.length && !this.#ended) {
      this.#ended = true;
      frames.push(md5(this.#data));
    }
    return frames;
  }

  /**
   * Processes an acknowledgement and returns the next packets. Any other frame ends the reading: only the MD5 is
   * sent.
   */
  acknowledge(frame: Uint8Array): Uint8Array[] {
    if (frame.length !== 4) {
      this.#ended = true;
      return [md5(this.#data.subarray(0, this.#sent))];
    }
    this.#acknowledged = wordAt(frame, 0);
    return this.sendable();
  }
}

export class StubLoader implements Loader {
  /** 16 KiB of data with headers, and the stub's reserve (`FRAME_BUFFER_SIZE`). */
  readonly frameCapacity = 8 + maxBlockSize + 0xff;
  readonly waiting = { frames: 1 };
  readonly cutsFrames = false;
  readonly #context: LoaderContext;
  #flashSize: number;
  /** Error of the work after the last answer, to be reported with the next command. */
  #carried: StubStatus = stubStatus.good;
  #download: StubDownload | null = null;
  #ram: { address: number; remaining: number } | null = null;
  #reader: FlashReader | null = null;

  constructor(context: LoaderContext) {
    this.#context = context;
    this.#flashSize = context.flash.size;
    context.pins.attached = true;
  }

  /** Sent when the stub starts. */
  get greeting(): Uint8Array {
    return new TextEncoder().encode('OHAI');
  }

  process(frame: Uint8Array, now: number): Outcome {
    if (this.#reader !== null) {
      return this.#readOn(this.#reader, frame, now);
    }
    const request = parseRequest(frame);
    if (request === null) {
      return silent(now);
    }
    const done = this.#dispatch(request, frame.length, now);
    if (done === null) {
      return { ...silent(now), next: { kind: 'leave' } };
    }
    const body = new Uint8Array((done.data?.length ?? 0) + 2);
    body.set(done.data ?? []);
    body[body.length - 2] = done.status;
    const answers = this.#repeated(request.op, done.status, answer(request.op, done.value ?? 0, body));
    const answerAt = Math.max(now, done.until ?? now);
    const after = done.status === stubStatus.good ? done.afterwards?.() : undefined;
    this.#carried = after?.status ?? stubStatus.good;
    const freeAt = Math.max(answerAt, after?.until ?? answerAt);
    return { answers: [...answers, ...this.#firstPackets()], answerAt, freeAt, ...(done.next && { next: done.next }) };
  }

  /** Returns the first packets of a read, which directly follow its answer. */
  #firstPackets(): Uint8Array[] {
    const packets = this.#reader?.sendable() ?? [];
    if (this.#reader?.ended) {
      this.#reader = null;
    }
    return packets;
  }

  refuse(frame: Uint8Array, now: number): Outcome {
    const opcode = parseRequest(frame)?.op ?? 0;
    return { answers: [answer(opcode, 0, Uint8Array.of(stubStatus.flash, 0))], answerAt: now, freeAt: now };
  }

  #repeated(opcode: number, result: StubStatus, frame: Uint8Array): Uint8Array[] {
    const count = opcode === op.sync && result === stubStatus.good ? syncAnswers : 1;
    return Array.from({ length: count }, () => frame);
  }

  /** Returns null for the command without an answer. */
  #dispatch(request: Request, length: number, now: number): Done | null {
    const { data, size } = request;
    if (request.direction !== 0) {
      return { status: stubStatus.command };
    }
    if (length !== size + 8) {
      return { status: stubStatus.length };
    }
    if (this.#carried !== stubStatus.good) {
      return { status: this.#carried };
    }
    const right = sizes.get(request.op);
    if (right !== undefined && !right.includes(data.length)) {
      return { status: stubStatus.length };
    }
    switch (request.op) {
      case op.sync:
        return { status: stubStatus.good };
      case op.spiAttach:
        return { status: stubStatus.good };
      case op.spiSetParams:
        this.#flashSize = Math.min(wordAt(data, 1), this.#context.flash.size);
        return { status: stubStatus.good };
      case op.changeBaud:
        return { status: stubStatus.good, next: { kind: 'rate', baudRate: wordAt(data, 0) } };
      case op.securityInfo:
        return this.#context.chip.securityInfo === 'none'
          ? { status: stubStatus.notImplemented }
          : { status: stubStatus.good, data: securityInfo(this.#context) };
      case op.md5:
        return this.#digest(wordAt(data, 0), wordAt(data, 1));
      case op.readFlash:
        return this.#beginRead(data, now);
      case op.readReg:
        return this.#readRegister(wordAt(data, 0));
      case op.writeReg:
        return this.#writeRegisters(data, now);
      case op.flashBegin:
      case op.deflateBegin:
        return this.#begin(request, now);
      case op.flashData:
      case op.deflateData:
      case op.encryptedData:
        return this.#block(request, now);
      case op.flashEnd:
      case op.deflateEnd:
        return this.#end(wordAt(data, 0));
      case op.eraseFlash:
        return this.#erase(0, this.#context.flash.size, now);
      case op.eraseRegion:
        return this.#erase(wordAt(data, 0), wordAt(data, 1), now);
      case op.runUserCode:
        return null;
      default:
        return this.#memoryCommand(request);
    }
  }

  #memoryCommand({ op: opcode, data }: Request): Done {
    if (opcode === op.memBegin) {
      this.#ram = { address: wordAt(data, 3), remaining: wordAt(data, 0) };
      return { status: stubStatus.good };
    }
    const ram = this.#ram;
    if (opcode !== op.memData && opcode !== op.memEnd) {
      return { status: stubStatus.command };
    }
    if (ram === null) {
      return { status: stubStatus.notInFlashMode };
    }
    if (opcode === op.memEnd) {
      this.#ram = null;
      const entry = wordAt(data, 1);
      return { status: stubStatus.good, ...(wordAt(data, 0) === 0 && { next: { kind: 'start', entry } as const }) };
    }
    const payload = data.subarray(dataHeaderSize);
    if (ram.remaining < payload.length || wordAt(data, 0) !== payload.length) {
      return { status: stubStatus.tooMuch };
    }
    this.#context.memory.upload(ram.address, payload);
    ram.address += payload.length;
    ram.remaining -= payload.length;
    return { status: stubStatus.good };
  }

  #readRegister(address: number): Done {
    const value = this.#context.memory.read(address);
    return value === null ? { status: stubStatus.good, next: { kind: 'crash' } } : { status: stubStatus.good, value };
  }

  #writeRegisters(data: Uint8Array, now: number): Done {
    if (data.length === 0 || data.length % 16 !== 0) {
      return { status: stubStatus.tooLittle };
    }
    let delay = 0;
    for (let word = 0; word * 4 < data.length; word += 4) {
      const [address, value, mask] = [wordAt(data, word), wordAt(data, word + 1), wordAt(data, word + 2)];
      const before = this.#context.memory.read(address);
      if (before === null) {
        return { status: stubStatus.good, next: { kind: 'crash' } };
      }
      this.#context.memory.write(address, (before & ~mask) | (value & mask));
      delay += wordAt(data, word + 3) / 1_000;
    }
    return { status: stubStatus.good, until: now + delay };
  }

  /** Returns the MD5 as 16 raw bytes. */
  #digest(offset: number, length: number): Done {
    if (offset + length > this.#context.flash.size) {
      return { status: stubStatus.flash };
    }
    return { status: stubStatus.good, data: md5(this.#context.flash.read(offset, length)) };
  }

  #beginRead(data: Uint8Array, now: number): Done {
    const [offset, length, packet, window] = [wordAt(data, 0), wordAt(data, 1), wordAt(data, 2), wordAt(data, 3)];
    const limit = 0x1000;
    const afterwards = () => {
      if (packet === 0 || packet > limit || offset + length > this.#context.flash.size) {
        return { status: stubStatus.length, until: now };
      }
      // The current stub treats every window as one packet. The old one compared bytes with a number of packets.
      const most = this.#context.stubKind === 'current' ? packet : Math.max(packet, window);
      this.#reader = new FlashReader(this.#context.flash.read(offset, length), packet, most);
      return { status: stubStatus.good, until: now };
    };
    return { status: stubStatus.good, afterwards };
  }

  #readOn(reader: FlashReader, frame: Uint8Array, now: number): Outcome {
    const answers = reader.acknowledge(frame);
    if (reader.ended) {
      this.#reader = null;
    }
    return { answers, answerAt: now, freeAt: now };
  }

  #begin({ op: opcode, data }: Request, now: number): Done {
    const [size, blocks, offset] = [wordAt(data, 0), wordAt(data, 1), wordAt(data, 3)];
    // The old stub has no room for larger blocks. The current one trusts its host.
    if (this.#context.stubKind === 'legacy' && wordAt(data, 2) > maxBlockSize) {
      return { status: stubStatus.blockSize };
    }
    if (offset + size > this.#flashSize) {
      return { status: stubStatus.flash };
    }
    const plan = { size, blocks, offset, compressed: opcode === op.deflateBegin };
    this.#download = new StubDownload(this.#context.flash, this.#flashSize, plan, now);
    if (data.length === 20 && wordAt(data, 4) !== 0) {
      this.#download.encrypt = this.#context.encrypt;
    }
    return { status: stubStatus.good };
  }

  #block({ op: opcode, checksum, data }: Request, now: number): Done {
    const download = this.#download;
    if (data.length < dataHeaderSize) {
      return { status: stubStatus.length };
    }
    if (download === null) {
      return { status: stubStatus.notInFlashMode };
    }
    const payload = data.slice(dataHeaderSize);
    if (wordAt(data, 0) !== payload.length) {
      return { status: stubStatus.tooMuch };
    }
    if (checksumOf(payload) !== checksum) {
      return { status: stubStatus.checksum };
    }
    if (opcode === op.encryptedData) {
      download.encrypt = this.#context.encrypt;
    }
    const write = () => (opcode === op.deflateData ? download.inflate(payload, now) : download.store(payload, now));
    return { status: stubStatus.good, afterwards: write };
  }

  #end(flag: number): Done {
    if (this.#download === null) {
      return { status: stubStatus.notInFlashMode };
    }
    if (this.#context.stubKind === 'legacy') {
      return { status: stubStatus.good, ...(flag === 0 && { next: { kind: 'leave' } as const }) };
    }
    if (this.#download.remaining !== 0) {
      return { status: stubStatus.length };
    }
    this.#download = null;
    return { status: stubStatus.good };
  }

  #erase(offset: number, length: number, now: number): Done {
    const { flash } = this.#context;
    if (offset % sectorSize !== 0 || length % sectorSize !== 0) {
      return { status: stubStatus.length };
    }
    if (offset + length > flash.size) {
      return { status: stubStatus.flash };
    }
    flash.eraseRange(now, offset, offset + length);
    return { status: stubStatus.good, until: flash.busyUntil };
  }
}
