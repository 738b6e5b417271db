/**
 * The Improv service of a board's program (improv-wifi.com, "Improv via Serial", version 1): device information,
 * state, scan and provisioning. It answers packets and ignores everything else that it receives.
 */
import { joined } from '../byte-fields.ts';
import type { DeviceLine } from '../wire/device.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import { defaultNetworks, defaultUrl, type ImprovFault, type ImprovOptions, type WifiNetwork } from './options.ts';
import {
  commands,
  encodePacket,
  encodeTexts,
  errors,
  type ImprovPacket,
  PacketReader,
  packetTypes,
  states,
} from './packet.ts';

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
