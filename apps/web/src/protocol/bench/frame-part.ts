/** Frames: decoders of ports, and what a decoded row shows. */
import type { PortNumber } from '@wirebench/serial';
import type { BenchPart } from './fact.ts';

/** Decoders that come with the product, in the order in which they are offered. */
export const readyDecoders = [
  { name: 'modbus', title: 'Modbus RTU' },
  { name: 'nmea', title: 'NMEA 0183' },
  { name: 'ubx', title: 'UBX and NMEA' },
  { name: 'slcan', title: 'SLCAN' },
  { name: 'mavlink', title: 'MAVLink' },
  { name: 'dmx', title: 'DMX512' },
  { name: 'at', title: 'AT commands' },
  { name: 'cobs', title: 'COBS' },
] as const;
export type ReadyDecoder = (typeof readyDecoders)[number]['name'];

/** Returns the name of a ready decoder; null if `value` names none. */
export function readyDecoderNamed(value: unknown): ReadyDecoder | null {
  return readyDecoders.find(({ name }) => name === value)?.name ?? null;
}

/** Calls for frames. */
export interface FrameCalls {
  /** Cuts what a port receives and sends into frames from now on; null: into lines by its framing again. */
  setDecoder(port: PortNumber, decoder: ReadyDecoder | null): void;
}

export const framePart = { quiet: ['setDecoder'], facts: {} } satisfies BenchPart<FrameCalls>;

/** Bytes of a frame that belong to one field, for the boxes of an opened frame. */
export interface FrameBox {
  /** `05 C8`. */
  readonly bytes: string;
  /** Index of the row that explains them; null for bytes of no field. */
  readonly row: number | null;
  readonly name: string;
}

export interface FrameFieldRow {
  readonly name: string;
  /** Register or bits; empty for a protocol that names none. */
  readonly place: string;
  readonly bytes: string;
  /** Number before scale and offset; empty if it is the value. */
  readonly raw: string;
  /** Value with its unit and its name; empty for a field without a value. */
  readonly value: string;
  /** Steps from the raw number to the value, in words. */
  readonly how: string;
}

/** A frame that is opened below its row. */
export interface FrameDetail {
  /** `Answer of unit 7, Pump drive`. */
  readonly title: string;
  /** `13 bytes, checksum right, 18 ms after the question`. */
  readonly facts: string;
  readonly boxes: readonly FrameBox[];
  readonly rows: readonly FrameFieldRow[];
}
