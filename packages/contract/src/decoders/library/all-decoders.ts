/**
 * The decoders that come with the product. A server lists them as JKits under the publisher `wirebench`. Readers of frames take
 * them by the name that Find takes.
 */
import type { DecoderDraft } from '../decoder-content.ts';
import { at } from './at.ts';
import { cobs } from './cobs.ts';
import { dmx } from './dmx.ts';
import { mavlink } from './mavlink.ts';
import { modbus } from './modbus.ts';
import { nmea } from './nmea.ts';
import { slcan } from './slcan.ts';
import { ubx } from './ubx.ts';

export { completeDecoder } from '../complete-decoder.ts';

export const libraryDecoders = { at, cobs, dmx, mavlink, modbus, nmea, slcan, ubx } as const satisfies Readonly<
  Record<string, DecoderDraft>
>;

export interface LibraryDecoder {
  /** A UUID that never changes, because links and stars refer to it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly content: DecoderDraft;
}

/** Every decoder JKit that comes with the product. Of two that match a search equally well, the later one is shown first. */
export const allDecoders: readonly LibraryDecoder[] = [
  {
    id: '01939c00-0000-7000-8000-0000000dec01',
    name: 'COBS: your own struct',
    description:
      'Frames of any bytes that end with a 0. The content is one field: replace it by the fields of your struct, in its order of bytes.',
    tags: ['COBS', 'struct', 'binary'],
    content: cobs,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec02',
    name: 'AT commands',
    description:
      'Commands of modems with their answers, results in words, and notices apart from answers (V.250, 3GPP 27.007).',
    tags: ['AT', 'modem', 'GSM', 'LTE', 'V.250'],
    content: at,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec03',
    name: 'DMX512 received by USB Pro adapters',
    description: 'Channels of a DMX512 line as adapters with the USB Pro protocol report them.',
    tags: ['DMX512', 'lighting', 'USB Pro'],
    content: dmx,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec04',
    name: 'MAVLink 1 and 2',
    description:
      'Messages of the common set, lost frames by their sequence numbers. For another dialect, copy it and name the XML files of yours; the first one includes the others.',
    tags: ['MAVLink', 'drone', 'ArduPilot', 'PX4', 'telemetry'],
    content: mavlink,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec05',
    name: 'CAN frames of SLCAN adapters',
    description:
      'CAN and CAN FD frames as serial adapters give them. For names and units of signals, copy it and add the DBC file of your bus.',
    tags: ['CAN', 'SLCAN', 'DBC', 'CANable', 'LAWICEL'],
    content: slcan,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec06',
    name: 'UBX of u-blox receivers',
    description:
      'Binary messages of u-blox receivers: positions, satellites, times, settings by key, polls and acknowledgements.',
    tags: ['UBX', 'u-blox', 'GNSS', 'GPS'],
    content: ubx,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec07',
    name: 'NMEA 0183',
    description:
      'All sentences by their form, the common ones by meaning: position, speed, satellites of several systems, AIS by form.',
    tags: ['NMEA', 'GPS', 'GNSS', 'AIS', 'marine'],
    content: nmea,
  },
  {
    id: '01939c00-0000-7000-8000-0000000dec08',
    name: 'Modbus RTU',
    description:
      'Requests and answers of several devices paired, exceptions in words. For names of registers, copy it and add the table of your device.',
    tags: ['Modbus', 'RTU', 'RS-485', 'registers'],
    content: modbus,
  },
];
