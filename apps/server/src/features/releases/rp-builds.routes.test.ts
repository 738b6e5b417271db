/** Releases for RP2040 and RP2350: one project with a build for each chip, or one file for both. */
import { type Project, VersionAnswer } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseClient, type TestFile } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

/** UF2 families (pico-sdk, `boot/uf2.h`): `rp2040`, `rp2350-arm-s`. */
const families = { rp2040: 0xe48b_ff56, rp2350: 0xe48b_ff59 } as const;
const flashStart = 0x1000_0000;

/** Returns the blocks of a program with 1 KiB (Microsoft, "UF2 Specification"). */
function uf2(chip: keyof typeof families): Buffer {
  const [payload, total] = [256, 4];
  const blocks = Array.from({ length: total }, (_, number) => {
    const block = Buffer.alloc(512);
    const words = [
      0x0a324655,
      0x9e5d5157,
      0x2000,
      flashStart + number * payload,
      payload,
      number,
      total,
      families[chip],
    ];
    for (const [place, word] of words.entries()) {
      block.writeUInt32LE(word, place * 4);
    }
    block.fill(number + 1, 32, 32 + payload);
    block.writeUInt32LE(0x0ab16f30, 508);
    return block;
  });
  return Buffer.concat(blocks);
}

describe('a release for RP2040 and RP2350', () => {
  let test: TestApp;
  let owner: ReturnType<typeof releaseClient>;
  let project: Project;

  beforeAll(async () => {
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
    owner = releaseClient(test.app, await test.bearer());
    project = await owner.newProject('Blinker', { deviceFamily: 'rp', deviceModel: 'rp2040' });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const upload = (files: readonly TestFile[], builds: readonly object[], version: string) =>
    owner.upload(project._id, { files, builds: JSON.stringify(builds), version });

  it('has a build for each chip, with the addresses of the files', async () => {
    const files = [
      { name: 'pico.uf2', bytes: uf2('rp2040') },
      { name: 'pico2.uf2', bytes: uf2('rp2350') },
    ];
    const builds = [
      { deviceModel: 'rp2040', files: [{ index: 0 }] },
      { deviceModel: 'rp2350', guards: { flashSize: 4_194_304 }, files: [{ index: 1 }] },
    ];
    const answer = await upload(files, builds, '1.0.0');
    const { version } = VersionAnswer.parse(answer.json());
    expect(version.builds?.map(({ deviceModel, guards }) => [deviceModel, guards])).toEqual([
      ['rp2040', {}],
      ['rp2350', { flashSize: 4_194_304 }],
    ]);
    const offsets = version.builds?.flatMap((build) => build.files.map(({ fileName, offset }) => [fileName, offset]));
    expect(offsets).toEqual([
      ['pico.uf2', '0x10000000'],
      ['pico2.uf2', '0x10000000'],
    ]);
  });

  it('may have one file with programs for both chips', async () => {
    const both = { name: 'universal.uf2', bytes: Buffer.concat([uf2('rp2040'), uf2('rp2350')]) };
    const builds = ['rp2040', 'rp2350'].map((deviceModel) => ({ deviceModel, files: [{ index: 0 }] }));
    const answer = await upload([both], builds, '1.1.0');
    expect([answer.statusCode, answer.json().message]).toEqual([201, undefined]);
  });

  it('is refused with a file for the other chip', async () => {
    const files = [{ name: 'pico2.uf2', bytes: uf2('rp2350') }];
    const answer = await upload(files, [{ deviceModel: 'rp2040', files: [{ index: 0 }] }], '1.2.0');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('RP2350');
  });
});
