/**
 * A board that answers Improv, written from the document alone (improv-wifi.com, "Improv via Serial"). It prints log
 * lines around its packets, and shares no code with the client.
 */
import type { Clock } from '@wirebench/clock';

export interface ImprovBoardOptions {
  readonly clock: Clock;
  /** Takes what the board prints: one call for each packet or line. */
  readonly print: (bytes: Uint8Array) => void;
  readonly networks?: readonly (readonly [name: string, signal: string, lock: string])[];
  /** Passwords by the name of the network. Connecting to another network, or with another password, fails. */
  readonly passwords?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly information?: readonly string[];
  /** Commands that the board does not know. */
  readonly unknown?: readonly number[];
  /** True: the board prints what it receives, as a console does. */
  readonly echoes?: boolean;
  /** True: a board that was connected returns to its old network when another one fails. */
  readonly returns?: boolean;
  /** True: settings need a button first. */
  readonly needsButton?: boolean;
}

const letters = [...'IMPROV'].map((letter) => letter.charCodeAt(0));
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Returns a packet as bytes: header, version 1, type, length, data, sum of all of them. */
export function packetBytes(type: number, data: readonly number[]): number[] {
  const whole = [...letters, 1, type, data.length, ...data];
  return [...whole, whole.reduce((sum, byte) => sum + byte) % 256];
}

export class ImprovBoard {
  state = 2;
  /** Name and password of each attempt to connect. */
  readonly attempts: (readonly [string, string])[] = [];
  hostname = 'bench-board';
  deviceName = 'Kitchen';
  readonly #options: ImprovBoardOptions;
  readonly #received: number[] = [];

  constructor(options: ImprovBoardOptions) {
    this.#options = options;
    this.state = options.needsButton ? 1 : 2;
  }

  /** Takes bytes from the client. */
  receive(bytes: Uint8Array): void {
    if (this.#options.echoes) {
      this.#options.print(bytes.slice());
    }
    for (const byte of bytes) {
      this.#take(byte);
    }
  }

  /** Prints a line of the board's log. */
  log(line: string): void {
    this.#options.print(bytesOf(`${line}\r\n`));
  }

  #take(byte: number): void {
    const at = this.#received.length;
    const expected = at < 6 ? letters[at] : at === 6 ? 1 : byte;
    if (byte !== expected) {
      this.#received.length = 0;
      return;
    }
    this.#received.push(byte);
    const length = this.#received[8];
    if (length === undefined || this.#received.length < 10 + length) {
      return;
    }
    const packet = this.#received.splice(0);
    const [sum = 0] = packet.splice(-1);
    if (packet.reduce((all, part) => all + part) % 256 !== sum) {
      this.#error(1);
    } else if (packet[7] === 3) {
      this.#command(packet.slice(9));
    }
  }

  #command([number = 0, length = 0, ...data]: readonly number[]): void {
    if (this.#options.unknown?.includes(number)) {
      this.#error(2);
      return;
    }
    if (length !== data.length) {
      this.#error(1);
      return;
    }
    this.#error(0);
    const text = new TextDecoder().decode(Uint8Array.from(data));
    switch (number) {
      case 1:
        this.#connect(data);
        break;
      case 2:
        this.#packet(1, [this.state]);
        if (this.state === 4) {
          this.#result(2, [this.#options.address ?? '']);
        }
        break;
      case 3:
        this.#result(3, this.#options.information ?? ['Demo', '1.0', 'ESP32', this.deviceName]);
        break;
      case 4:
        this.#scan();
        break;
      case 5:
        if (/[^A-Za-z0-9-]/.test(text)) {
          this.#error(5);
          return;
        }
        this.hostname = text === '' ? this.hostname : text;
        this.#result(5, [this.hostname]);
        break;
      case 6:
        this.deviceName = text === '' ? this.deviceName : text;
        this.#result(6, [this.deviceName]);
        break;
      default:
        this.#error(2);
    }
  }

  #connect(data: readonly number[]): void {
    const nameLength = data[0] ?? 0;
    const part = (from: number, length: number) =>
      new TextDecoder().decode(Uint8Array.from(data.slice(from, from + length)));
    const name = part(1, nameLength);
    const password = part(2 + nameLength, data[1 + nameLength] ?? 0);
    if (this.state === 1) {
      this.#error(4);
      return;
    }
    this.attempts.push([name, password]);
    const before = this.state;
    this.state = 3;
    this.#packet(1, [3]);
    this.#options.clock.schedule(5_000, () => {
      if (this.#options.passwords?.[name] === password) {
        this.state = 4;
        this.#packet(1, [4]);
        this.#result(1, [this.#options.address ?? '']);
      } else {
        this.#error(3);
        this.state = before === 4 && this.#options.returns === true ? 4 : 2;
        this.#packet(1, [this.state]);
      }
    });
  }

  #scan(): void {
    const { clock, networks = [] } = this.#options;
    networks.forEach((network, index) => {
      clock.schedule(2_000 + index * 10, () => this.#result(4, network));
    });
    clock.schedule(2_000 + networks.length * 10, () => this.#result(4, []));
  }

  #error(code: number): void {
    this.#packet(2, [code]);
  }

  #result(number: number, strings: readonly string[]): void {
    const body = strings.flatMap((text) => [bytesOf(text).length, ...bytesOf(text)]);
    this.#packet(4, [number, body.length, ...body]);
  }

  #packet(type: number, data: readonly number[]): void {
    this.#options.print(Uint8Array.from(packetBytes(type, data)));
  }
}
