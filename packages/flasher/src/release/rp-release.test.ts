/** Releases for RP2040 and RP2350: files of a build, the build for a board, and manifests that list both chips. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from '@wirebench/test-input';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { buildElf, buildUf2, buildUf2Blocks, uf2Blocks } from '../images/testing/formats.ts';
import { rpBoardFacts } from './board-facts.ts';
import { type CheckedDevice, checkBuild } from './check-build.ts';
import { readBuildFile } from './read-build-file.ts';
import { readManifest } from './read-manifest.ts';
import { chooseBuild } from './release-build.ts';

const RP2040 = 0xe48b_ff56;
const RP2350_ARM = 0xe48b_ff59;
const flashStart = 0x1000_0000;

const pico: CheckedDevice = { deviceFamily: 'rp', deviceModel: 'rp2040', label: 'RP2040' };
const pico2: CheckedDevice = { deviceFamily: 'rp', deviceModel: 'rp2350', label: 'RP2350' };

const uf2 = (family: number, length = 1_024, address = flashStart) =>
  Uint8Array.from(buildUf2({ address, bytes: randomBytes(length) }, family));

async function check(device: CheckedDevice, name: string, bytes: Uint8Array) {
  const reading = await readBuildFile(name, bytes, device);
  const { refusals, damage } = await checkBuild([{ name, reading }], device);
  return [...refusals, ...damage].map(({ code }) => code);
}

describe('a build for a Pico', () => {
  it('may be a UF2 file, and the archive of the Pico SDK', async () => {
    expect(await check(pico, 'app.uf2', uf2(RP2040))).toEqual([]);
    expect(await check(pico2, 'app.uf2', uf2(RP2350_ARM))).toEqual([]);
    const archive = zipSync({ 'build/app.uf2': uf2(RP2040), 'build/app.elf.map': randomBytes(100) });
    expect(await check(pico, 'build.zip', archive)).toEqual([]);
  });

  it('may be one file for both chips, for each of them', async () => {
    const blocks = [
      ...uf2Blocks({ address: flashStart, bytes: randomBytes(512) }, { family: RP2040 }),
      ...uf2Blocks({ address: flashStart, bytes: randomBytes(512) }, { family: RP2350_ARM }),
    ];
    const both = buildUf2Blocks(blocks);
    expect(await check(pico, 'both.uf2', both)).toEqual([]);
    expect(await check(pico2, 'both.uf2', both)).toEqual([]);
  });

  it('may be an ELF file for either processor of the RP2350', async () => {
    for (const name of ['elf-riscv.elf', 'elf-rp2350.elf']) {
      const file = new Uint8Array(readFileSync(join(import.meta.dirname, '../rp/files/testing/data', name)));
      expect(await check(pico2, name, file)).toEqual([]);
      expect(await check(pico, name, file)).not.toEqual([]);
    }
    const espressif = buildElf([{ address: 0x4200_0020, bytes: randomBytes(64) }], { machine: 243 });
    const { fault } = await readBuildFile('app.elf', espressif, pico2);
    expect(fault?.what).toBe('"app.elf": This is an ELF file for an Espressif chip, not firmware.');
  });

  it('is refused for the other chip, and behind every flash', async () => {
    expect(await check(pico, 'app.uf2', uf2(RP2350_ARM))).not.toEqual([]);
    expect(await check(pico2, 'app.uf2', uf2(RP2040))).not.toEqual([]);
    expect(await check(pico, 'app.uf2', uf2(RP2040, 1_024, flashStart + 0x100_0000))).not.toEqual([]);
  });

  it('is chosen by the chip that the boot ROM tells', () => {
    const builds = [
      { deviceFamily: 'rp', deviceModel: 'rp2040', guards: {} },
      { deviceFamily: 'rp', deviceModel: 'rp2350', guards: {} },
      { deviceFamily: 'rp', deviceModel: 'rp2350', guards: { flashSize: 8 * 1_048_576 } },
    ];
    const chosenFor = (chip: 'RP2040' | 'RP2350', flashSize: number | null) => {
      const choice = chooseBuild(builds, rpBoardFacts({ chip, flashSize }));
      return choice.kind === 'chosen' ? builds.indexOf(choice.build) : choice.reason;
    };
    expect(chosenFor('RP2040', 2 * 1_048_576)).toBe(0);
    expect(chosenFor('RP2350', 4 * 1_048_576)).toBe(1);
    expect(chosenFor('RP2350', 16 * 1_048_576)).toBe(2);
    // An empty flash has no size until something is in it.
    expect(chosenFor('RP2350', null)).toBe(1);
  });
});

describe('a manifest in the form of ESP Web Tools', () => {
  const manifest = (...chips: readonly string[]) =>
    readManifest(
      JSON.stringify({
        name: 'Lamp',
        version: '1.0.0',
        builds: chips.map((chipFamily) => ({ chipFamily, parts: [{ path: `${chipFamily}.uf2`, offset: 0 }] })),
      }),
      'https://maker.example/manifest.json',
    ).versions[0]?.builds.map(({ deviceFamily, deviceModel, fault }) => [deviceFamily, deviceModel, fault]);

  it('may list chips of Raspberry Pi beside those of Espressif', () => {
    expect(manifest('ESP32-S3', 'RP2040', 'RP2350')).toEqual([
      ['esp', 'esp32s3', null],
      ['rp', 'rp2040', null],
      ['rp', 'rp2350', null],
    ]);
  });

  it('keeps chips that no family has', () => {
    expect(manifest('ESP32', 'RP9999')).toEqual([
      ['esp', 'esp32', null],
      ['esp', 'RP9999', null],
    ]);
  });
});
