/** Text without an end on the wire of a board: its program prints it, or something else whose output is on the same wire. */
import { type DeviceLine, lowWater } from '../wire/device.ts';
import type { Link } from '../wire/link.ts';
import { TimerGroup } from '../wire/timer-group.ts';

/** Milliseconds between two pieces. */
const pause = 5;
/** Baud that it fills on USB, which has no rate. */
const usbRate = 921_600;

/** The chip that it comes from. */
interface Flooded {
  readonly state: string;
  readonly link: Link;
}

export class EspFlood {
  /** Nothing is printed while this is false. */
  isOn = true;
  readonly #by: 'program' | 'wire';
  #timers: TimerGroup | null = null;
  #lines = 0;

  /** @param by `program`: a reset into the ROM ends it. `wire`: it goes on whatever the chip does. */
  constructor(by: 'program' | 'wire') {
    this.#by = by;
  }

  /** So far. */
  get lines(): number {
    return this.#lines;
  }

  /** The board has power. */
  attach(line: DeviceLine, chip: Flooded): void {
    const timers = new TimerGroup(line.clock);
    this.#timers = timers;
    const print = () => {
      if (this.isOn && (this.#by === 'wire' || chip.state === 'running')) {
        this.#fill(line, chip.link);
      }
      timers.after(pause, print);
    };
    print();
  }

  detach(): void {
    this.#timers?.cancelAll();
    this.#timers = null;
  }

  /** With what the wire carries until the next piece. */
  #fill(line: DeviceLine, link: Link): void {
    const baudRate = link.kind === 'uart' ? link.baudRate : usbRate;
    for (let room = (baudRate / 10_000) * pause; room > 0 && line.pending < lowWater; ) {
      this.#lines++;
      const text = new TextEncoder().encode(`I (${this.#lines}) sensor: temperature 21.5, humidity 40\r\n`);
      line.write(text);
      room -= text.length;
    }
  }
}
