/** Checksum of MAVLink: CRC-16/MCRF4XX (mavlink.io, "Packet Serialization", "Checksum"). */
import { calculatorOf } from '../checksums.ts';

const calculate = calculatorOf('crc16-mcrf4xx');

/** Holds the longest frame, and CRC_EXTRA behind it. */
const scratch = new Uint8Array(300);

/** @returns the checksum of a frame from the byte behind its first up to `to`, and CRC_EXTRA. */
export function checksumOf(bytes: Uint8Array, from: number, to: number, crcExtra: number): number {
  const length = to - from;
  scratch.set(bytes.subarray(from, to));
  scratch[length] = crcExtra;
  return calculate(scratch, 0, length + 1);
}

/**
 * One byte over names and types, so that a receiver with another definition of the message refuses it.
 *
 * @param fields In the order of their bytes, without extensions.
 */
export function crcExtraOf(
  message: string,
  fields: readonly { readonly name: string; readonly type: string; readonly count: number | null }[],
): number {
  const textBytes = (text: string) => [...new TextEncoder().encode(text)];
  const parts = fields.flatMap(({ name, type, count }) => [
    ...textBytes(`${type} ${name} `),
    ...(count === null ? [] : [count]),
  ]);
  const bytes = Uint8Array.from([...textBytes(`${message} `), ...parts]);
  const crc = calculate(bytes, 0, bytes.length);
  return (crc & 0xff) ^ (crc >> 8);
}
