/** Modbus RTU frames of tests. */
import { calculatorOf } from '../checksums.ts';
import { bytesOf } from './golden-cases.ts';

const crc = calculatorOf('crc16-modbus');

/** Adds the checksum to unit, function and data, which are bytes or hex digits. */
export function modbusFrame(body: string | ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const bytes = typeof body === 'string' ? bytesOf(body) : Uint8Array.from(body);
  const sum = crc(bytes, 0, bytes.length);
  return Uint8Array.from([...bytes, sum & 0xff, sum >> 8]);
}
