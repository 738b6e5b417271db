/** The bits of an I2C transfer on both lines (NXP UM10204, section 3.1), and the bytes for the targets. */
import type { I2cBus } from '../../breadboard/buses.ts';
import type { Level } from '../../breadboard/net.ts';
import type { Wave } from '../../breadboard/wave.ts';

/** Lengths of the phases of a bit, a start and a stop, in milliseconds. */
interface Times {
  readonly low: number;
  readonly high: number;
  readonly hold: number;
  readonly startHold: number;
  readonly restartSetup: number;
  readonly stopSetup: number;
  readonly stopHold: number;
}

/** Writes one transfer. `at` is the time of its end so far. */
export class I2cBits {
  at: number;
  readonly #sda: Wave;
  readonly #scl: Wave;
  readonly #buses: readonly I2cBus[];
  readonly #times: Times;
  /** True if the next byte is the first one after a start. */
  #addressing = false;

  constructor(at: number, sda: Wave, scl: Wave, buses: readonly I2cBus[], times: Times) {
    this.at = at;
    this.#sda = sda;
    this.#scl = scl;
    this.#buses = buses;
    this.#times = times;
  }

  start(repeated: boolean): void {
    const { low, restartSetup, startHold } = this.#times;
    if (repeated) {
      this.#sda.push(this.at, 1);
      // A target that acknowledged releases SDA. Otherwise the start would not be visible.
      for (const bus of this.#buses) {
        bus.drive(this.at, 1);
      }
      this.at += low;
      this.#scl.push(this.at, 1);
    }
    // Both lines are high for some time before each start, including the first (table 10, "set-up time").
    this.at += restartSetup;
    this.#sda.push(this.at, 0);
    this.at += startHold;
    this.#scl.push(this.at, 0);
    this.#addressing = true;
  }

  stop(): void {
    const { low, stopSetup, stopHold } = this.#times;
    this.#sda.push(this.at, 0);
    for (const bus of this.#buses) {
      bus.drive(this.at, 1);
    }
    this.at += low;
    this.#scl.push(this.at, 1);
    this.at += stopSetup;
    this.#sda.push(this.at, 1);
    for (const bus of this.#buses) {
      bus.stop(this.at);
    }
    this.at += stopHold;
  }

  /** Sends a byte. Returns the ninth bit: 0 if a target acknowledged. */
  write(byte: number): Level {
    for (let bit = 7; bit >= 0; bit--) {
      this.#clock(((byte >> bit) & 1) as Level, 1);
    }
    const heard = this.#buses.filter((bus) =>
      this.#addressing ? bus.address(byte, this.at) : bus.write(byte, this.at),
    );
    this.#addressing = false;
    const answer: Level = heard.length > 0 ? 0 : 1;
    this.#clock(1, answer);
    return answer;
  }

  /** Receives a byte and answers with the ninth bit `ack`. */
  read(ack: Level): number {
    const byte = this.#buses.reduce((all, bus) => all & bus.read(this.at), 0xff);
    for (let bit = 7; bit >= 0; bit--) {
      this.#clock(1, ((byte >> bit) & 1) as Level);
    }
    this.#clock(ack, 1);
    return byte;
  }

  /** Generates one clock, low first, with the levels of the master and the targets on SDA. */
  #clock(sda: Level, targets: Level): void {
    const { low, high, hold } = this.#times;
    this.#sda.push(this.at + Math.min(hold, low), sda);
    for (const bus of this.#buses) {
      bus.drive(this.at + Math.min(hold, low), targets);
    }
    this.at += low;
    this.#scl.push(this.at, 1);
    this.at += high;
    this.#scl.push(this.at, 0);
  }
}
