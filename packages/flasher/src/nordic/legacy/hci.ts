/**
 * Packets of the legacy serial bootloader as bytes: the reliable packets of Bluetooth's Three-wire UART, a header of four bytes,
 * the payload, a CRC-16, in SLIP frames with a delimiter on either side (nRF51 SDK 11, "HCI Transport"; Adafruit_nRF52_Bootloader,
 * `hci_transport.c`). Knows no port and no order.
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
/** `crc16_compute` without a start. */
const CRC_START = 0xffff;

/** Sequence numbers have three bits. */
export const sequences = 8;

/** The first word of a payload (`dfu_types.h`, `…_PACKET`). */
const packetType = { init: 1, stopInit: 2, start: 3, data: 4, stopData: 5 } as const;

/** Largest part of an image in one packet, in bytes (adafruit-nrfutil, `DFU_PACKET_MAX_SIZE`; the bootloader has room for 600). */
export const largestData = 512;

/** @param sequence 0 to 7. @param payload a multiple of 4 bytes, up to 4,095. */
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

/** Two's complement of the sum, so that all four bytes add up to nothing. */
function checksum(header: readonly number[]): number {
  return -header.reduce((sum, byte) => sum + byte, 0) & 0xff;
}

/** The sequence number that the board wants next; null for a frame that is no acknowledgement. */
export function readAcknowledgement(frame: Uint8Array): number | null {
  const header = [...frame];
  const isOne =
    frame.length === HEADER_SIZE &&
    header.reduce((sum, byte) => sum + byte, 0) % 0x100 === 0 &&
    ((frame[1] ?? 0) & 0x0f) === ACKNOWLEDGEMENT;
  return isOne ? ((frame[0] ?? 0) >> 3) & 0x07 : null;
}

/** The acknowledgement that wants the packet with this number next, as it is on the wire. */
export function acknowledgementFrame(next: number): Uint8Array<ArrayBuffer> {
  const header = [next << 3, ACKNOWLEDGEMENT, 0];
  return encodeFrame(Uint8Array.of(...header, checksum(header)));
}

export interface StartPacket {
  /** Bytes; 0 for what is not updated. */
  readonly softdevice: number;
  readonly bootloader: number;
  readonly application: number;
}

/** `DFU_UPDATE_…`: which of them. */
const mode = { softdevice: 1, bootloader: 2, application: 4 } as const;

export function startPayload({ softdevice, bootloader, application }: StartPacket): Uint8Array {
  const modes =
    (softdevice > 0 ? mode.softdevice : 0) |
    (bootloader > 0 ? mode.bootloader : 0) |
    (application > 0 ? mode.application : 0);
  return words(packetType.start, modes, softdevice, bootloader, application);
}

/** Two bytes behind it, which bring the shortest init packet to whole words; others lose them again (`send_init_packet`). */
export function initPayload(initPacket: Uint8Array): Uint8Array {
  const payload = new Uint8Array(4 + initPacket.length + 2);
  viewOf(payload).setUint32(0, packetType.init, true);
  payload.set(initPacket, 4);
  return payload;
}

export const dataMark = words(packetType.data);
export const stopPayload = words(packetType.stopData);
/** Does nothing in any state, but counts as a packet: a bootloader that would leave after a second stays (`process_dfu_packet`). */
export const idlePayload = words(packetType.stopInit);

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  values.forEach((value, index) => {
    bytes.set(uint32(value), index * 4);
  });
  return bytes;
}
