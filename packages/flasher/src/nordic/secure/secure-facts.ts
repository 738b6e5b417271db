/** What a bootloader of secure DFU says of itself and of the board. Old ones know fewer questions: then that is not known. */

import { hexText } from '../../core/bytes.ts';
import { deadlines } from '../deadlines.ts';
import type { NordicInfo, NordicSlot } from '../nordic-board.ts';
import { NordicError } from '../nordic-failure.ts';
import {
  chunkSize,
  type Firmware,
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

/** Bootloader, SoftDevice and application are all that there are. */
const MOST_IMAGES = 3;
/** MTU of the UART transport of the SDK, for a bootloader that does not tell its own (`UART_SLIP_MTU`). */
const USUAL_MTU = 131;
/** The first page is the MBR's (nRF5 SDK, "Memory layout"). */
const MBR_SIZE = 0x1000;

export interface SecureFacts {
  readonly info: NordicInfo;
  /** Bytes of data in one write request. */
  readonly chunk: number;
}

/** @throws NordicError `stopped-answering`; PortError. */
export async function readSecureFacts(link: SecureLink, signal: AbortSignal): Promise<SecureFacts> {
  /** Asks again once: what only asks can be asked as often as one likes. */
  const ask = async <Value>(opcode: number, parameters: Uint8Array[], read: (data: Uint8Array) => Value | null) => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await link.request(opcode, parameters, { limit: deadlines.request, signal });
      if (answer !== null) {
        return answer.result === success ? read(answer.data) : null;
      }
      await link.ping(signal, 5);
    }
    throw new NordicError('stopped-answering', { detail: `No answer to request ${hexText(opcode)}.` });
  };
  const mtu = (await ask(op.mtu, [], readMtu)) ?? USUAL_MTU;
  await ask(op.setReceipts, [uint16(0)], () => null);
  const hardware = await ask(op.hardwareVersion, [], readHardware);
  const images: Firmware[] = [];
  for (let number = 0; number < MOST_IMAGES; number++) {
    const firmware = await ask(op.firmwareVersion, [Uint8Array.of(number)], readFirmware);
    if (firmware === null) {
      break;
    }
    images.push(firmware);
  }
  const data = await ask(op.select, [Uint8Array.of(objectType.data)], readSelection);
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

function slotOf({ type, version, address, length }: Firmware): NordicSlot {
  return { name: type, version: String(version), hash: null, state: [], imageNumber: 0, address, length };
}

/** Between the SoftDevice, or the MBR, and the bootloader: what an application and its copy have together. */
function roomOf(images: readonly Firmware[]): number | null {
  const bootloader = images.find(({ type }) => type === 'bootloader');
  const softdevice = images.find(({ type }) => type === 'softdevice');
  if (bootloader === undefined || bootloader.address === 0) {
    return null;
  }
  const start = softdevice === undefined ? MBR_SIZE : softdevice.address + softdevice.length;
  return start < bootloader.address ? bootloader.address - start : null;
}
