/**
 * Messages of the Simple Management Protocol: a header of eight bytes, big endian, and a CBOR map (Zephyr, "SMP
 * Protocol Specification"). Uses version 1 of the protocol, which every server answers.
 */
import { viewOf } from '../../core/bytes.ts';
import { type CborMap, type CborValue, decodeCbor, encodeCbor } from './cbor.ts';

/** Bytes of the header. */
export const HEADER_SIZE = 8;
/** Operation of a request (`mcumgr_op_t`). An answer has the number of its request plus one. */
const smpOp = { read: 0, write: 2 } as const;

/** Commands: operation, group and ID ("Default/OS Management Group", "Application/software image management group"). */
export const smpCommand = {
  echo: { op: smpOp.write, group: 0, id: 0 },
  reset: { op: smpOp.write, group: 0, id: 5 },
  parameters: { op: smpOp.read, group: 0, id: 6 },
  imageState: { op: smpOp.read, group: 1, id: 0 },
  setImageState: { op: smpOp.write, group: 1, id: 0 },
  upload: { op: smpOp.write, group: 1, id: 1 },
  slotInfo: { op: smpOp.read, group: 1, id: 6 },
} as const;

export interface SmpCommand {
  readonly op: number;
  readonly group: number;
  readonly id: number;
}

/**
 * Encodes a request.
 *
 * @param sequence 0 to 255.
 */
export function encodeSmp({ op, group, id }: SmpCommand, sequence: number, data: CborMap): Uint8Array {
  const body = encodeCbor(data);
  const packet = new Uint8Array(HEADER_SIZE + body.length);
  const view = viewOf(packet);
  packet[0] = op;
  view.setUint16(2, body.length);
  view.setUint16(4, group);
  packet[6] = sequence;
  packet[7] = id;
  packet.set(body, HEADER_SIZE);
  return packet;
}

export interface SmpAnswer extends SmpCommand {
  readonly sequence: number;
  readonly data: CborMap;
}

/** Decodes an answer; its `op` is that of the request. Returns null if the packet is not an answer. */
export function decodeSmp(packet: Uint8Array): SmpAnswer | null {
  if (packet.length < HEADER_SIZE) {
    return null;
  }
  const view = viewOf(packet);
  const [op, sequence, id] = [(packet[0] ?? 0) & 0x07, packet[6] ?? 0, packet[7] ?? 0];
  const length = view.getUint16(2);
  if (op % 2 === 0 || HEADER_SIZE + length > packet.length) {
    return null;
  }
  const data = decodeCbor(packet.subarray(HEADER_SIZE, HEADER_SIZE + length));
  return data instanceof Map ? { op: op - 1, group: view.getUint16(4), id, sequence, data } : null;
}

/**
 * Returns the result of an answer; 0 is success. Group errors of version 2 are returned as −1, because each group has
 * its own numbers.
 */
export function resultOf({ data }: Pick<SmpAnswer, 'data'>): number {
  const result = data.get('rc');
  if (typeof result === 'number') {
    return result;
  }
  return data.get('err') instanceof Map ? -1 : 0;
}

/** Error codes `mcumgr_err_t` ("SMP Protocol Specification", section "Status/error codes"). */
export const smpError = {
  unknown: 1,
  noMemory: 2,
  invalid: 3,
  timeout: 4,
  notFound: 5,
  badState: 6,
  notSupported: 8,
  corrupt: 9,
  busy: 10,
} as const;

/** Errors that a retry may clear. */
export const passingErrors: ReadonlySet<number> = new Set([
  smpError.unknown,
  smpError.timeout,
  smpError.corrupt,
  smpError.busy,
]);

export const textIn = (map: CborMap, key: string) => pick(map, key, (value) => typeof value === 'string');
export const numberIn = (map: CborMap, key: string) => pick(map, key, (value) => typeof value === 'number');
export const bytesIn = (map: CborMap, key: string) => pick(map, key, (value) => value instanceof Uint8Array);

/** Returns the maps in a list; other entries are left out. */
export function mapsIn(map: CborMap, key: string): CborMap[] {
  const list = map.get(key);
  return Array.isArray(list) ? list.filter((entry) => entry instanceof Map) : [];
}

function pick<Kind extends CborValue>(map: CborMap, key: string, is: (value: CborValue) => value is Kind): Kind | null {
  const value = map.get(key);
  return value !== undefined && is(value) ? value : null;
}
