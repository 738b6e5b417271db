/** Words for checksums and places. */
import type { DecoderChecksum } from '@wirebench/contract/decoders';
import type { ChecksumFinding } from '@wirebench/frames/guess';

type ChecksumKind = DecoderChecksum['kind'];

/** Names of checksums: those of CRCs as catalogues write them. */
const checksumNames = {
  sum8: 'sum of the bytes',
  lrc: 'LRC',
  xor8: 'XOR of the bytes',
  sum16: 'sum of the bytes, 16 bits',
  fletcher8: 'Fletcher, two sums modulo 256',
  crc8: 'CRC-8/SMBUS',
  'crc8-maxim': 'CRC-8/MAXIM',
  'crc16-modbus': 'CRC-16/MODBUS',
  'crc16-arc': 'CRC-16/ARC',
  'crc16-ccitt-false': 'CRC-16/CCITT-FALSE',
  'crc16-xmodem': 'CRC-16/XMODEM',
  'crc16-kermit': 'CRC-16/KERMIT',
  'crc16-x25': 'CRC-16/X-25',
  'crc16-mcrf4xx': 'CRC-16/MCRF4XX',
  'crc16-usb': 'CRC-16/USB',
  crc32: 'CRC-32',
  crc32c: 'CRC-32C',
  'crc32-mpeg2': 'CRC-32/MPEG-2',
  crc: 'CRC of its own',
} satisfies Record<ChecksumKind, string>;

/** Writes a checksum: `CRC-16/MODBUS, low byte first, from byte 2`. */
export function checksumText({ kind, order, form, at, from, to }: DecoderChecksum): string {
  const place = (offset: number) => (offset < 0 ? `${-offset} before the end` : `byte ${offset}`);
  return [
    checksumNames[kind],
    ...(form === 'hex' ? ['hex digits'] : order === 'little' ? ['low byte first'] : []),
    ...(at === undefined ? [] : [`at ${place(at)}`]),
    ...(from === 0 ? [] : [`over the bytes from ${place(from)}`]),
    ...(to === undefined ? [] : [`up to ${place(to)}`]),
  ].join(', ');
}

/** Writes on how many frames a checksum was observed to agree. */
export function agreementText({ checksum, agreed, of }: ChecksumFinding): string {
  return `${checksumText(checksum)}: agrees with ${agreed} of ${of} different frames`;
}
