/**
 * GPS receivers with MediaTek's MT3329, MT3333 and MT3339: GlobalTop "PMTK command packet" (complete, revision A11).
 * A receiver answers a command with PMTK001, the command's number, and 3 if it succeeded.
 */
import { nmeaSentence } from './checked-frames.ts';
import type { LibraryJkit } from './library-jkit.ts';

const acknowledged = (body: string) =>
  ({ content: nmeaSentence(body), expect: `$PMTK001,${body.slice(4, 7)},3` }) as const;

export const pmtkGps: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c006',
  name: 'NMEA GPS with PMTK commands',
  description:
    'Receivers with MediaTek chips (Adafruit Ultimate GPS, Quectel L80, GlobalTop PA6H …), 9600 baud: firmware, which sentences are sent and how often, SBAS, standby and wake-up, hot, warm and cold start. The checksums are correct.',
  tags: ['GPS', 'GNSS', 'NMEA', 'PMTK', 'MediaTek', 'MT3339', 'L80', 'PA6H'],
  content: {
    settings: { lineEnding: true },
    fields: [
      { content: nmeaSentence('PMTK000'), expect: '$PMTK001,0' },
      { content: nmeaSentence('PMTK605'), expect: '$PMTK705' },
      { content: nmeaSentence('PMTK414'), expect: '$PMTK514' },
      { content: nmeaSentence('PMTK413'), expect: '$PMTK513' },
      // The positions are GLL, RMC, VTG, GGA, GSA, GSV and so on: RMC and GGA with every fix.
      acknowledged('PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'),
      acknowledged('PMTK220,200'),
      // RMC alone: at 9600 baud, ten fixes a second leave no room for more.
      acknowledged('PMTK314,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'),
      acknowledged('PMTK220,100'),
      acknowledged('PMTK220,1000'),
      acknowledged('PMTK314,-1'),
      acknowledged('PMTK313,1'),
      acknowledged('PMTK301,2'),
      { ...acknowledged('PMTK161,0'), delayMs: 2_000 },
      // Any byte wakes the receiver.
      { content: nmeaSentence('PMTK000'), delayMs: 1_000 },
      nmeaSentence('PMTK101'),
      nmeaSentence('PMTK102'),
      nmeaSentence('PMTK103'),
      nmeaSentence('PMTK251,38400'),
      nmeaSentence('PMTK251,9600'),
    ],
  },
};
