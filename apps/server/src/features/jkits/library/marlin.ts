/** Marlin, firmware of 3D printers: marlinfw.org, "G-code Index". */
import type { LibraryJkit } from './library-jkit.ts';

export const marlin: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c005',
  name: 'Marlin: printer check',
  description:
    'Firmware and capabilities, temperatures, position, endstops, settings, fan, heating for a moment, homing, motors off, emergency stop. 115200 or 250000 baud. G28 moves the machine and M104 and M140 heat it: send them one at a time.',
  tags: ['Marlin', '3D printer', 'G-code', 'temperature', 'stepper', 'endstop'],
  content: {
    settings: { lineEnding: false },
    fields: [
      { content: 'M115', expect: 'ok' },
      { content: 'M105', expect: 'ok' },
      { content: 'M155 S2', expect: 'ok' },
      { content: 'M155 S0', expect: 'ok' },
      { content: 'M114', expect: 'ok' },
      { content: 'M119', expect: 'ok' },
      { content: 'M503', expect: 'ok', timeoutMs: 5_000 },
      { content: 'M31', expect: 'ok' },
      { content: 'M21', expect: 'ok' },
      { content: 'M20', expect: 'ok', timeoutMs: 10_000 },
      { content: 'M27', expect: 'ok' },
      { content: 'M106 S255', expect: 'ok', delayMs: 3_000 },
      { content: 'M107', expect: 'ok' },
      { content: 'M104 S50', expect: 'ok' },
      { content: 'M104 S0', expect: 'ok' },
      { content: 'M140 S40', expect: 'ok' },
      { content: 'M140 S0', expect: 'ok' },
      { content: 'G28', expect: 'ok', timeoutMs: 120_000 },
      { content: 'M400', expect: 'ok', timeoutMs: 120_000 },
      { content: 'M84', expect: 'ok' },
      'M112',
    ],
  },
};
