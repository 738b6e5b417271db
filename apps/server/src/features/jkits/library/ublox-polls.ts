/**
 * u-blox receivers in their binary protocol: u-blox 8 / u-blox M8 Receiver description including protocol
 * specification (UBX-13003221), section 32. A frame without payload is a poll: the answer is a frame of the same
 * class and id.
 */
import { ubxFrame } from './checked-frames.ts';
import type { LibraryJkit } from './library-jkit.ts';

const poll = (classAndId: string) =>
  ({ content: ubxFrame(classAndId), type: 'hex', expect: `B5 62 ${classAndId}` }) as const;

/** Returns a setting, which the receiver answers with UBX-ACK-ACK. */
const set = (classAndId: string, payload: string) =>
  ({ content: ubxFrame(classAndId, payload), type: 'hex', expect: 'B5 62 05 01' }) as const;

export const ubloxPolls: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c007',
  name: 'u-blox GNSS: UBX polls (hex)',
  description:
    'Binary polls for receivers up to M8, in this order: MON-VER, MON-HW, SEC-UNIQID, NAV-STATUS, NAV-PVT, NAV-SAT, NAV-DOP, NAV-TIMEUTC, CFG-PRT, CFG-RATE, CFG-NAV5, CFG-GNSS, CFG-SBAS, CFG-ANT; then 5 fixes a second, 1 a second, NAV-PVT with every fix and without, hot and cold start. Switch the console to hex.',
  tags: ['GPS', 'GNSS', 'u-blox', 'UBX', 'M8', 'NEO-M8', 'hex'],
  content: {
    settings: { lineEnding: true, ending: 'none' },
    fields: [
      poll('0A 04'),
      poll('0A 09'),
      poll('27 03'),
      poll('01 03'),
      poll('01 07'),
      poll('01 35'),
      poll('01 04'),
      poll('01 21'),
      poll('06 00'),
      poll('06 08'),
      poll('06 24'),
      poll('06 3E'),
      poll('06 16'),
      poll('06 13'),
      // UBX-CFG-RATE: milliseconds between measurements, one fix for each, aligned to GPS time.
      set('06 08', 'C8 00 01 00 01 00'),
      set('06 08', 'E8 03 01 00 01 00'),
      // UBX-CFG-MSG on the port that receives it: class, id, rate.
      set('06 01', '01 07 01'),
      set('06 01', '01 07 00'),
      // UBX-CFG-RST, GNSS part only: the data to erase (none, all). It is not acknowledged.
      { content: ubxFrame('06 04', '00 00 02 00'), type: 'hex' },
      { content: ubxFrame('06 04', 'FF FF 02 00'), type: 'hex' },
    ],
  },
};
