/**
 * Modbus RTU requests: MODBUS Application Protocol Specification V1.1b3, section 6 (functions) and MODBUS over Serial
 * Line V1.02, section 2.5.1 (framing). A device answers with its address and the function's number.
 */
import { modbusFrame } from './checked-frames.ts';
import type { LibraryJkit } from './library-jkit.ts';

/** Returns a request to the device with address 1, followed by a pause in which the line is silent. */
const request = (functionAndData: string) =>
  ({
    content: modbusFrame(`01 ${functionAndData}`),
    type: 'hex',
    expect: `01 ${functionAndData.slice(0, 2)}`,
    delayMs: 50,
  }) as const;

export const modbusRtu: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c00d',
  name: 'Modbus RTU: examples (hex)',
  description:
    'Requests to address 1 with correct CRCs, in this order: coils 0 to 7, discrete inputs 0 to 7, holding registers 0 and 1, 10 holding registers from 0, input registers 0 and 1, coil 0 on, coil 0 off, register 1 = 3, coils 0 to 3 at once, registers 1 and 2 at once, loopback, device id, server id. Often 9600 8E1 or 8N1.',
  tags: ['Modbus', 'RTU', 'RS-485', 'PLC', 'register', 'coil', 'hex'],
  content: {
    settings: { lineEnding: true, ending: 'none' },
    fields: [
      request('01 00 00 00 08'),
      request('02 00 00 00 08'),
      request('03 00 00 00 02'),
      request('03 00 00 00 0A'),
      request('04 00 00 00 02'),
      request('05 00 00 FF 00'),
      request('05 00 00 00 00'),
      request('06 00 01 00 03'),
      request('0F 00 00 00 04 01 0F'),
      request('10 00 01 00 02 04 00 0A 01 02'),
      request('08 00 00 A5 37'),
      request('2B 0E 01 00'),
      request('11'),
    ],
  },
};
