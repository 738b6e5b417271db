/** One endpoint of a fake device: packets to the host, or transfers to the device, one after the other. */
import type { Clock } from '@wirebench/clock';
import type { UsbEndpoint, UsbInResult, UsbOutResult } from '../usb-device.ts';

/** A transfer to the host that collects packets. */
interface Waiting {
  readonly length: number;
  readonly packets: Uint8Array[];
  readonly settle: (result: UsbInResult) => void;
  readonly reject: (error: DOMException) => void;
}

export class FakeEndpoint {
  readonly facts: UsbEndpoint;
  readonly #clock: Clock;
  readonly #latency: () => number;
  #packets: Uint8Array[] = [];
  #waiting: Waiting[] = [];
  /** Ends the transfer to the device that is on its way. */
  #cancelSend: ((error: DOMException) => void) | null = null;
  #isHalted = false;
  /** Time of the last result: results stay in order. */
  #due = 0;

  constructor(facts: UsbEndpoint, clock: Clock, latency: () => number) {
    this.facts = facts;
    this.#clock = clock;
    this.#latency = latency;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get queued(): number {
    return this.#packets.length;
  }

  /** Sends bytes as one packet, or as several if they are more than fit one. */
  packet(bytes: Uint8Array): void {
    const { packetSize } = this.facts;
    for (let at = 0; at === 0 || at < bytes.length; at += packetSize) {
      this.#packets.push(bytes.slice(at, at + packetSize));
    }
    this.#feed();
  }

  halt(): void {
    this.#isHalted = true;
    this.#feed();
  }

  resume(): void {
    this.#isHalted = false;
    this.#feed();
  }

  receive(length: number): Promise<UsbInResult> {
    return new Promise((settle, reject) => {
      this.#waiting.push({ length, packets: [], settle, reject });
      this.#feed();
    });
  }

  async send(take: (signal: AbortSignal) => Promise<number | 'stall'> | number | 'stall'): Promise<UsbOutResult> {
    const cancelled = new AbortController();
    const ended = new Promise<never>((_, reject) => {
      this.#cancelSend = (error) => {
        cancelled.abort();
        reject(error);
      };
    });
    ended.catch(() => 'also when it has settled before');
    const taken = async () => {
      await this.#clock.sleep(this.#latency());
      const count = this.#isHalted ? 'stall' : await take(cancelled.signal);
      if (count === 'stall') {
        this.#isHalted = true;
        return { status: 'stall', bytesWritten: 0 } as const;
      }
      return { status: 'ok', bytesWritten: count } as const;
    };
    const result = taken();
    result.catch(() => 'cancelled');
    try {
      return await Promise.race([result, ended]);
    } finally {
      this.#cancelSend = null;
    }
  }

  cancel(error: () => DOMException): void {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(error());
    }
    this.#cancelSend?.(error());
  }

  /** Fills waiting transfers. A short packet or a full buffer ends one (USB 2.0, section 5.8.3). */
  #feed(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#isHalted) {
        this.#end(first, { status: 'stall' });
        continue;
      }
      let isComplete = false;
      while (!isComplete && this.#packets[0] !== undefined) {
        const packet = this.#packets.shift() ?? new Uint8Array();
        first.packets.push(packet);
        const size = first.packets.reduce((sum, { length }) => sum + length, 0);
        if (size > first.length) {
          throw new Error('A packet is larger than the rest of the transfer: the host would see babble.');
        }
        isComplete = packet.length < this.facts.packetSize || size === first.length;
      }
      if (!isComplete) {
        return;
      }
      const bytes = Uint8Array.from(first.packets.flatMap((packet) => [...packet]));
      this.#end(first, { status: 'ok', data: new DataView(bytes.buffer) });
    }
  }

  #end(transfer: Waiting, result: UsbInResult): void {
    this.#waiting.shift();
    const now = this.#clock.now();
    this.#due = Math.max(this.#due, now + this.#latency());
    if (this.#due === now) {
      transfer.settle(result);
    } else {
      this.#clock.schedule(this.#due - now, () => transfer.settle(result));
    }
  }
}
