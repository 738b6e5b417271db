/** GRBL, a motion controller: gnea/grbl wiki, "Grbl v1.1 Commands", "Grbl v1.1 Interface" and "Grbl v1.1 Jogging". */
import type { LibraryJkit } from './library-jkit.ts';

/**
 * A real-time command: a single byte that GRBL acts on as soon as it arrives. It is sent as hex, without a line
 * ending.
 */
const realTime = (byte: string) => ({ content: byte, type: 'hex' }) as const;

export const grbl: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c004',
  name: 'GRBL 1.1: status, settings, jogging',
  description:
    'In this order: status (3F), build, settings, offsets, parser state, start-up blocks, unlock, homing, jogs of 10 mm, jog cancel (85), hold (21), resume (7E), feed overrides (90 to 92), spindle off, soft reset (18). 115200 baud. Homing and jogs move the machine: send them one at a time.',
  tags: ['GRBL', 'CNC', 'G-code', 'laser', 'stepper', 'jog'],
  content: {
    settings: { lineEnding: false },
    fields: [
      { ...realTime('3F'), expect: { content: '<', type: 'ascii' } },
      { content: '$I', expect: 'ok' },
      { content: '$$', expect: 'ok', timeoutMs: 3_000 },
      { content: '$#', expect: 'ok' },
      { content: '$G', expect: 'ok' },
      { content: '$N', expect: 'ok' },
      { content: '$X', expect: 'ok' },
      { content: '$H', expect: 'ok', timeoutMs: 120_000 },
      { content: 'G21', expect: 'ok' },
      { content: 'G90', expect: 'ok' },
      { content: '$J=G91 G21 X10 F500', expect: 'ok' },
      { content: '$J=G91 G21 X-10 F500', expect: 'ok' },
      { content: '$J=G91 G21 Y10 F500', expect: 'ok' },
      { content: '$J=G91 G21 Y-10 F500', expect: 'ok' },
      { content: '$J=G91 G21 Z1 F100', expect: 'ok' },
      { content: '$J=G91 G21 Z-1 F100', expect: 'ok' },
      realTime('85'),
      realTime('21'),
      realTime('7E'),
      realTime('90'),
      realTime('91'),
      realTime('92'),
      { content: 'M5', expect: 'ok' },
      { ...realTime('18'), expect: { content: 'Grbl', type: 'ascii' }, timeoutMs: 3_000 },
    ],
  },
};
