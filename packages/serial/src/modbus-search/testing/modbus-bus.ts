/** A Modbus line of a test on a virtual clock: units with tables, and the faults that a line can have. */
import type { VirtualClock } from '@wirebench/clock';
import { describePortSettings, type PortSettings, wireTime } from '@wirebench/port';
import type { OpenLine } from '../line-questions.ts';

/** Addresses of each table, by its function. */
type BusTables = Readonly<Partial<Record<1 | 2 | 3 | 4, readonly number[]>>>;

export interface BusUnit {
  readonly unit: number;
  readonly settings: PortSettings;
  readonly tables: BusTables;
  /** Milliseconds from the end of a request to the answer. Default: 5. */
  readonly delay?: number;
  readonly identification?: readonly string[];
  /** Most registers of one request; others are refused with exception 3. */
  readonly longest?: number;
  /** Changes the frames of its answers. */
  readonly damage?: (frame: Uint8Array, count: number) => Uint8Array;
  /** Functions that are not answered at all. */
  readonly mute?: readonly number[];
  /** Exception in place of the probe's answer. */
  readonly exception?: number;
}

export interface BusFaults {
  /** True: the adapter returns what it sends. */
  readonly echoes?: boolean;
  /** Called with the number of each request, from 1. */
  readonly onRequest?: (count: number, bus: ModbusBus) => void;
}

export class ModbusBus {
  readonly requests: string[] = [];
  readonly openings: string[] = [];
  readonly #clock: VirtualClock;
  readonly #units: readonly BusUnit[];
  readonly #faults: BusFaults;
  #settings: PortSettings | null = null;
  #received: (bytes: Uint8Array) => void = () => undefined;
  #answers = 0;
  isPulled = false;

  constructor(clock: VirtualClock, units: readonly BusUnit[], faults: BusFaults = {}) {
    this.#clock = clock;
    this.#units = units;
    this.#faults = faults;
  }

  readonly open = async (settings: PortSettings, received: (bytes: Uint8Array) => void): Promise<OpenLine> => {
    this.openings.push(describePortSettings(settings));
    this.#settings = settings;
    this.#received = received;
    return { send: (bytes) => this.#send(bytes) };
  };

  /** Something else on the line sends. */
  say(bytes: Uint8Array): void {
    this.#received(bytes.slice());
  }

  async #send(bytes: Uint8Array): Promise<void> {
    if (this.isPulled) {
      throw new DOMException('The device has been lost.', 'NetworkError');
    }
    this.requests.push(Buffer.from(bytes).toString('hex'));
    this.#faults.onRequest?.(this.requests.length, this);
    const settings = this.#settings as PortSettings;
    const end = wireTime(settings, bytes.length);
    if (this.#faults.echoes) {
      this.#clock.schedule(end, () => this.say(bytes));
    }
    for (const unit of this.#units) {
      const isHeard = describePortSettings(unit.settings) === describePortSettings(settings);
      const answer = isHeard ? answerOf(unit, bytes) : null;
      if (answer !== null) {
        const frame = unit.damage?.(answer, this.#answers++) ?? answer;
        this.#clock.schedule(end + (unit.delay ?? 5), () => this.say(frame));
      }
    }
  }
}

/** Returns the answer of a unit to a request; null: it says nothing. */
export function answerOf(unit: BusUnit, request: Uint8Array): Uint8Array | null {
  const [asked, code = 0] = request;
  if (asked !== unit.unit || unit.mute?.includes(code) === true) {
    return null;
  }
  const head = [unit.unit, code];
  const refuse = (exception: number) => checked([unit.unit, code | 0x80, exception]);
  const address = ((request[2] as number) << 8) | (request[3] as number);
  const count = ((request[4] as number) << 8) | (request[5] as number);
  if (code === 3 && count === 1 && address === 0 && unit.exception !== undefined) {
    return refuse(unit.exception);
  }
  if (code === 43) {
    const texts = unit.identification ?? [];
    if (texts.length === 0) {
      return refuse(1);
    }
    // One object in each part.
    const id = request[4] as number;
    const text = texts[id] as string;
    const follows = id + 1 < texts.length;
    return checked([
      ...head,
      14,
      1,
      1,
      follows ? 0xff : 0,
      follows ? id + 1 : 0,
      1,
      id,
      text.length,
      ...Buffer.from(text),
    ]);
  }
  const table = unit.tables[code as 1 | 2 | 3 | 4];
  if (table === undefined) {
    return refuse(1);
  }
  if (count > (unit.longest ?? 2_000)) {
    return refuse(3);
  }
  for (let at = address; at < address + count; at++) {
    if (!table.includes(at)) {
      return refuse(2);
    }
  }
  const bytes = code <= 2 ? Math.ceil(count / 8) : 2 * count;
  return checked([...head, bytes, ...Array.from({ length: bytes }, (_, index) => (address + index) & 0xff)]);
}

/** Appends the checksum: CRC-16 of Modbus, bit by bit. */
export function checked(frame: readonly number[]): Uint8Array {
  let sum = 0xffff;
  for (const byte of frame) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      sum = (sum & 1) === 1 ? (sum >> 1) ^ 0xa001 : sum >> 1;
    }
  }
  return Uint8Array.of(...frame, sum & 0xff, sum >> 8);
}
