import { espFirmwareSet } from '@wirebench/devices';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { planFiles } from './esp.ts';

const loaded = (name: string, offset: number, bytes: Uint8Array<ArrayBuffer>) => ({
  file: { name, address: `https://maker.example/${name}`, offset, size: null, sha256: null },
  bytes,
});
const set = espFirmwareSet({ chip: 'esp32', project: 'node', version: '1', text: 'Hello' });

describe('files of a release', () => {
  it('of plain bytes go where the release puts them, whatever they are', () => {
    const table = set.find(({ name }) => name === 'partition-table.bin');
    const bytes = table?.data ?? new Uint8Array();
    expect(planFiles([loaded('odd.bin', 0x9000, bytes)])).toEqual([{ name: 'odd.bin', offset: 0x9000, bytes }]);
  });

  it('in an archive go where their contents belong', () => {
    const archive = zipSync(Object.fromEntries(set.map(({ name, data }) => [name, data])));
    const planned = planFiles([loaded('build.zip', 0, Uint8Array.from(archive))]);
    expect(planned.map(({ offset }) => offset)).toEqual([0x1000, 0x8000, 0x10000]);
  });

  it('with addresses of their own go there', () => {
    const hex = ':020000040001F9\n:0400000001020304F2\n:00000001FF\n';
    const [piece] = planFiles([loaded('app.hex', 0, new TextEncoder().encode(hex))]);
    expect([piece?.offset, [...(piece?.bytes ?? [])]]).toEqual([0x10000, [1, 2, 3, 4]]);
  });

  it('that are damaged are refused with the reason', () => {
    const broken = new TextEncoder().encode(':0400000001020304FF\n:00000001FF\n');
    expect(() => planFiles([loaded('app.hex', 0, broken)])).toThrow(/^app\.hex: /);
  });
});
