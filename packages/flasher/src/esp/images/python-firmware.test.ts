import { describe, expect, it } from 'vitest';
import { buildTable, factoryLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged } from '../testing/esp-images.ts';
import { imagePartOf } from './image-part.ts';
import { pythonOf } from './python-firmware.ts';

const merged = (project: string) =>
  buildMerged([
    [0x1000, buildBootloader()],
    [0x8000, buildTable(factoryLayout)],
    [0x10000, buildApp({ project })],
  ]);

describe('firmware that keeps files', () => {
  it.each([
    ['an app of MicroPython', buildApp({ project: 'micropython' }), 'MicroPython'],
    ['an app of CircuitPython', buildApp({ project: 'circuitpython' }), 'CircuitPython'],
    ['a merged image from the start of flash', merged('micropython'), 'MicroPython'],
    ['a merged image from the bootloader on', merged('micropython').subarray(0x1000), 'MicroPython'],
    ['another app', buildApp({ project: 'micropython-tools' }), null],
    ['another merged image', merged('blink'), null],
    ['a bootloader', buildBootloader(), null],
    ['no firmware', new Uint8Array(4_096), null],
  ])('%s', (_case, bytes, python) => {
    expect(pythonOf(bytes, imagePartOf(bytes))).toBe(python);
  });
});
