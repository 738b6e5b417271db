/** Endless text on the wire of a board, from its program or from another source on the same wire. */
import { type DeviceLine, lowWater } from '../wire/device.ts';
import type { Link } from '../wire/link.ts';
import { TimerGroup } from '../wire/timer-group.ts';

/** Milliseconds between two pieces of text. */
const pause = 5;
/** Rate in baud that the text fills on USB, which has no rate of its own. */
const usbRate = 921_600;

/** The chip on whose wire the text appears. */
interface Flooded {
  readonly state: string;
  readonly link: Link;
}

export class EspFlood {
  /** False: print nothing. */
  isOn = true;
  readonly #by: 'program' | 'wire';
  #timers: TimerGroup | null = null;
  #lines = 0;

  /** @param by `program`: prints only while the chip's program runs. `wire`: prints independently of the chip. */
  constructor(by: 'program' | 'wire') {
    this.#by = by;
  }

  /** Number of lines printed. */
  get lines(): number {
    return this.#lines;
  }

  /** Called when the board gets power. */
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

  /** Writes the amount of text that the wire carries until the next piece. */
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
