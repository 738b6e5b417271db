import { nordicFirmware, secureDfuPackage } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { GivenFile } from '../../../protocol/flash-protocol.ts';
import { NrfFiles } from './nrf-files.ts';

const given = (name: string, bytes: Uint8Array<ArrayBuffer>): GivenFile => ({ name, content: new Blob([bytes]) });
const secure = nordicFirmware({ board: 'nrf52840-secure', size: 8_192 });
const adafruit = nordicFirmware({ board: 'feather-nrf52840', size: 8_192 });

describe('the files of the Nordic flasher', () => {
  it('are the images of a package, in the order in which they go', async () => {
    const bootloader = { kind: 'bootloader', image: secure.image.slice(0, 4_096) } as const;
    const application = { kind: 'application', image: secure.image } as const;
    const { files } = await new NrfFiles().add([given('both.zip', secureDfuPackage([bootloader, application]))]);
    expect(files.map(({ what, size, places }) => ({ what, size, place: places?.[0]?.offset }))).toEqual([
      { what: 'Bootloader for secure DFU, version 1, signed', size: 4_096, place: 0 },
      { what: 'Application for secure DFU, version 1, signed', size: 8_192, place: 1 },
    ]);
    expect(files.every(({ sha256 }) => sha256.length === 64)).toBe(true);
  });

  it('are of one package: a second one takes its place, two at once leave one out', async () => {
    const files = new NrfFiles();
    await files.add([given(secure.name, secure.bytes)]);
    const next = await files.add([given(adafruit.name, adafruit.bytes), given(secure.name, secure.bytes)]);
    expect(next.files.map(({ what }) => what)).toEqual(['Application for Adafruit DFU, not signed']);
    expect(next.leftOut).toEqual([{ name: secure.name, why: 'One package is written at a time.' }]);
  });

  it('go together, whichever of them is removed', async () => {
    const files = new NrfFiles();
    const chosen = await files.add([given(secure.name, secure.bytes)]);
    const [first] = chosen.files;
    const id = first?.id ?? 0;
    expect(files.forPlan([id])?.format).toBe('secure-package');
    expect(files.remove([id]).files).toEqual([]);
    expect(files.forPlan([id])).toBeNull();
  });

  it('keep a package when what is dropped beside it is none, with the reason', async () => {
    const files = new NrfFiles();
    await files.add([given(secure.name, secure.bytes)]);
    const chosen = await files.add([given('notes.txt', new Uint8Array([1, 2, 3]))]);
    expect(chosen.files).toHaveLength(1);
    expect(chosen.leftOut[0]?.why).toContain('neither a DFU package nor an MCUboot image');
  });
});
