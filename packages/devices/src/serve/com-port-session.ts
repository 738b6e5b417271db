/**
 * The access server's half of RFC 2217, "Telnet Com Port Control Option": a serial port over TCP with its rate,
 * frame, DTR, RTS and break. Telnet itself: RFC 854 and RFC 855. The session handles bytes and settings; sockets and
 * devices are its caller's.
 */
import type { UartSettings } from '../wire/link.ts';

const iac = 0xff;
const telnet = { subEnd: 0xf0, subBegin: 0xfa, will: 0xfb, wont: 0xfc, do: 0xfd, dont: 0xfe } as const;
const option = { binary: 0, suppressGoAhead: 3, comPort: 44 } as const;
const agreed: readonly number[] = Object.values(option);
/** Commands from the client to the access server. The answer's number is 100 higher. */
const command = { baudRate: 1, dataSize: 2, parity: 3, stopSize: 4, control: 5, purge: 12 } as const;
const answerOffset = 100;
const control = { breakOn: 5, breakOff: 6, dtrOn: 8, dtrOff: 9, rtsOn: 11, rtsOff: 12 } as const;
/** Parities by the values of SET-PARITY, from 0. Mark and space are not supported. */
const parities: readonly ParityType[] = ['none', 'none', 'odd', 'even'];

export interface ComPortEvents {
  /** Receives bytes for the device. */
  data(bytes: Uint8Array): void;
  settings(settings: UartSettings): void;
  lines(lines: { readonly dtr?: boolean; readonly rts?: boolean; readonly break?: boolean }): void;
  /** Requests to discard the bytes that have not been sent yet. */
  discard(): void;
  /** Receives bytes for the client. They are already escaped. */
  reply(bytes: Uint8Array): void;
}

export class ComPortSession {
  readonly #events: ComPortEvents;
  #settings: UartSettings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' };
  /** Requests already answered: the verb in the high byte, the option in the low byte. */
  readonly #negotiated = new Set<number>();
  #state: 'data' | 'iac' | 'option' | 'sub' | 'sub-iac' = 'data';
  #verb = 0;
  #sub: number[] = [];

  constructor(events: ComPortEvents) {
    this.#events = events;
  }

  receive(bytes: Uint8Array): void {
    const data: number[] = [];
    for (const byte of bytes) {
      if (this.#state === 'data' && byte !== iac) {
        data.push(byte);
      } else if (this.#state === 'iac' && byte === iac) {
        this.#state = 'data';
        data.push(byte);
      } else {
        this.#hand(data);
        this.#telnet(byte);
      }
    }
    this.#hand(data);
  }

  /** Returns bytes of the device escaped for the stream to the client. */
  static escape(bytes: Uint8Array): Uint8Array {
    if (!bytes.includes(iac)) {
      return bytes;
    }
    return Uint8Array.from(Array.from(bytes).flatMap((byte) => (byte === iac ? [iac, iac] : [byte])));
  }

  #hand(data: number[]): void {
    if (data.length > 0) {
      this.#events.data(Uint8Array.from(data));
      data.length = 0;
    }
  }

  #telnet(byte: number): void {
    switch (this.#state) {
      case 'data':
        this.#state = 'iac';
        break;
      case 'iac':
        this.#verb = byte;
        this.#sub = [];
        this.#state = byte === telnet.subBegin ? 'sub' : byte >= telnet.will ? 'option' : 'data';
        break;
      case 'option':
        this.#state = 'data';
        this.#negotiate(this.#verb, byte);
        break;
      case 'sub':
        if (byte === iac) {
          this.#state = 'sub-iac';
        } else {
          this.#sub.push(byte);
        }
        break;
      default:
        this.#state = byte === telnet.subEnd ? 'data' : 'sub';
        if (byte === telnet.subEnd) {
          this.#obey(this.#sub);
        } else {
          this.#sub.push(byte);
        }
    }
  }

  /** Accepts the options for binary transfer and serial ports, and refuses all others. Answers each request once. */
  #negotiate(verb: number, wanted: number): void {
    const key = (verb << 8) | wanted;
    if (verb === telnet.wont || verb === telnet.dont || this.#negotiated.has(key)) {
      return;
    }
    this.#negotiated.add(key);
    const yes = agreed.includes(wanted);
    const answer = verb === telnet.do ? (yes ? telnet.will : telnet.wont) : yes ? telnet.do : telnet.dont;
    this.#events.reply(Uint8Array.of(iac, answer, wanted));
  }

  #obey([wanted, number, ...value]: readonly number[]): void {
    if (wanted !== option.comPort || number === undefined) {
      return;
    }
    const [first = 0] = value;
    const before = this.#settings;
    if (number === command.baudRate) {
      const baudRate = value.reduce((sum, byte) => sum * 256 + byte, 0);
      this.#settings = { ...before, baudRate: baudRate === 0 ? before.baudRate : baudRate };
    } else if (number === command.dataSize) {
      this.#settings = { ...before, dataBits: first === 7 ? 7 : 8 };
    } else if (number === command.parity) {
      this.#settings = { ...before, parity: parities[first] ?? 'none' };
    } else if (number === command.stopSize) {
      this.#settings = { ...before, stopBits: first === 2 ? 2 : 1 };
    } else if (number === command.control) {
      this.#control(first);
    } else if (number === command.purge && first !== 1) {
      this.#events.discard();
    }
    if (this.#settings !== before) {
      this.#events.settings(this.#settings);
    }
    const answer = value.flatMap((byte) => (byte === iac ? [iac, iac] : [byte]));
    this.#events.reply(
      Uint8Array.of(iac, telnet.subBegin, option.comPort, number + answerOffset, ...answer, iac, telnet.subEnd),
    );
  }

  #control(value: number): void {
    const changes: Readonly<Record<number, Parameters<ComPortEvents['lines']>[0]>> = {
      [control.breakOn]: { break: true },
      [control.breakOff]: { break: false },
      [control.dtrOn]: { dtr: true },
      [control.dtrOff]: { dtr: false },
      [control.rtsOn]: { rts: true },
      [control.rtsOff]: { rts: false },
    };
    const change = changes[value];
    if (change !== undefined) {
      this.#events.lines(change);
    }
  }
}
