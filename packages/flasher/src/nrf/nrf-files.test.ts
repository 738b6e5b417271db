import { nrfFirmware, secureDfuPackage } from '@wirebench/devices';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { GivenFile } from '../given-files/chosen-files.ts';
import { FileSets } from '../given-files/given-files.ts';
import { nrfFiles } from './nrf-files.ts';

const given = (name: string, bytes: Uint8Array<ArrayBuffer>): GivenFile => ({ name, content: new Blob([bytes]) });
const secure = nrfFirmware({ board: 'nrf52840-secure', size: 8_192 });
const adafruit = nrfFirmware({ board: 'feather-nrf52840', size: 8_192 });

describe('the files of the Nordic flasher', () => {
  it('are the images of a package, in the order in which they go', async () => {
    const bootloader = { kind: 'bootloader', image: secure.image.slice(0, 4_096) } as const;
    const application = { kind: 'application', image: secure.image } as const;
    const { files } = await new FileSets(nrfFiles).add([
      given('both.zip', secureDfuPackage([bootloader, application])),
    ]);
    expect(files.map(({ what, size, places }) => ({ what, size, place: places?.[0]?.offset }))).toEqual([
      { what: 'Bootloader for secure DFU, version 1, signed', size: 4_096, place: 0 },
      { what: 'Application for secure DFU, version 1, signed', size: 8_192, place: 1 },
    ]);
    expect(files.every(({ sha256 }) => sha256.length === 64)).toBe(true);
  });

  it('are of one package: a second one takes its place', async () => {
    const files = new FileSets(nrfFiles);
    await files.add([given(secure.name, secure.bytes)]);
    const next = await files.add([given(adafruit.name, adafruit.bytes)]);
    expect(next.files.map(({ what }) => what)).toEqual(['Application for Adafruit DFU, not signed']);
  });

  it('are asked for when two packages are given at once', async () => {
    const files = new FileSets(nrfFiles);
    const both = await files.add([given(adafruit.name, adafruit.bytes), given(secure.name, secure.bytes)]);
    expect([both.files, both.builds?.options.map(({ name }) => name)]).toEqual([[], [adafruit.name, secure.name]]);
    expect(both.conflicts).toMatchObject([{ code: 'several-builds', stops: true }]);
    const chosen = await files.choose(secure.name);
    expect(chosen.files.map(({ what }) => what)).toEqual(['Application for secure DFU, version 2, signed']);
    expect(chosen.conflicts).toEqual([]);
  });

  it('are asked for when an archive holds packages in folders', async () => {
    const manifest = new TextEncoder().encode(JSON.stringify({ manifest: { application: { bin_file: 'app.bin' } } }));
    const archive = zipSync({ 'a/manifest.json': manifest, 'a/app.bin': manifest, 'b/manifest.json': manifest });
    const chosen = await new FileSets(nrfFiles).add([given('boards.zip', Uint8Array.from(archive))]);
    expect(chosen.builds?.options.map(({ name }) => name)).toEqual(['a.zip', 'b.zip']);
  });

  it('go together, whichever of them is removed', async () => {
    const files = new FileSets(nrfFiles);
    const chosen = await files.add([given(secure.name, secure.bytes)]);
    const [first] = chosen.files;
    const id = first?.id ?? 0;
    expect(files.of(undefined).forPlan([{ id, offset: 0 }])).toMatchObject([{ format: 'secure-package' }]);
    expect(files.remove([id]).files).toEqual([]);
    expect(files.of(undefined).forPlan([{ id, offset: 0 }])).toEqual([]);
  });

  it('keep a package when a file of another kind is dropped, with the reason', async () => {
    const files = new FileSets(nrfFiles);
    await files.add([given(secure.name, secure.bytes)]);
    const chosen = await files.add([given('notes.txt', new Uint8Array([1, 2, 3]))]);
    expect(chosen.files).toHaveLength(1);
    expect(chosen.leftOut[0]?.why).toContain('neither a DFU package nor an MCUboot image');
  });
});
