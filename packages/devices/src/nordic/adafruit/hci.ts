/**
 * The transport below Adafruit's serial DFU: reliable packets with a sequence number, a header sum and a CRC. Each is
 * answered with the next expected number. Source: nRF5 SDK v11 and Adafruit_nRF52_Bootloader, `hci_transport.c`;
 * Bluetooth Core Specification, volume 4, part D ("Three-wire UART Transport Layer").
 */
import { viewOf } from '../../byte-fields.ts';
import { crc16 } from '../crc16.ts';

const headerSize = 4;
const crcSize = 2;
const vendorSpecific = 14;
const integrityBit = 1 << 6;
const reliableBit = 1 << 7;
/** `INITIAL_ACK_NUMBER_EXPECTED`. */
const firstSequence = 1;
/** `HCI_RX_BUF_SIZE`: longest packet in bytes. */
export const maxPacket = 600;

export interface HciReception {
  /** Payload of an expected packet; null for a repeated or unexpected packet, which is only acknowledged. */
  readonly payload: Uint8Array | null;
  readonly acknowledgement: Uint8Array;
}

export class HciReceiver {
  #expected = firstSequence;

  /** Processes a packet. Returns null for an invalid one. */
  receive(packet: Uint8Array): HciReception | null {
    if (!isSound(packet)) {
      return null;
    }
    const fresh = ((packet[0] ?? 0) & 7) === this.#expected;
    if (fresh) {
      this.#expected = (this.#expected + 1) & 7;
    }
    return {
      payload: fresh ? packet.subarray(headerSize, packet.length - crcSize) : null,
      acknowledgement: this.#ack(),
    };
  }

  #ack(): Uint8Array {
    const first = this.#expected << 3;
    return Uint8Array.of(first, 0, 0, -first & 0xff);
  }
}

/** True for a valid packet. The header's length is not checked, as in the bootloader. */
function isSound(packet: Uint8Array): boolean {
  const [flags = 0, type = 0, length = 0, sum = 0] = packet;
  if (packet.length <= headerSize + crcSize || !(flags & integrityBit) || !(flags & reliableBit)) {
    return false;
  }
  if ((type & 0x0f) !== vendorSpecific || ((flags + type + length + sum) & 0xff) !== 0) {
    return false;
  }
  const end = packet.length - crcSize;
  return crc16(packet.subarray(0, end), 0xffff) === viewOf(packet).getUint16(end, true);
}
