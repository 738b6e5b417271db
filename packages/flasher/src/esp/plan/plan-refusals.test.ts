import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildNvs, buildTable } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, chipIds, filler } from '../testing/esp-images.ts';
import { board, codesOf, file, MIB, merged, plan, sentencesOf, wholeBuild } from '../testing/plans.ts';
import { anyEsp } from './esp-plan-types.ts';

describe('refusals of a plan, before an erase', () => {
  const app = (bytes: Uint8Array) => [file('app.bin', 0x10000, bytes)];

  it.each([
    ['nothing-to-write', [], 'There is no file to write.'],
    ['file-empty', app(new Uint8Array()), '"app.bin" is empty.'],
    [
      'offset-not-aligned',
      [file('data.bin', 0x10010, filler(20))],
      '"data.bin" cannot begin at 0x10010: flash is erased in sectors of 4 KB.',
    ],
    [
      'overlap',
      [file('one.bin', 0x200000, filler(9_000)), file('two.bin', 0x202000, filler(20))],
      '"one.bin" and "two.bin" overlap at 0x202000.',
    ],
    [
      'does-not-fit',
      [file('data.bin', 0x3ff000, filler(5_000))],
      '"data.bin" ends at 0x400388, but the flash of this board ends at 0x400000.',
    ],
    [
      'larger-than-partition',
      app(buildApp({ size: 1_100_000 })),
      '"app.bin" is 1,100,336 bytes, but partition "factory" holds only 1,048,576 bytes.',
    ],
    [
      'image-damaged',
      app(buildApp().fill(0, 400, 500)),
      '"app.bin": The image is damaged: its checksum does not match its contents.',
    ],
    ['image-damaged', app(buildApp().subarray(0, 500)), '"app.bin": The image ends too early.'],
    [
      'wrong-chip',
      app(buildApp({ chipId: chipIds.esp32s3 })),
      '"app.bin" was built for ESP32-S3. This board has an ESP32.',
    ],
    [
      'wrong-chip',
      app(buildApp({ chipId: 99 })),
      '"app.bin" was built for a chip with id 99 (not in the published list of 2026-07-23). This board has an ESP32.',
    ],
    [
      'wrong-revision',
      app(buildApp({ minimumRevision: 302 })),
      '"app.bin" needs chip revision v3.2 or newer. This chip is revision v3.1.',
    ],
    [
      'wrong-revision',
      app(buildApp({ maximumRevision: 199 })),
      '"app.bin" needs chip revision v0.0 to v1.99. This chip is revision v3.1.',
    ],
    [
      'demo-firmware',
      [file('demo.bin', 0x10000, asciiBytes('.. wirebench-boot-text:Hello'))],
      '"demo.bin" is for the demo board only: on a real chip it would do nothing.',
    ],
    [
      'flash-size-setting',
      [file('bootloader.bin', 0x1000, buildBootloader({ sizeAndFrequency: 0x40 }))],
      '"bootloader.bin" is set up for 16 MB of flash, but this board has 4 MB: it would not start.',
    ],
    [
      'nvs-in-file',
      [file('nvs.bin', 0x9000, buildNvs())],
      '"nvs.bin" would replace what is stored in "nvs", which is to be kept.',
    ],
    [
      'nvs-in-file',
      [file('blank.bin', 0x9000, new Uint8Array(0x6000).fill(0xff))],
      '"blank.bin" would replace what is stored in "nvs", which is to be kept.',
    ],
    [
      'partitions-beyond-flash',
      [
        file(
          'partitions.bin',
          0x8000,
          buildTable([{ name: 'big', type: 1, subtype: 6, offset: 0x10000, size: 0x800000 }]),
        ),
      ],
      'Partition "big" ends at 0x810000, but the flash of this board ends at 0x400000.',
    ],
  ])('include %s', async (code, files, sentence) => {
    const made = await plan({ files });
    expect(codesOf(made)[0]).toContain(code);
    expect(sentencesOf(made)).toContain(sentence);
  });

  it('include damage inside a merged image', async () => {
    const damaged = Uint8Array.from(merged).fill(0, 0x1100, 0x1200);
    expect(sentencesOf(await plan({ files: [file('all.bin', 0, damaged)] }))).toEqual([
      '"all.bin": bootloader: The image is damaged: its checksum does not match its contents.',
    ]);
  });

  it('include files of different chips, also without a board', async () => {
    const files = [...wholeBuild.slice(0, 2), file('app.bin', 0x10000, buildApp({ chipId: chipIds.esp32s3 }))];
    expect(codesOf(await plan({ files, board: null }))[0]).toEqual(['chips-differ']);
  });

  it('include demo firmware by the mark of its release, except on the demo device', async () => {
    const guard = { ...anyEsp, isDemo: true };
    const { refusals } = await plan({ guard });
    expect(refusals.map(({ code }) => code)).toEqual(['demo-firmware']);
    // One sentence for all files together.
    expect(refusals[0]?.what).toMatch(/^".+", ".+" and ".+" are for the demo board only/);
    expect(codesOf(await plan({ guard, board: board({ isDemo: true }) }))[0]).toEqual([]);
  });

  it('include a chip revision by the old field, which counts minor revisions on the C3', async () => {
    const c3 = { chip: 'esp32c3', revision: { major: 0, minor: 3 } } as const;
    const build = (legacyRevision: number) => [
      file('app.bin', 0x10000, buildApp({ chipId: chipIds.esp32c3, legacyRevision })),
    ];
    expect(codesOf(await plan({ files: build(3), board: board({ info: c3 }) }))[0]).toEqual([]);
    expect(sentencesOf(await plan({ files: build(4), board: board({ info: c3 }) }))).toEqual([
      '"app.bin" needs chip revision v0.4 or newer. This chip is revision v0.3.',
    ]);
  });
});

describe('refusal of a chip revision', () => {
  it.each([
    ['below the lowest', { minimumRevision: 302 }],
    ['below the lowest of the old field', { legacyRevision: 4 }],
    ['above the highest', { maximumRevision: 199 }],
  ])('%s is lifted by typing its code', async (_, built) => {
    const input = { files: [file('app.bin', 0x10000, buildApp(built))] };
    expect((await plan(input)).refusals).toMatchObject([{ code: 'wrong-revision', overridable: true }]);
    const typed = await plan({ ...input, overrides: ['wrong-revision'] });
    expect([typed.refusals, typed.overridden]).toMatchObject([[], [{ code: 'wrong-revision' }]]);
  });
});

describe('plan for a board with security', () => {
  const security = { secureBoot: false, flashEncryption: false, secureDownload: false };
  const secured = (changes: Partial<typeof security>) => board({ info: { security: { ...security, ...changes } } });

  it('refuses plain firmware with flash encryption, and unknown data until overridden', async () => {
    const plain = await plan({ board: secured({ flashEncryption: true }), overrides: ['flash-encryption'] });
    expect(codesOf(plain)[0]).toContain('flash-encryption');
    const files = [file('encrypted.bin', 0x10000, filler(500))];
    const input = { files, board: secured({ flashEncryption: true }) };
    expect((await plan(input)).refusals).toMatchObject([{ code: 'flash-encryption', overridable: true }]);
    const typed = await plan({ ...input, overrides: ['flash-encryption'] });
    expect([typed.refusals, typed.overridden]).toMatchObject([[], [{ code: 'flash-encryption' }]]);
  });

  it('refuses an unsigned bootloader with secure boot, and an app until overridden', async () => {
    const input = { board: secured({ secureBoot: true }) };
    expect((await plan(input)).refusals).toMatchObject([
      { code: 'not-signed', files: ['bootloader.bin'], overridable: false },
      { code: 'not-signed', files: ['app.bin'], overridable: true },
    ]);
    const files = wholeBuild.filter(({ name }) => name === 'app.bin');
    expect((await plan({ ...input, files, overrides: ['not-signed'] })).refusals).toEqual([]);
  });

  it('cannot erase everything in Secure Download Mode, nor keep settings then', async () => {
    const input = { board: secured({ secureDownload: true }) };
    expect(codesOf(await plan(input))).toEqual([[], ['secure-download']]);
    expect(codesOf(await plan({ ...input, erase: 'all' }))[0]).toEqual(['cannot-erase', 'cannot-keep-nvs']);
  });
});

describe('an app that is too large for its partition', () => {
  it('is refused with the partition that has room, and its offset', async () => {
    const table = buildTable([
      { name: 'safeboot', type: 0, subtype: 0, offset: 0x10000, size: 0xd0000 },
      { name: 'app0', type: 0, subtype: 0x10, offset: 0xe0000, size: 0x2a0000 },
    ]);
    const files = [
      file('partitions.bin', 0x8000, table),
      file('tasmota32.bin', 0x10000, buildApp({ size: 1_900_000 })),
    ];
    const [refusal] = (await plan({ files })).refusals;
    expect([refusal?.code, refusal?.remedy]).toEqual([
      'larger-than-partition',
      'It fits in partition "app0": change its offset to 0xE0000.',
    ]);
  });
});

describe('board guard', () => {
  const guard = { chip: 'esp32s3', flashSize: 8 * MIB, model: 'ESP32-S3R8', isDemo: false } as const;

  it('reports mismatches, and accepts a typed override', async () => {
    const made = await plan({ guard });
    expect(made.refusals.map(({ what, overridable }) => [what, overridable])).toEqual([
      ['This firmware is meant for ESP32-S3. This board has an ESP32.', true],
      ['This firmware is meant for boards with at least 8 MB of flash. This board has 4 MB.', true],
      ['This firmware is meant for ESP32-S3R8. This board is an ESP32-D0WD-V3.', true],
    ]);
    expect(codesOf(await plan({ guard, overrides: ['guard-chip', 'guard-flash'] }))[0]).toEqual(['guard-board']);
  });

  it('refuses an image for another chip in spite of a typed override', async () => {
    const files = [file('app.bin', 0x10000, buildApp({ chipId: chipIds.esp32s3 }))];
    expect(codesOf(await plan({ files, overrides: ['wrong-chip'] }))[0]).toEqual(['wrong-chip']);
  });
});
