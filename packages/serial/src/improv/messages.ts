/**
 * Commands and answers inside of packets.
 *
 * Source: improv-wifi.com, "Improv via Serial" (revision with "Get/Set Device Name"); error 4 from "Improv via BLE".
 */
import { joined } from '@wirebench/port/bytes';
import { type Packet, packetType } from './packet.ts';

export const command = {
  settings: 1,
  state: 2,
  deviceInformation: 3,
  networks: 4,
  hostname: 5,
  deviceName: 6,
} as const;

type CommandNumber = (typeof command)[keyof typeof command];

/** State of the board's network. `starting`: it waits for a button or the like before it accepts a network. */
export type ImprovState = 'starting' | 'ready' | 'connecting' | 'connected';

const states: Readonly<Record<number, ImprovState>> = {
  0: 'starting',
  1: 'starting',
  2: 'ready',
  3: 'connecting',
  4: 'connected',
};

export const boardError = {
  none: 0,
  invalidPacket: 1,
  unknownCommand: 2,
  unableToConnect: 3,
  notAuthorized: 4,
  badHostname: 5,
} as const;

export type Message =
  | { readonly kind: 'state'; readonly state: ImprovState }
  /** @property code One of `boardError`, or any other byte. */
  | { readonly kind: 'error'; readonly code: number }
  /** @property strings Bytes of each string, because the name of a network is any bytes. */
  | { readonly kind: 'result'; readonly command: number; readonly strings: readonly Uint8Array[] };

export interface DeviceInformation {
  readonly firmware: string;
  readonly version: string;
  readonly chip: string;
  readonly name: string;
  /** System below the firmware, such as `ESPHome 2025.12.2`; empty if the board does not say. */
  readonly system: string;
}

export interface WifiNetwork {
  readonly name: string;
  /** The name as the board sent it, which need not be UTF-8. */
  readonly bytes: Uint8Array;
  /** Signal in dBm; null if the board did not send a number. */
  readonly signal: number | null;
  readonly isLocked: boolean;
  /** Kind of protection, such as `WPA2`; empty if the board only says yes or no. */
  readonly protection: string;
}

export interface NetworkSettings {
  /** 1 to 32 bytes (IEEE 802.11, 9.4.2.2). */
  readonly name: Uint8Array;
  /** 0 to 64 bytes; empty for an open network. */
  readonly password: Uint8Array;
}

/** In bytes (IEEE 802.11). A WPA password has 8 to 63 characters or 64 hexadecimal digits, a WEP key at least 5. */
export const networkLimits = { name: 32, password: 64, shortestPassword: 5 } as const;

const decoder = new TextDecoder();
/** Longest text of a board that is kept, in characters. */
const MAX_TEXT = 255;

export function commandPacket(number: CommandNumber, data: Uint8Array = new Uint8Array()): Packet {
  return { type: packetType.command, data: joined(Uint8Array.of(number, data.length), data) };
}

/** @throws RangeError for a name or a password of a length that no network has. */
export function settingsPacket({ name, password }: NetworkSettings): Packet {
  if (name.length === 0 || name.length > networkLimits.name) {
    throw new RangeError(`The name of a network has 1 to ${networkLimits.name} bytes, not ${name.length}`);
  }
  if (password.length > networkLimits.password) {
    throw new RangeError(`A password has at most ${networkLimits.password} bytes, not ${password.length}`);
  }
  const data = joined(Uint8Array.of(name.length), name, Uint8Array.of(password.length), password);
  return commandPacket(command.settings, data);
}

/** Returns what a packet of a board says; null for one that a board does not send, and for a malformed one. */
export function readPacket({ type, data }: Packet): Message | null {
  const [first] = data;
  if (first === undefined) {
    return null;
  }
  switch (type) {
    case packetType.state: {
      const state = states[first];
      return state === undefined ? null : { kind: 'state', state };
    }
    case packetType.error:
      return { kind: 'error', code: first };
    case packetType.result: {
      const strings = stringsIn(data);
      return strings === null ? null : { kind: 'result', command: first, strings };
    }
    default:
      return null;
  }
}

/** Returns null for an answer with fewer than the four strings of the document. */
export function readDeviceInformation(strings: readonly Uint8Array[]): DeviceInformation | null {
  const [firmware, version, chip, name, system = '', systemVersion = ''] = strings.map(textOf);
  return firmware === undefined || version === undefined || chip === undefined || name === undefined
    ? null
    : { firmware, version, chip, name, system: `${system} ${systemVersion}`.trim() };
}

/** Reads one answer to a scan: three strings for each network. Hidden networks have no name and are left out. */
export function readNetworks(strings: readonly Uint8Array[]): WifiNetwork[] {
  const networks: WifiNetwork[] = [];
  for (let at = 0; at + 2 < strings.length; at += 3) {
    const [bytes = new Uint8Array(), signal = new Uint8Array(), lock = new Uint8Array()] = strings.slice(at, at + 3);
    const protection = textOf(lock).trim().toUpperCase();
    if (bytes.length > 0) {
      networks.push({
        name: textOf(bytes),
        bytes,
        signal: signalOf(textOf(signal)),
        isLocked: protection !== 'NO' && protection !== '',
        protection: protection === 'YES' || protection === 'NO' ? '' : protection,
      });
    }
  }
  return networks;
}

/** Returns true for the answer that ends a list of networks. Tasmota sends one empty string instead of none. */
export function endsNetworks(strings: readonly Uint8Array[]): boolean {
  return strings.every(({ length }) => length === 0);
}

/** Merges networks of the same name, and sorts them by their signal, strongest first. */
export function mergedNetworks(networks: readonly WifiNetwork[]): WifiNetwork[] {
  const byName = new Map<string, WifiNetwork>();
  for (const network of networks) {
    const key = network.bytes.join();
    const other = byName.get(key);
    if (other === undefined || strength(network) > strength(other)) {
      byName.set(key, network);
    }
  }
  return [...byName.values()].sort((one, other) => strength(other) - strength(one));
}

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes).slice(0, MAX_TEXT);
}

function strength({ signal }: WifiNetwork): number {
  return signal ?? Number.NEGATIVE_INFINITY;
}

function signalOf(text: string): number | null {
  return /^\s*[+-]?\d{1,3}\s*$/.test(text) ? Number(text) : null;
}

function stringsIn(data: Uint8Array): Uint8Array[] | null {
  const end = 2 + (data[1] ?? 0);
  if (end > data.length) {
    return null;
  }
  const strings: Uint8Array[] = [];
  for (let at = 2; at < end; ) {
    const length = data[at] ?? 0;
    if (at + 1 + length > end) {
      return null;
    }
    strings.push(data.slice(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return strings;
}
