/**
 * The USB bootloader according to AN3156 "USB DFU protocol used in the STM32 bootloader" and the states of DFU 1.1,
 * Annex A. A download only stores an operation; the next status request executes it.
 */
import type { StmChip, Work } from '../chip/stm-chip.ts';
import { flashStart } from '../parts/part.ts';
import { command, type DfuState, type DfuStatus, request, state, status } from './dfu-states.ts';

export interface DfuRequest {
  readonly request: number;
  /** wValue: the block number. */
  readonly value: number;
  /** Data from the host; empty for a request to the host. */
  readonly data: Uint8Array;
  /** wLength. */
  readonly length: number;
}

/** Bytes for the host, empty for a request without an answer. `stall`: the request is stalled. */
export type DfuAnswer = Uint8Array<ArrayBuffer> | 'stall';

export interface DfuContext {
  readonly chip: StmChip;
  readonly transferSize: number;
  now(): number;
  /** Leaves the bootloader at time `at`: for a program, or by a reset that loads the option bytes. */
  leave(at: number, how: { readonly jump: number } | 'options'): void;
}

/** A downloaded operation. `refused`: status if it is impossible. */
interface Order {
  readonly refused: DfuStatus | null;
  readonly work: () => Work;
  /** True: the operation changes option bytes. */
  readonly options: boolean;
}

/** Shortest data block in bytes (AN3156, sections 4.1 and 5.1). */
const leastLength = 2;
/** Milliseconds by which a host's timer may be early. */
const earlyBy = 1;
/** Milliseconds from the last status until the part leaves the bus. */
const leaveTime = 2;

export class DfuBootloader {
  readonly #context: DfuContext;
  #state: DfuState = state.idle;
  #status: DfuStatus = status.ok;
  #address = flashStart;
  #order: Order | null = null;
  /** The running operation, or the last one. */
  #work: Work = { end: Number.NEGATIVE_INFINITY, ok: true };

  constructor(context: DfuContext) {
    this.#context = context;
  }

  /** End of the running operation, in the clock's milliseconds. */
  get busyUntil(): number {
    return this.#work.end;
  }

  /** True if the next status request starts a downloaded operation. */
  get hasOrder(): boolean {
    return this.#order !== null;
  }

  answer(asked: DfuRequest): DfuAnswer {
    if (this.#state === state.downloadBusy) {
      if (this.#context.now() < this.#work.end - earlyBy) {
        // DFU 1.1, A.2.5: no request is permitted before the poll timeout has passed.
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

  /** Stalls an invalid request, or a valid one because of a fault. */
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

  /** Parses a command (sections 5.2 to 5.4). Returns null for unknown commands. */
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
   * Returns (wBlockNum - 2) × wTransferSize + address pointer (sections 4.1 and 5.1). The sections call wTransferSize
   * the length of the buffer. Here it is the descriptor's field of that name, because hosts with a shorter last block
   * rely on it (dfu-util, `dfuse_do_upload`). A host that sends shorter blocks before the last one writes to
   * unexpected addresses.
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
      // Section 5.5: the part leaves the bus after this answer and accepts no more requests.
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

  /** Returns a status (DFU 1.1, section 6.1.2): status, poll timeout of three bytes, state, index of a text. */
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
