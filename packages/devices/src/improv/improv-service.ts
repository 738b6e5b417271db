/**
 * The Improv service of a board's program (improv-wifi.com, "Improv via Serial", version 1): device information,
 * state, scan and provisioning. It answers packets and ignores everything else that it receives.
 */
import { joined } from '../byte-fields.ts';
import type { DeviceLine } from '../wire/device.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import { defaultNetworks, defaultUrl, type ImprovFault, type ImprovOptions, type WifiNetwork } from './options.ts';

/** The texts of the device information. */
export interface ImprovInformation {
  readonly firmware: string;
  readonly version: string;
  /** Chip in Espressif's spelling, for example `ESP32-C3`. */
  readonly chip: string;
}

/** Milliseconds, in the order of those of ESP boards. `failure`: until the board gives up a network. */
const times = { answer: 8, scan: 1_200, connection: 1_800, failure: 3_000 } as const;
/** Pause within a split packet, in milliseconds. */
const splitPause = 60;
/** Weakest signal in dBm at which a connection succeeds. */
const weakestSignal = -85;
const faultText = 'I (4711) sensor: 21.5 C, 43 %';

interface Life {
  readonly line: Pick<DeviceLine, 'write'>;
  readonly timers: Pick<TimerGroup, 'after'>;
  readonly information: ImprovInformation;
}

/**
 * Packets of Improv Wi-Fi over serial, version 1 (improv-wifi.com, "Improv via Serial", sections "Packet format" and
 * "RPC Command"): `IMPROV`, version, type, length, data, and the sum of all bytes before as the last byte.
 */

/** Types of packets. A client sends commands only. */
const packetTypes = { state: 1, error: 2, command: 3, result: 4 } as const;

/** Commands of a client, which are also the first byte of the results. */
const commands = { provision: 1, state: 2, information: 3, scan: 4 } as const;

/** States of the service. */
const states = { ready: 2, provisioning: 3, provisioned: 4 } as const;

/** Errors of the service. `unreachable`: the credentials did not lead to a connection. */
const errors = { none: 0, invalid: 1, unknownCommand: 2, unreachable: 3 } as const;

interface ImprovPacket {
  readonly type: number;
  /** At most 255 bytes. */
  readonly data: Uint8Array;
}

const version = 1;
const header = new TextEncoder().encode('IMPROV');
/** Bytes before the data: header, version, type and length. */
const headLength = 9;
const lineFeed = 0x0a;

/** Returns the packet's bytes, followed by a line feed that keeps the next text off the packet's line. */
function encodePacket({ type, data }: ImprovPacket): Uint8Array<ArrayBuffer> {
  const body = joined(header, Uint8Array.of(version, type, data.length), data);
  return joined(body, Uint8Array.of(checksum(body), lineFeed));
}

/** Returns the data of a result: the command, the length of the rest, and each text with its length in bytes. */
function encodeTexts(command: number, texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const parts = texts.map((text) => {
    const bytes = new TextEncoder().encode(text);
    return joined(Uint8Array.of(bytes.length), bytes);
  });
  const rest = joined(...parts);
  return joined(Uint8Array.of(command, rest.length), rest);
}

function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
}

/** Finds packets in a stream that may contain anything else between them. */
class PacketReader {
  /** Bytes of a packet that is not complete. */
  #pending: number[] = [];

  /** Returns the packets that `bytes` complete, in order. `damaged`: the checksum is wrong. */
  push(bytes: Uint8Array): (ImprovPacket | 'damaged')[] {
    const packets: (ImprovPacket | 'damaged')[] = [];
    for (const byte of bytes) {
      this.#pending.push(byte);
      const packet = this.#completed();
      if (packet !== null) {
        packets.push(packet);
      }
    }
    return packets;
  }

  reset(): void {
    this.#pending = [];
  }

  #completed(): ImprovPacket | 'damaged' | null {
    const pending = this.#pending;
    const at = pending.length - 1;
    const byte = pending[at] ?? 0;
    const expected = at < header.length ? header[at] : at === header.length ? version : byte;
    if (byte !== expected) {
      // The letters of the header differ from each other, so only its first one can begin a packet here.
      this.#pending = byte === header[0] ? [byte] : [];
      return null;
    }
    const length = pending[headLength - 1];
    if (length === undefined || pending.length < headLength + length + 1) {
      return null;
    }
    const body = Uint8Array.from(pending.slice(0, -1));
    this.reset();
    return checksum(body) === byte ? { type: body[7] ?? 0, data: body.slice(headLength) } : 'damaged';
  }
}

export class ImprovService {
  readonly #options: ImprovOptions;
  readonly #reader = new PacketReader();
  #life: Life | null = null;
  #state: number = states.ready;
  #error: number = errors.none;
  /** Counters of packets, for faults. */
  readonly #counts = { host: 0, board: 0 };
  /** Packets behind a split one whose second part has not been sent; null without one. */
  #waiting: ImprovPacket[] | null = null;
  /** Number of the last attempt to connect. A newer one replaces those before. */
  #attempt = 0;

  constructor(options: ImprovOptions) {
    this.#options = options;
  }

  /** Name of the network that the board joined; null before. A board keeps it over restarts. */
  network: string | null = null;

  /** Starts with the program that contains the service. */
  start(line: Life['line'], timers: Life['timers'], information: ImprovInformation): void {
    this.stop();
    this.#life = { line, timers, information };
    this.#state = this.network === null ? states.ready : states.provisioned;
  }

  /** Ends with the program. Its timers are cancelled by their owner. */
  stop(): void {
    this.#life = null;
    this.#reader.reset();
    this.#error = errors.none;
    this.#waiting = null;
    this.#attempt++;
  }

  receive(bytes: Uint8Array): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    for (const packet of this.#reader.push(bytes)) {
      this.#counts.board++;
      if (this.#fault('board') === undefined) {
        life.timers.after(times.answer, () => this.#answer(packet));
      }
    }
  }

  #answer(packet: ImprovPacket | 'damaged'): void {
    const command = packet === 'damaged' || packet.type !== packetTypes.command ? null : commandIn(packet.data);
    if (command === null) {
      this.#report(errors.invalid);
    } else if (command.id === commands.state) {
      this.#sendState();
      if (this.#state === states.provisioned) {
        this.#sendAddress(commands.state);
      }
    } else if (command.id === commands.information) {
      this.#sendInformation();
    } else if (command.id === commands.scan) {
      this.#life?.timers.after(times.scan, () => this.#sendNetworks());
    } else if (command.id === commands.provision) {
      this.#provision(command.data);
    } else {
      this.#report(errors.unknownCommand);
    }
  }

  #sendInformation(): void {
    if (this.#life !== null) {
      const { firmware, version, chip } = this.#life.information;
      const { deviceName = 'Wirebench demo' } = this.#options;
      this.#sendTexts(commands.information, [firmware, version, chip, deviceName]);
    }
  }

  /** Sends a result for each network, and an empty one as the end. */
  #sendNetworks(): void {
    for (const { ssid, rssi, password } of this.#networks) {
      this.#sendTexts(commands.scan, [ssid, rssi.toString(), password === null ? 'NO' : 'YES']);
    }
    this.#sendTexts(commands.scan, []);
  }

  #provision(data: Uint8Array): void {
    const credentials = credentialsIn(data);
    if (credentials === null) {
      this.#report(errors.invalid);
      return;
    }
    if (this.#error !== errors.none) {
      this.#report(errors.none);
    }
    const before = this.network;
    this.#enter(states.provisioning);
    this.#attempt++;
    const attempt = this.#attempt;
    const accepted = this.#networks.some((network) => accepts(network, credentials));
    this.#life?.timers.after(accepted ? times.connection : times.failure, () => {
      if (attempt !== this.#attempt) {
        return;
      }
      if (accepted) {
        this.network = credentials.ssid;
        this.#enter(states.provisioned);
        this.#sendAddress(commands.provision);
      } else {
        this.#report(errors.unreachable);
        this.#enter(before === null ? states.ready : states.provisioned);
      }
    });
  }

  get #networks(): readonly WifiNetwork[] {
    return this.#options.networks ?? defaultNetworks;
  }

  #enter(state: number): void {
    this.#state = state;
    this.#sendState();
  }

  #sendState(): void {
    this.#send({ type: packetTypes.state, data: Uint8Array.of(this.#state) });
  }

  #report(error: number): void {
    this.#error = error;
    this.#send({ type: packetTypes.error, data: Uint8Array.of(error) });
  }

  #sendAddress(command: number): void {
    const { url = defaultUrl } = this.#options;
    this.#sendTexts(command, url === null ? [] : [url]);
  }

  #sendTexts(command: number, texts: readonly string[]): void {
    this.#send({ type: packetTypes.result, data: encodeTexts(command, texts) });
  }

  /** Sends a packet with its planned fault. Packets behind a split one wait for its second part. */
  #send(packet: ImprovPacket): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    if (this.#waiting !== null) {
      this.#waiting.push(packet);
      return;
    }
    this.#counts.host++;
    const kind = this.#fault('host')?.kind;
    const bytes = encodePacket(packet);
    const half = Math.floor(bytes.length / 2);
    const text = new TextEncoder().encode(faultText);
    const line = new TextEncoder().encode(`${faultText}\r\n`);
    if (kind === 'split') {
      life.line.write(bytes.subarray(0, half));
      const waiting: ImprovPacket[] = [];
      this.#waiting = waiting;
      life.timers.after(splitPause, () => {
        life.line.write(bytes.subarray(half));
        this.#waiting = null;
        for (const next of waiting) {
          this.#send(next);
        }
      });
    } else if (kind === 'bad-checksum') {
      const at = bytes.length - 2;
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      life.line.write(bytes);
    } else if (kind === 'text-before') {
      life.line.write(joined(line, bytes));
    } else if (kind === 'text-joined') {
      life.line.write(joined(text, bytes));
    } else if (kind === 'text-inside') {
      life.line.write(joined(bytes.subarray(0, half), line, bytes.subarray(half)));
    } else if (kind === undefined) {
      life.line.write(bytes);
    }
  }

  /** Returns the fault of the packet that was counted last in this direction. */
  #fault(to: ImprovFault['to']): ImprovFault | undefined {
    const count = this.#counts[to];
    return this.#options.faults?.find((fault) => fault.to === to && (fault.nth ?? count) === count);
  }
}

/** Returns the command and its data; null if the length does not fit. */
function commandIn(data: Uint8Array): { readonly id: number; readonly data: Uint8Array } | null {
  const [id, length] = data;
  return id === undefined || length === undefined || data.length !== length + 2 ? null : { id, data: data.subarray(2) };
}

interface Credentials {
  readonly ssid: string;
  readonly password: string;
}

/** Returns the two texts of a provisioning command; null if it is malformed or has no network name. */
function credentialsIn(data: Uint8Array): Credentials | null {
  const ssidLength = data[0] ?? 0;
  const passwordLength = data[1 + ssidLength];
  if (ssidLength === 0 || passwordLength === undefined || data.length !== 2 + ssidLength + passwordLength) {
    return null;
  }
  const text = (start: number, length: number) => new TextDecoder().decode(data.subarray(start, start + length));
  return { ssid: text(1, ssidLength), password: text(2 + ssidLength, passwordLength) };
}

function accepts(network: WifiNetwork, { ssid, password }: Credentials): boolean {
  const known = network.ssid === ssid && network.rssi >= weakestSignal;
  return known && (network.password === null || network.password === password);
}
