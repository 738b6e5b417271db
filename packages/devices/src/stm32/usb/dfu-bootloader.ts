/**
 * The USB bootloader as its documents describe it: AN3156 "USB DFU protocol used in the STM32 bootloader", and the states of DFU 1.1,
 * Annex A. Requests come in one by one; what a download asks for is done by the status request after it.
 */
import type { StmChip, Work } from '../chip/stm-chip.ts';
import { flashStart } from '../parts/part.ts';
import { command, type DfuState, type DfuStatus, request, state, status } from './dfu-states.ts';

export interface DfuRequest {
  readonly request: number;
  /** wValue: the number of a block. */
  readonly value: number;
  /** What a host sends; empty when it asks. */
  readonly data: Uint8Array;
  /** wLength. */
  readonly length: number;
}

/** Bytes for the host, none for a request without an answer; or the request is stalled. */
export type DfuAnswer = Uint8Array<ArrayBuffer> | 'stall';

export interface DfuContext {
  readonly chip: StmChip;
  readonly transferSize: number;
  now(): number;
  /** The bootloader is left at that time: for a program, or by a reset that loads the option bytes. */
  leave(at: number, how: { readonly jump: number } | 'options'): void;
}

/** What a download asked for. `refused`: why it cannot be done at all. */
interface Order {
  readonly refused: DfuStatus | null;
  readonly work: () => Work;
  /** It changes option bytes. */
  readonly options: boolean;
}

/** The least that a data block has (AN3156, sections 4.1 and 5.1). */
const leastLength = 2;
/** Milliseconds that a timer of the host may be early. */
const earlyBy = 1;
/** Milliseconds from the last status until the part has left the bus. */
const leaveTime = 2;

export class DfuBootloader {
  readonly #context: DfuContext;
  #state: DfuState = state.idle;
  #status: DfuStatus = status.ok;
  #address = flashStart;
  #order: Order | null = null;
  /** What runs, or ran last. */
  #work: Work = { end: Number.NEGATIVE_INFINITY, ok: true };

  constructor(context: DfuContext) {
    this.#context = context;
  }

  /** Until when the part is at work. */
  get busyUntil(): number {
    return this.#work.end;
  }

  /** Whether the next status request starts what was downloaded. */
  get hasOrder(): boolean {
    return this.#order !== null;
  }

  answer(asked: DfuRequest): DfuAnswer {
    if (this.#state === state.downloadBusy) {
      if (this.#context.now() < this.#work.end - earlyBy) {
        // DFU 1.1, A.2.5: nothing is to be asked before the poll timeout is over.
        return this.stall();
      }
      this.#context.chip.settle(Math.max(this.#work.end, this.#context.now()));
      this.#state = state.downloadSync;
    }
    switch (asked.request) {
      case request.download:
        return this.#download(asked);
      case request.upload:
        return this.#upload(asked);
      case request.getStatus:
        return this.#getStatus();
      case request.clearStatus:
        return this.#clearStatus();
      case request.getState:
        return Uint8Array.of(this.#state);
      case request.abort:
        return this.#abort();
      default:
        return this.stall();
    }
  }

  /** A request that does not fit; also what a fault makes of one that does. */
  stall(): 'stall' {
    this.#fail(this.#state === state.error ? this.#status : status.stalled);
    return 'stall';
  }

  /** AN3156, section 5. */
  #download({ value, data, length }: DfuRequest): DfuAnswer {
    if (this.#state !== state.idle && this.#state !== state.downloadIdle) {
      return this.stall();
    }
    if (length === 0) {
      this.#state = state.manifestSync;
      return new Uint8Array();
    }
    const order = value === 0 ? this.#commandOrder(data) : value > 1 ? this.#writeOrder(value, data) : null;
    if (order === null || length > this.#context.transferSize) {
      return this.stall();
    }
    this.#order = order;
    this.#state = state.downloadSync;
    return new Uint8Array();
  }

  /** Sections 5.2 to 5.4; null for no such command. */
  #commandOrder(data: Uint8Array): Order | null {
    const { chip, now } = this.#context;
    const address = data.length === 5 ? new DataView(data.buffer, data.byteOffset).getUint32(1, true) : null;
    if (data[0] === command.setAddress && address !== null) {
      const work = () => {
        this.#address = address;
        return { end: now(), ok: true };
      };
      return { refused: chip.mayRead(address) ? null : status.target, work, options: false };
    }
    if (data[0] === command.erase && (address !== null || data.length === 1)) {
      const sector = address === null ? null : chip.sectorAt(address);
      const refused = this.#refused(address === null || sector !== null);
      const work = () => (sector === null ? chip.massErase(now()) : chip.eraseSectors(now(), [sector]));
      return { refused, work, options: false };
    }
    if (data[0] === command.readUnprotect && data.length === 1) {
      return { refused: null, work: () => chip.removeProtection(now()), options: true };
    }
    return null;
  }

  /** Section 5.1. */
  #writeOrder(block: number, data: Uint8Array): Order {
    const { chip, now } = this.#context;
    const address = this.#addressOf(block);
    const content = data.slice();
    return {
      refused: this.#refused(data.length >= leastLength && chip.mayWrite(address)),
      work: () => chip.write(now(), address, content),
      options: chip.isOption(address),
    };
  }

  #refused(exists: boolean): DfuStatus | null {
    if (this.#context.chip.protection !== 0) {
      return status.vendor;
    }
    return exists ? null : status.target;
  }

  /** AN3156, section 4. */
  #upload({ value, length }: DfuRequest): DfuAnswer {
    if (this.#state !== state.idle && this.#state !== state.uploadIdle) {
      return this.stall();
    }
    if (value === 0) {
      return Uint8Array.from(Object.values(command)).slice(0, length);
    }
    if (value === 1 || length < leastLength || length > this.#context.transferSize) {
      return this.stall();
    }
    const { chip } = this.#context;
    const address = this.#addressOf(value);
    const refused = this.#refused(chip.mayRead(address));
    if (refused !== null) {
      this.#fail(refused);
      return 'stall';
    }
    this.#state = state.uploadIdle;
    return chip.read(address, length);
  }

  /**
   * Sections 4.1 and 5.1: (wBlockNum - 2) × wTransferSize + address pointer. The sections call wTransferSize the length of the
   * buffer; here it is the field of that name in the descriptor, on which hosts rely whose last block is shorter (dfu-util,
   * `dfuse_do_upload`). Whoever sends shorter blocks before the last one writes where nobody expects it.
   */
  #addressOf(block: number): number {
    return this.#address + (block - 2) * this.#context.transferSize;
  }

  #getStatus(): DfuAnswer {
    if (this.#order !== null) {
      return this.#begin(this.#order);
    }
    if (this.#state === state.downloadSync) {
      this.#state = state.downloadIdle;
      if (!this.#work.ok) {
        this.#fail(status.program);
      }
    }
    if (this.#state === state.manifestSync) {
      // Section 5.5: the part leaves after this answer, and receives nothing any more.
      this.#state = state.manifest;
      this.#context.leave(this.#context.now() + leaveTime, { jump: this.#address });
    }
    return this.#statusBytes(0);
  }

  #begin({ refused, work, options }: Order): DfuAnswer {
    this.#order = null;
    if (refused !== null) {
      this.#fail(refused);
      return this.#statusBytes(0);
    }
    const { now, chip, leave } = this.#context;
    this.#work = work();
    this.#state = state.downloadBusy;
    if (options && chip.optionsChanged()) {
      leave(this.#work.end + leaveTime, 'options');
    }
    return this.#statusBytes(Math.max(0, Math.ceil(this.#work.end - now())));
  }

  /** DFU 1.1, section 6.1.2: status, poll timeout of three bytes, state, number of a text. */
  #statusBytes(pollTimeout: number): Uint8Array<ArrayBuffer> {
    const timeout = [0, 8, 16].map((shift) => (pollTimeout >> shift) & 0xff);
    return Uint8Array.from([this.#status, ...timeout, this.#state, 0]);
  }

  #clearStatus(): DfuAnswer {
    if (this.#state !== state.error) {
      return this.stall();
    }
    this.#state = state.idle;
    this.#status = status.ok;
    return new Uint8Array();
  }

  #abort(): DfuAnswer {
    if (this.#state === state.error || this.#state === state.manifest) {
      return this.stall();
    }
    this.#order = null;
    this.#state = state.idle;
    return new Uint8Array();
  }

  #fail(reason: DfuStatus): void {
    this.#order = null;
    this.#state = state.error;
    this.#status = reason;
  }
}
