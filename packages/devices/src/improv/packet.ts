/**
 * Packets of Improv Wi-Fi over serial, version 1 (improv-wifi.com, "Improv via Serial", sections "Packet format" and
 * "RPC Command"): `IMPROV`, version, type, length, data, and the sum of all bytes before as the last byte.
 */
import { joined } from '../byte-fields.ts';

/** Types of packets. A client sends commands only. */
export const packetTypes = { state: 1, error: 2, command: 3, result: 4 } as const;

/** Commands of a client, which are also the first byte of the results. */
export const commands = { provision: 1, state: 2, information: 3, scan: 4 } as const;

/** States of the service. */
export const states = { ready: 2, provisioning: 3, provisioned: 4 } as const;

/** Errors of the service. `unreachable`: the credentials did not lead to a connection. */
export const errors = { none: 0, invalid: 1, unknownCommand: 2, unreachable: 3 } as const;

export interface ImprovPacket {
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
export function encodePacket({ type, data }: ImprovPacket): Uint8Array<ArrayBuffer> {
  const body = joined(header, Uint8Array.of(version, type, data.length), data);
  return joined(body, Uint8Array.of(checksum(body), lineFeed));
}

/** Returns the data of a result: the command, the length of the rest, and each text with its length in bytes. */
export function encodeTexts(command: number, texts: readonly string[]): Uint8Array<ArrayBuffer> {
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
export class PacketReader {
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
