import { espFirmwareSet } from '@wirebench/devices';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createEspFamily } from './family.ts';

const { readFiles } = createEspFamily();
const read = (name: string, offset: number, bytes: Uint8Array) => readFiles([{ name, offset, bytes }]);
const set = espFirmwareSet({ chip: 'esp32', project: 'node', version: '1', text: 'Hello' });

describe('files of a release', () => {
  it('go to their place in the release as plain bytes, regardless of their contents', async () => {
    const table = set.find(({ name }) => name === 'partition-table.bin');
    const bytes = table?.data ?? new Uint8Array();
    expect(await read('odd.bin', 0x9000, bytes)).toEqual([{ name: 'odd.bin', offset: 0x9000, bytes }]);
  });

  it('go where their contents belong when they come from an archive', async () => {
    const archive = zipSync(Object.fromEntries(set.map(({ name, data }) => [name, data])));
    const planned = await read('build.zip', 0, archive);
    expect(planned.map(({ offset }) => offset)).toEqual([0x1000, 0x8000, 0x10000]);
  });

  it('go to their own addresses if they have them', async () => {
    const hex = ':020000040001F9\n:0400000001020304F2\n:00000001FF\n';
    const [piece] = await read('app.hex', 0, new TextEncoder().encode(hex));
    expect([piece?.offset, [...(piece?.bytes ?? [])]]).toEqual([0x10000, [1, 2, 3, 4]]);
  });

  it('are refused with the reason when they are damaged', async () => {
    const broken = new TextEncoder().encode(':0400000001020304FF\n:00000001FF\n');
    await expect(read('app.hex', 0, broken)).rejects.toThrow(/^app\.hex: /);
  });
});
