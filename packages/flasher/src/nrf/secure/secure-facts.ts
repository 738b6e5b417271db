/**
 * Reads the information that a secure DFU bootloader reports about itself and the board. Old bootloaders support
 * fewer requests, which leaves some of it unknown.
 */

import { hexNumber } from '../../core/bytes.ts';
import { isUsableSize, reportedSizeText } from '../../core/reported-size.ts';
import { deadlines } from '../deadlines.ts';
import type { NrfInfo, NrfSlot } from '../nrf-board.ts';
import { NrfError } from '../nrf-failure.ts';
import {
  chunkSize,
  type Firmware,
  MIN_MTU,
  MIN_OBJECT,
  objectType,
  op,
  readFirmware,
  readHardware,
  readMtu,
  readSelection,
  success,
  uint16,
} from './messages.ts';
import type { SecureLink } from './secure-link.ts';

/** Number of possible images: bootloader, SoftDevice and application. */
const MAX_IMAGES = 3;
/** MTU of the SDK's UART transport, for a bootloader that does not report its own (`UART_SLIP_MTU`). */
const USUAL_MTU = 131;
/** Bytes of the first page, which belongs to the MBR (nRF5 SDK, "Memory layout"). */
const MBR_SIZE = 0x1000;

export interface SecureFacts {
  readonly info: NrfInfo;
  /** Bytes of data in one write request. */
  readonly chunk: number;
}

/** @throws NrfError `stopped-answering` or `size-unusable`; PortError. */
export async function readSecureFacts(link: SecureLink, signal: AbortSignal): Promise<SecureFacts> {
  /** Repeats a request once after silence. Requests that only read can be repeated. */
  const ask = async <Value>(opcode: number, parameters: Uint8Array[], read: (data: Uint8Array) => Value | null) => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await link.request(opcode, parameters, { limit: deadlines.request, signal });
      if (answer !== null) {
        return answer.result === success ? read(answer.data) : null;
      }
      await link.ping(signal, 5);
    }
    throw new NrfError('stopped-answering', { detail: `No answer to request ${hexNumber(opcode)}.` });
  };
  const mtu = (await ask(op.mtu, [], readMtu)) ?? USUAL_MTU;
  if (!isUsableSize(mtu, MIN_MTU)) {
    throw new NrfError('size-unusable', { detail: reportedSizeText('MTU', mtu) });
  }
  await ask(op.setReceipts, [uint16(0)], () => null);
  const hardware = await ask(op.hardwareVersion, [], readHardware);
  const images: Firmware[] = [];
  for (let number = 0; number < MAX_IMAGES; number++) {
    const firmware = await ask(op.firmwareVersion, [Uint8Array.of(number)], readFirmware);
    if (firmware === null) {
      break;
    }
    images.push(firmware);
  }
  const data = await ask(op.select, [Uint8Array.of(objectType.data)], readSelection);
  if (data !== null && !isUsableSize(data.maximum, MIN_OBJECT)) {
    throw new NrfError('size-unusable', { detail: reportedSizeText('Largest object', data.maximum) });
  }
  return {
    chunk: chunkSize(mtu),
    info: {
      bootloader: 'secure-dfu',
      link: link.port.link,
      part: hardware?.part ?? null,
      flashSize: hardware?.flashSize ?? null,
      ramSize: hardware?.ramSize ?? null,
      slots: images.map(slotOf),
      room: roomOf(images),
      canTest: false,
      unfinished: data === null || data.offset === 0 ? null : { offset: data.offset, crc: data.crc },
    },
  };
}

function slotOf({ type, version, address, length }: Firmware): NrfSlot {
  return { name: type, version: String(version), hash: null, state: [], imageNumber: 0, address, length };
}

/**
 * Returns the bytes between the SoftDevice (or the MBR) and the bootloader, which an application and its copy share.
 */
function roomOf(images: readonly Firmware[]): number | null {
  const bootloader = images.find(({ type }) => type === 'bootloader');
  const softdevice = images.find(({ type }) => type === 'softdevice');
  if (bootloader === undefined || bootloader.address === 0) {
    return null;
  }
  const start = softdevice === undefined ? MBR_SIZE : softdevice.address + softdevice.length;
  return start < bootloader.address ? bootloader.address - start : null;
}
