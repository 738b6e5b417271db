/**
 * Packets of the legacy serial bootloader: the reliable packets of Bluetooth's Three-wire UART in SLIP frames with a
 * delimiter on either side. A packet has a header of four bytes, the payload and a CRC-16 (nRF51 SDK 11, "HCI
 * Transport"; Adafruit_nRF52_Bootloader, `hci_transport.c`).
 */
import { viewOf } from '../../core/bytes.ts';
import { encodeFrame } from '../../slip.ts';
import { crc16 } from '../crc16.ts';
import { uint32 } from '../secure/messages.ts';

const HEADER_SIZE = 4;
const VENDOR_SPECIFIC = 14;
const ACKNOWLEDGEMENT = 0;
const HAS_CRC = 0x40;
const RELIABLE = 0x80;
/** Initial value of `crc16_compute`. */
const CRC_START = 0xffff;

/** Number of sequence numbers, which have three bits. */
export const sequences = 8;

/** First word of a payload (`dfu_types.h`, `…_PACKET`). */
const packetType = { init: 1, stopInit: 2, start: 3, data: 4, stopData: 5 } as const;

/** Most image bytes in one packet (adafruit-nrfutil, `DFU_PACKET_MAX_SIZE`; the bootloader has room for 600). */
export const largestData = 512;

/**
 * Builds a packet as a frame.
 *
 * @param sequence 0 to 7.
 * @param payload A multiple of 4 bytes, up to 4,095.
 */
export function packetFrame(sequence: number, ...payload: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  const header = [
    RELIABLE | HAS_CRC | (((sequence + 1) % sequences) << 3) | sequence,
    ((length & 0x0f) << 4) | VENDOR_SPECIFIC,
    length >> 4,
  ];
  const checked = Uint8Array.of(...header, checksum(header));
  const crc = payload.reduce((before, part) => crc16(part, before), crc16(checked, CRC_START));
  return encodeFrame(checked, ...payload, Uint8Array.of(crc & 0xff, crc >> 8));
}

/** Returns the two's complement of the sum, so that the sum of all four bytes is zero. */
function checksum(header: readonly number[]): number {
  return -header.reduce((sum, byte) => sum + byte, 0) & 0xff;
}

/** Returns the sequence number that the board expects next; null if the frame is not an acknowledgement. */
export function readAcknowledgement(frame: Uint8Array): number | null {
  const header = [...frame];
  const isOne =
    frame.length === HEADER_SIZE &&
    header.reduce((sum, byte) => sum + byte, 0) % 0x100 === 0 &&
    ((frame[1] ?? 0) & 0x0f) === ACKNOWLEDGEMENT;
  return isOne ? ((frame[0] ?? 0) >> 3) & 0x07 : null;
}

/** Builds the acknowledgement on the wire that expects the packet with this number next. */
export function acknowledgementFrame(next: number): Uint8Array<ArrayBuffer> {
  const header = [next << 3, ACKNOWLEDGEMENT, 0];
  return encodeFrame(Uint8Array.of(...header, checksum(header)));
}

export interface StartPacket {
  /** In bytes; 0 for a part that is not updated. */
  readonly softdevice: number;
  readonly bootloader: number;
  readonly application: number;
}

/** Bits of the parts to update (`DFU_UPDATE_…`). */
const mode = { softdevice: 1, bootloader: 2, application: 4 } as const;

export function startPayload({ softdevice, bootloader, application }: StartPacket): Uint8Array {
  const modes =
    (softdevice > 0 ? mode.softdevice : 0) |
    (bootloader > 0 ? mode.bootloader : 0) |
    (application > 0 ? mode.application : 0);
  return words(packetType.start, modes, softdevice, bootloader, application);
}

/**
 * Builds the init packet's payload. Two bytes are added, which pad the shortest init packet to whole words; the
 * bootloader removes them from others (`send_init_packet`).
 */
export function initPayload(initPacket: Uint8Array): Uint8Array {
  const payload = new Uint8Array(4 + initPacket.length + 2);
  viewOf(payload).setUint32(0, packetType.init, true);
  payload.set(initPacket, 4);
  return payload;
}

export const dataMark = words(packetType.data);
export const stopPayload = words(packetType.stopData);
/** A packet without effect in any state. It keeps a bootloader from leaving after a second (`process_dfu_packet`). */
export const idlePayload = words(packetType.stopInit);

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  values.forEach((value, index) => {
    bytes.set(uint32(value), index * 4);
  });
  return bytes;
}
