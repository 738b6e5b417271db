/**
 * A double-buffered bulk endpoint of the boot ROM: the buffers that the USB hardware owns, and the transfer that the
 * ROM runs on them. Facts from the RP2040 datasheet, section 4.1, and the published ROM source. Counts of free
 * buffers, data toggles and packets that arrive early decide what a host sees, so they are modelled one by one.
 */

/** Bytes of a packet at most. */
export const packetSize = 64;

/** A packet for the host with its data toggle. */
export interface InPacket {
  readonly data: Uint8Array;
  readonly toggle: number;
}

/** `nak`: try again later. `stall`: the endpoint is halted. */
export type OutResult = 'ack' | 'nak' | 'stall';

/**
 * `halted`: CLEAR_FEATURE removes it. `on-condition`: CLEAR_FEATURE does not, before the mass storage reset (Bulk-Only
 * Transport, section 6.6.1).
 */
type Halt = 'none' | 'halted' | 'on-condition';

/** A sequence of packets in one direction. */
export class Transfer {
  /** Packets for which no buffer was handed to the hardware yet. */
  unoffered: number;
  /** Packets that the hardware has not finished yet. */
  unfinished: number;
  /** True: `onPacket` was called and `packetDone` was not. */
  isWaiting = false;
  /** True: a packet arrived while an earlier one was waiting. */
  hasQueued = false;
  isOver = false;
  /** Fills a packet (IN) or consumes one (OUT), now or later, and ends with `packetDone`. */
  readonly onPacket: (endpoint: Endpoint) => void;
  readonly onDone: (() => void) | null;

  constructor(packets: number, onPacket: (endpoint: Endpoint) => void, onDone: (() => void) | null) {
    this.unoffered = packets;
    this.unfinished = packets;
    this.onPacket = onPacket;
    this.onDone = onDone;
  }
}

/** One packet whose content is already in the buffer. */
export function onePacket(onDone: (() => void) | null): Transfer {
  return new Transfer(1, (endpoint) => endpoint.packetDone(), onDone);
}

interface Slot {
  /** True: the hardware may use it. */
  isReady: boolean;
  toggle: number;
  data: Uint8Array;
}

const empty = new Uint8Array();

export class Endpoint {
  readonly address: number;
  /** Starts the transfer that the endpoint runs when it has nothing else to do: it waits for a command. */
  startDefault: (() => Transfer) | null = null;
  /** Called when the endpoint was halted, and when the halt was removed. */
  onHaltChange: (() => void) | null = null;
  /** True while the device is configured. */
  isConfigured = false;
  /** Packets that were dropped because of a wrong data toggle. */
  toggleErrors = 0;
  /** The packet under way: read by `onPacket` of OUT, set by that of IN. */
  packet: Uint8Array = empty;
  readonly #changed: () => void;
  readonly #slots: [Slot, Slot] = [newSlot(), newSlot()];
  /** The slot that the hardware uses next. */
  #turn = 0;
  #give = 0;
  #take = 0;
  #isFirst = true;
  #owned = 2;
  #nextToggle = 0;
  #halt: Halt = 'none';
  #isStalling = false;
  #transfer: Transfer | null = null;
  #default: Transfer | null = null;
  #chained: Transfer | null = null;

  /** @param changed Called when a host that was refused may try again. */
  constructor(address: number, changed: () => void) {
    this.address = address;
    this.#changed = changed;
  }

  get isIn(): boolean {
    return this.address >= 0x80;
  }

  get isHalted(): boolean {
    return this.#halt !== 'none';
  }

  /** Handles an OUT transaction of the host. */
  receive(data: Uint8Array, toggle: number): OutResult {
    if (this.#isStalling) {
      return 'stall';
    }
    const slot = this.#slots[this.#turn & 1] as Slot;
    if (!slot.isReady) {
      return 'nak';
    }
    if (slot.toggle !== toggle) {
      this.toggleErrors++;
      return 'ack';
    }
    slot.data = data;
    this.#finish(slot);
    return 'ack';
  }

  /** Handles an IN transaction of the host, which acknowledges it. */
  send(): InPacket | 'nak' | 'stall' {
    if (this.#isStalling) {
      return 'stall';
    }
    const slot = this.#slots[this.#turn & 1] as Slot;
    if (!slot.isReady) {
      return 'nak';
    }
    const { data, toggle } = slot;
    this.#finish(slot);
    return { data, toggle };
  }

  /** True: a transaction would not be refused with NAK. */
  get isReady(): boolean {
    return this.#isStalling || (this.#slots[this.#turn & 1] as Slot).isReady;
  }

  start(transfer: Transfer): void {
    this.#transfer = transfer;
    this.#chained = null;
    this.#offer();
  }

  /** Starts `transfer` after the one under way. */
  chain(transfer: Transfer): void {
    this.#chained = transfer;
  }

  /** Sends an empty packet (IN), or waits for any packet (OUT). */
  startEmpty(onDone: () => void): void {
    this.packet = this.isIn ? empty : this.packet;
    this.start(onePacket(onDone));
  }

  /** Waits for the next command, unless the endpoint does so already or is halted. */
  startDefaultIfIdle(): void {
    if (!this.isHalted && (this.#transfer === null || this.#transfer !== this.#default)) {
      this.#startDefault();
    }
  }

  /** Ends the packet for which `onPacket` was called. */
  packetDone(): void {
    const transfer = this.#transfer;
    if (transfer === null) {
      return;
    }
    transfer.isWaiting = false;
    this.#checkEnd(transfer);
    if (transfer.isOver) {
      return;
    }
    if (this.isIn) {
      this.#hand(this.packet);
    }
    if (transfer.hasQueued) {
      transfer.hasQueued = false;
      this.#owned--;
      this.#handle(this.#take ^ 1);
    } else {
      this.#offer();
    }
  }

  halt(kind: 'halted' | 'on-condition' = 'halted'): void {
    if (this.#halt === 'none') {
      this.#isStalling = true;
      this.#halt = kind;
      this.onHaltChange?.();
      this.#changed();
    } else if (kind === 'on-condition') {
      this.#halt = kind;
    }
  }

  /** CLEAR_FEATURE(ENDPOINT_HALT). It also drops the transfer of an endpoint that is not halted. */
  clearHalt(): void {
    if (this.#halt === 'on-condition') {
      this.#nextToggle = 0;
    } else {
      this.reset(true);
    }
  }

  /** Drops the transfer and removes a halt. @param togglesToo True: the next packet is DATA0. */
  reset(togglesToo: boolean): void {
    this.#transfer = null;
    this.#resetSlots();
    if (togglesToo) {
      this.#nextToggle = 0;
    }
    if (this.#halt !== 'none') {
      this.#halt = 'none';
      this.onHaltChange?.();
    }
    if (this.isConfigured && this.startDefault !== null && this.#transfer === null) {
      this.#startDefault();
    }
    this.#changed();
  }

  #startDefault(): void {
    if (this.startDefault !== null) {
      this.#default = this.startDefault();
      this.start(this.#default);
    }
  }

  #resetSlots(): void {
    const [first, second] = this.#slots;
    if ((first.isReady || second.isReady) && this.#owned === 1) {
      this.#nextToggle ^= 1;
    }
    first.isReady = false;
    second.isReady = false;
    this.#isStalling = false;
    this.#owned = 2;
    this.#give = 0;
    this.#take = 0;
    this.#isFirst = true;
  }

  /** The hardware has finished a packet. */
  #finish(slot: Slot): void {
    slot.isReady = false;
    const which = this.#turn & 1;
    this.#turn = which ^ 1;
    this.#handle(which);
  }

  #handle(which: number): void {
    this.#owned++;
    const transfer = this.#transfer;
    if (transfer === null) {
      this.halt();
      return;
    }
    if (transfer.isWaiting) {
      transfer.hasQueued = true;
      return;
    }
    this.#take = which;
    if (!this.isIn || transfer.unoffered > 0) {
      this.#callOnPacket(transfer);
    }
    if (!transfer.isOver) {
      transfer.unfinished--;
      this.#checkEnd(transfer);
    }
  }

  #callOnPacket(transfer: Transfer): void {
    transfer.isWaiting = true;
    if (!this.isIn) {
      this.packet = (this.#slots[this.#take & 1] as Slot).data;
    }
    transfer.onPacket(this);
  }

  #checkEnd(transfer: Transfer): void {
    if (!this.isHalted && (transfer.unfinished > 0 || transfer.isWaiting)) {
      return;
    }
    transfer.isOver = true;
    this.#transfer = null;
    if (this.isHalted) {
      transfer.unoffered = 0;
      transfer.unfinished = 0;
    } else if (transfer.onDone !== null) {
      transfer.onDone();
    } else if (this.#chained !== null) {
      this.start(this.#chained);
    }
  }

  /** Hands free buffers to the hardware: filled ones for IN, empty ones for OUT. */
  #offer(): void {
    while (this.#transfer !== null && this.#transfer.unoffered > 0 && this.#owned > 0 && !this.isHalted) {
      if (this.isIn) {
        const before = this.#owned;
        this.#callOnPacket(this.#transfer);
        if (this.#owned === before) {
          return;
        }
      } else {
        this.#hand(empty);
      }
    }
  }

  #hand(data: Uint8Array): void {
    if (this.#isFirst) {
      this.#turn = 0;
      this.#isFirst = false;
    }
    const slot = this.#slots[this.#give & 1] as Slot;
    slot.isReady = true;
    slot.data = data;
    slot.toggle = this.#nextToggle;
    this.#nextToggle ^= 1;
    this.#owned--;
    this.#give ^= 1;
    if (this.#transfer !== null) {
      this.#transfer.unoffered--;
    }
    this.#changed();
  }
}

function newSlot(): Slot {
  return { isReady: false, toggle: 0, data: empty };
}
