/** Reads manifests in the shapes of five public projects and of build systems, all written by hand. */
import { describe, expect, it } from 'vitest';
import { ManifestError, type ManifestFailure } from './manifest-fault.ts';
import { manifestLimits, readManifest } from './read-manifest.ts';

const address = 'https://firmware.example/install/manifest.json';

const read = (json: unknown, from = address) => readManifest(JSON.stringify(json), from);

/** Returns the builds as short lines: chip, conditions, and each file at its offset. */
const linesOf = (json: unknown, from = address) =>
  read(json, from).versions.flatMap(({ builds }) =>
    builds.map(({ deviceFamily, deviceModel, guards, files }) =>
      [
        `${deviceFamily} ${deviceModel}`,
        ...Object.entries(guards).map(([key, value]) => `${key}=${value}`),
        ...files.map((file) => `${file.address}@0x${file.offset.toString(16)}`),
      ].join(' '),
    ),
  );

function faultOf(read: () => unknown): { code: ManifestFailure; what: string } | null {
  try {
    read();
    return null;
  } catch (error) {
    return error instanceof ManifestError
      ? { code: error.code, what: error.what }
      : { code: 'unreachable', what: String(error) };
  }
}

/** Merged images below another folder, Improv, a waiting time, and a family that has no bootloader of its own. */
const tasmotaLike = {
  name: 'Tasmota English',
  version: '15.1.0',
  home_assistant_domain: 'tasmota',
  funding_url: 'https://paypal.example/tasmota',
  new_install_prompt_erase: true,
  new_install_improv_wait_time: 10,
  builds: [
    { chipFamily: 'ESP32', improv: true, parts: [{ path: '../firmware/tasmota32.factory.bin', offset: 0 }] },
    { chipFamily: 'ESP32-C2', parts: [{ path: '../firmware/tasmota32c2.factory.bin', offset: 0 }] },
    { chipFamily: 'ESP8266', improv: false, parts: [{ path: '../firmware/tasmota.bin', offset: 0 }] },
  ],
};

/** Four parts for each chip, and absolute addresses at another host. */
const wledLike = {
  name: 'WLED',
  version: '0.15.0',
  home_assistant_domain: 'wled',
  new_install_prompt_erase: true,
  builds: [
    {
      chipFamily: 'ESP32',
      parts: [
        { path: 'https://cdn.example/wled/bootloader_esp32.bin', offset: 4096 },
        { path: '/bin/partitions_4M.bin', offset: 32768 },
        { path: './boot_app0.bin', offset: 57344 },
        { path: 'WLED_0.15.0_ESP32.bin?raw=true', offset: 65536 },
      ],
    },
    { chipFamily: 'ESP8266', parts: [{ path: 'WLED_0.15.0_ESP8266.bin', offset: 0 }] },
  ],
};

/** One merged image with its hash, over the address of a build server. */
const espHomeLike = {
  name: 'ESPHome',
  version: '2026.11.1',
  home_assistant_domain: 'esphome',
  funding_url: 'https://esphome.example/supporters',
  new_install_prompt_erase: false,
  builds: [
    {
      chipFamily: 'ESP32-C6',
      ota: { path: 'esp32-c6.ota.bin', md5: '5d41402abc4b2a76b9719d911017c592' },
      parts: [{ path: 'esp32-c6.factory.bin', offset: 0 }],
    },
    {
      chipFamily: 'ESP32-S3',
      serialType: 'cdc',
      parts: [{ path: 'esp32-s3-usb.factory.bin', offset: 0 }],
    },
    { chipFamily: 'ESP32-S3', serialType: 'uart', parts: [{ path: 'esp32-s3.factory.bin', offset: 0 }] },
  ],
};

/** Offsets as text, hexadecimal and decimal, one file twice in the list, and a file system far behind the program. */
const meshtasticLike = {
  name: 'Meshtastic heltec-v3',
  version: 'v2.7.4.c1f4f79',
  new_install_prompt_erase: true,
  builds: [
    {
      chipFamily: 'ESP32-S3',
      parts: [
        { path: 'firmware-heltec-v3-2.7.4.bin', offset: '0x00' },
        { path: 'bleota-s3.bin', offset: '2621440' },
        { path: 'littlefs-heltec-v3-2.7.4.bin', offset: '0x300000' },
      ],
    },
  ],
};

/** A name without a version, a chip in another spelling, one that is not known here, and leftovers of a generator. */
const bruceLike = {
  $schema: 'https://json.example/manifest',
  name: 'Bruce',
  builds: [
    { chipFamily: 'esp32s3', parts: [{ path: 'Bruce-cardputer.bin', offset: 0 }] },
    { chipFamily: 'ESP32-S3', parts: [{ path: 'Bruce-t-embed.bin', offset: 0 }] },
    { chipFamily: 'ESP32-X9', parts: [{ path: 'Bruce-new.bin', offset: 0 }] },
    { chipFamily: 'ESP32-C3', parts: [] },
    null,
  ],
};

describe('manifests of ESP Web Tools', () => {
  it('merged images in another folder', () => {
    expect(linesOf(tasmotaLike)).toEqual([
      'esp esp32 https://firmware.example/firmware/tasmota32.factory.bin@0x0',
      'esp esp32c2 https://firmware.example/firmware/tasmota32c2.factory.bin@0x0',
      'esp esp8266 https://firmware.example/firmware/tasmota.bin@0x0',
    ]);
    const release = read(tasmotaLike);
    expect(release).toMatchObject({
      kind: 'web-tools',
      host: 'firmware.example',
      name: 'Tasmota English',
      publisher: null,
      isDemo: false,
      promptsErase: true,
      improvWaitTime: 10,
      homeAssistantDomain: 'tasmota',
      fundingUrl: 'https://paypal.example/tasmota',
    });
    expect(release.versions.map(({ version }) => version)).toEqual(['15.1.0']);
    expect(release.versions[0]?.builds.map(({ improv }) => improv)).toEqual([true, null, false]);
  });

  it('parts at absolute and relative addresses', () => {
    expect(linesOf(wledLike)).toEqual([
      'esp esp32 https://cdn.example/wled/bootloader_esp32.bin@0x1000 https://firmware.example/bin/partitions_4M.bin@0x8000 https://firmware.example/install/boot_app0.bin@0xe000 https://firmware.example/install/WLED_0.15.0_ESP32.bin?raw=true@0x10000',
      'esp esp8266 https://firmware.example/install/WLED_0.15.0_ESP8266.bin@0x0',
    ]);
    expect(read(wledLike).versions[0]?.builds[0]?.files.map(({ name }) => name)).toEqual([
      'bootloader_esp32.bin',
      'partitions_4M.bin',
      'boot_app0.bin',
      'WLED_0.15.0_ESP32.bin',
    ]);
  });

  it('variants for USB and for a bridge', () => {
    expect(linesOf(espHomeLike)).toEqual([
      'esp esp32c6 https://firmware.example/install/esp32-c6.factory.bin@0x0',
      'esp esp32s3 connection=usb https://firmware.example/install/esp32-s3-usb.factory.bin@0x0',
      'esp esp32s3 connection=uart https://firmware.example/install/esp32-s3.factory.bin@0x0',
    ]);
    expect(read(espHomeLike).promptsErase).toBe(false);
  });

  it('offsets as text', () => {
    expect(linesOf(meshtasticLike)).toEqual([
      'esp esp32s3 https://firmware.example/install/firmware-heltec-v3-2.7.4.bin@0x0 https://firmware.example/install/bleota-s3.bin@0x280000 https://firmware.example/install/littlefs-heltec-v3-2.7.4.bin@0x300000',
    ]);
  });

  it('the first of several builds for a chip, as ESP Web Tools takes it, and chips that are not known', () => {
    expect(linesOf(bruceLike)).toEqual([
      'esp esp32s3 https://firmware.example/install/Bruce-cardputer.bin@0x0',
      'esp ESP32-X9 https://firmware.example/install/Bruce-new.bin@0x0',
    ]);
    expect(read(bruceLike)).toMatchObject({ name: 'Bruce', versions: [{ version: '' }] });
  });

  it.each([
    [true, 'true', 1],
    ['yes', 'On', '1'],
  ])('name yes by %j, %j or %j', (prompt, first, second) => {
    const parts = [{ path: 'a.bin', offset: 0 }];
    const builds = [
      { chipFamily: 'ESP32', improv: first, parts },
      { chipFamily: 'ESP32-C3', improv: second, parts },
      { chipFamily: 'ESP32-S3', improv: 'maybe', parts },
    ];
    const release = read({ name: 'Lamp', new_install_prompt_erase: prompt, builds });
    expect(release.promptsErase).toBe(true);
    expect(release.versions[0]?.builds.map(({ improv }) => improv)).toEqual([true, true, null]);
  });

  it('the first format, with file names in place of paths, after a byte order mark', () => {
    const early = { name: 'Early', builds: [{ chipFamily: 'ESP32', parts: [{ filename: 'a.bin', offset: 4096 }] }] };
    const release = readManifest(`\uFEFF${JSON.stringify(early)}`, address);
    expect(release.versions[0]?.builds[0]?.files[0]).toEqual({
      name: 'a.bin',
      address: 'https://firmware.example/install/a.bin',
      offset: 4096,
      size: null,
      sha256: null,
    });
  });

  it('names in one line, and cut', () => {
    const named = { ...bruceLike, name: `A\n\u202EB${'x'.repeat(500)}` };
    const { name } = read(named);
    expect(name.startsWith('A Bx')).toBe(true);
    expect(name).toHaveLength(manifestLimits.textLength);
  });
});

describe('manifest of a Wirebench server', () => {
  const sha256 = 'A0'.repeat(32);
  const manifest = {
    name: 'Thermostat',
    version: '2.0.0',
    new_install_prompt_erase: true,
    builds: [{ chipFamily: 'ESP32', parts: [{ path: 'files/1', offset: 65536 }] }],
    wirebench: {
      publisher: 'ada',
      builds: [
        {
          _id: 'b1',
          deviceFamily: 'esp',
          deviceModel: 'esp32',
          guards: { flashSize: 4_194_304, psram: true, minRevision: 301, connection: 'uart', other: 1 },
          files: [{ path: 'files/1', fileName: 'app.bin', offset: '0x10000', size: 5, sha256 }],
        },
        {
          deviceFamily: 'stm',
          deviceModel: 'stm32f',
          files: [{ path: 'files/2', fileName: 'app.hex', offset: '0x0' }],
        },
      ],
    },
  };

  it('has conditions, hashes and other families', () => {
    expect(read(manifest)).toMatchObject({ publisher: 'ada', promptsErase: true });
    expect(read(manifest).versions[0]?.builds).toEqual([
      {
        id: 'b1',
        deviceFamily: 'esp',
        deviceModel: 'esp32',
        guards: { flashSize: 4_194_304, psram: true, minRevision: 301, connection: 'uart' },
        improv: null,
        fault: null,
        files: [
          {
            name: 'app.bin',
            address: 'https://firmware.example/install/files/1',
            offset: 0x1_0000,
            size: 5,
            sha256: sha256.toLowerCase(),
          },
        ],
      },
      {
        id: null,
        deviceFamily: 'stm',
        deviceModel: 'stm32f',
        guards: {},
        improv: null,
        fault: null,
        files: [
          { name: 'app.hex', address: 'https://firmware.example/install/files/2', offset: 0, size: null, sha256: null },
        ],
      },
    ]);
  });
});

describe('answer of a Wirebench server', () => {
  const files = (name: string) => [
    { _id: `id-${name}`, fileName: name, size: 9, offset: '0x8000000', sha256: '0'.repeat(64) },
  ];
  const project = { name: 'Pump', publisher: 'ada', demo: false, deviceFamily: 'stm', deviceModel: 'stm32f' };
  const shared = 'https://bench.example/api/firmware/shared';

  it('a version without builds has the project’s model, and files below its address', () => {
    const answer = { project, version: { version: '1.0', files: files('pump.bin') } };
    expect(read(answer, `${shared}/version/abc?x=1`)).toMatchObject({
      kind: 'wirebench',
      name: 'Pump',
      publisher: 'ada',
      host: 'bench.example',
    });
    expect(linesOf(answer, `${shared}/version/abc?x=1`)).toEqual([
      `stm stm32f ${shared}/version/abc/files/id-pump.bin@0x8000000`,
    ]);
  });

  it('a project has its versions, newest first, each with its builds', () => {
    const build = (deviceModel: string) => ({
      _id: deviceModel,
      deviceFamily: 'esp',
      deviceModel,
      guards: {},
      files: files(deviceModel),
    });
    const versions = [
      { version: '2.0', files: files('esp32'), builds: [build('esp32'), build('esp32s3')] },
      { version: '1.0', files: files('old') },
    ];
    const answer = { project: { ...project, deviceFamily: 'esp', deviceModel: 'esp32', demo: true, versions } };
    const release = read(answer, `${shared}/project/abc`);
    expect(release.isDemo).toBe(true);
    expect(release.versions.map(({ version, builds }) => [version, builds.map(({ id }) => id)])).toEqual([
      ['2.0', ['esp32', 'esp32s3']],
      ['1.0', [null]],
    ]);
  });

  it('a project without a version has nothing to write', () => {
    expect(faultOf(() => read({ project: { ...project, versions: [] } }))?.code).toBe('no-builds');
  });
});

describe('flasher_args.json', () => {
  const list = {
    write_flash_args: ['--flash_mode', 'dio'],
    flash_settings: { flash_mode: 'dio', flash_size: '2MB', flash_freq: '40m' },
    flash_files: { '0x1000': 'bootloader/bootloader.bin', '0x10000': 'hello.bin' },
    app: { offset: '0x10000', file: 'hello.bin', encrypted: 'false' },
    extra_esptool_args: { after: 'hard_reset', chip: 'esp32' },
  };

  it('is one build, with files relative to the list', () => {
    expect(linesOf(list, 'https://ci.example/build/flasher_args.json')).toEqual([
      'esp esp32 https://ci.example/build/bootloader/bootloader.bin@0x1000 https://ci.example/build/hello.bin@0x10000',
    ]);
    expect(read(list)).toMatchObject({ kind: 'flasher-args', name: 'firmware.example', versions: [{ version: '' }] });
  });

  it('is refused with an encrypted file', () => {
    const encrypted = { ...list, app: { ...list.app, encrypted: 'true' } };
    expect(faultOf(() => read(encrypted))).toEqual({
      code: 'encrypted-file',
      what: '"hello.bin" is to be encrypted while it is written, which a file from a manifest cannot be.',
    });
  });
});

describe('refused manifests', () => {
  const part = { path: 'a.bin', offset: 0 };
  const withParts = (parts: unknown) => ({ builds: [{ chipFamily: 'ESP32', parts }] });

  it.each<[string, unknown, ManifestFailure]>([
    ['a list', [], 'not-a-manifest'],
    ['another object', { name: 'x' }, 'not-a-manifest'],
    ['no builds', { builds: [] }, 'no-builds'],
    ['builds without files', withParts([]), 'no-builds'],
    ['builds under names', { builds: 'ESP32' }, 'not-a-manifest'],
    ['builds that are no objects', { builds: ['ESP32', 1] }, 'no-builds'],
    ['too many builds', { builds: Array(33).fill({ chipFamily: 'ESP32', parts: [part] }) }, 'too-many-builds'],
    ['too many files', withParts(Array(manifestLimits.files + 1).fill(part)), 'too-many-files'],
    ['a file without a path', withParts([{ offset: 0 }]), 'unusable-file'],
    ['an offset that is no number', withParts([{ ...part, offset: 'top' }]), 'unusable-file'],
    ['an offset beyond 32 bits', withParts([{ ...part, offset: 2 ** 32 }]), 'unusable-file'],
    ['a negative offset', withParts([{ ...part, offset: -1 }]), 'unusable-file'],
    ['a file in the page’s script', withParts([{ ...part, path: 'javascript:alert(1)' }]), 'unusable-address'],
    ['a file in the address itself', withParts([{ ...part, path: 'data:,x' }]), 'unusable-address'],
    ['a file on the computer', withParts([{ ...part, path: 'file:///etc/passwd' }]), 'unusable-address'],
  ])('%s', (_, json, code) => expect(faultOf(() => read(json))?.code).toBe(code));

  it('null is no manifest', () => {
    expect(faultOf(() => readManifest('null', address))?.code).toBe('not-a-manifest');
  });

  it.each(['<!doctype html>', '\uFEFF\n<html>', '<?xml version="1.0"?>'])('%j is a page in its place', (text) => {
    expect(faultOf(() => readManifest(text, address))).toEqual({
      code: 'web-page',
      what: 'The file from firmware.example is not a manifest: it is a web page.',
    });
  });

  it('a comma too many is named with line and column', () => {
    const text = '{\n  "builds": [\n    {"chipFamily": "ESP32", "parts": []},\n  ]\n}';
    expect(() => readManifest(text, address)).toThrow(
      expect.objectContaining({
        code: 'not-json',
        what: 'The manifest from firmware.example is not valid JSON. Line 4, column 3: "]" follows a comma.',
        remedy: 'Remove the comma in line 3, column 41. If it is not yours, tell its publisher.',
      }),
    );
  });
});

describe('a manifest with one bad build', () => {
  const good = { chipFamily: 'ESP32', parts: [{ path: 'a.bin', offset: 4096 }] };
  const bad = (parts: unknown) => ({ name: 'Lamp', builds: [good, { chipFamily: 'ESP32-C3', parts }] });
  const part = { path: 'bin/app.bin', offset: 65536 };

  it.each<[string, unknown, string]>([
    [
      'an offset that is a fraction',
      [{ ...part, offset: 32.768 }],
      'The build for ESP32-C3 gives "app.bin" the offset 32.768, which is not an address in flash.',
    ],
    [
      'an offset with a unit',
      [part, { ...part, offset: '64k' }],
      'The build for ESP32-C3 gives "app.bin" the offset 64k, which is not an address in flash.',
    ],
    ['no offset', [{ path: 'app.bin' }], 'The build for ESP32-C3 gives no offset for "app.bin".'],
    ['no path', [part, { offset: 65536 }], 'The build for ESP32-C3 does not name the file at 65536.'],
    ['a part that is no object', ['app.bin'], 'The build for ESP32-C3 does not name the file of part 1.'],
    [
      'too many parts',
      Array(manifestLimits.files + 1).fill(part),
      `The build for ESP32-C3 has ${manifestLimits.files + 1} files, and at most ${manifestLimits.files} are written at once.`,
    ],
    [
      'a file on the computer',
      [{ ...part, path: 'file:///etc/passwd' }],
      'The build for ESP32-C3 has a file at "file:///etc/passwd", which is not an address on the web.',
    ],
  ])('keeps the other build and names the fault: %s', (_, parts, sentence) => {
    const [version] = read(bad(parts)).versions;
    expect(version?.faults).toEqual([sentence]);
    expect(version?.builds.map(({ deviceModel, files, fault }) => [deviceModel, files.length, fault?.what])).toEqual([
      ['esp32', 1, undefined],
      ['esp32c3', 0, sentence],
    ]);
  });

  it('names entries without a chip and without files', () => {
    const builds = [good, { parts: [part] }, null, { chipFamily: 'ESP32-C3', parts: [] }];
    expect(read({ builds }).versions[0]?.faults).toEqual([
      'Build 2 names no chip.',
      'Build 3 names no chip.',
      'The build for ESP32-C3 lists no files.',
    ]);
  });

  it('keeps the other builds of a Wirebench server’s manifest, and its other versions', () => {
    const build = (deviceModel: string, offset: string) => ({
      deviceFamily: 'stm',
      deviceModel,
      files: [{ _id: 'x', fileName: 'app.bin', offset }],
    });
    const builds = [build('stm32f', '0x8000000'), build('stm32g', 'top')];
    expect(read({ builds: [], wirebench: { builds } }).versions[0]?.faults).toEqual([
      'The build for STM32G gives "app.bin" the offset top, which is not an address in flash.',
    ]);
    const versions = [
      { version: '2.0', builds: [build('stm32f', 'top')] },
      { version: '1.0', builds },
    ];
    const answer = { project: { name: 'Pump', deviceFamily: 'stm', deviceModel: 'stm32f', versions } };
    expect(read(answer).versions.map(({ version }) => version)).toEqual(['1.0']);
  });
});

describe('a manifest that a page made', () => {
  const page = 'https://maker.example/lamp/install.html?x=1';
  const parts = [
    { path: 'bin/my app.bin?v=2', offset: 4096 },
    { path: 'https://cdn.example/b.bin', offset: '0x8000' },
    { path: 'blob:https://maker.example/0b1c', offset: 65536 },
  ];

  it.each(['blob:https://maker.example/5f2e', 'data:application/json,%7B%7D'])('%s has paths from the page', (made) => {
    const text = JSON.stringify({ builds: [{ chipFamily: 'ESP32', parts }] });
    const { host, versions } = readManifest(text, made, page);
    expect(host).toBe('maker.example');
    expect(versions[0]?.builds[0]?.files.map((file) => [file.name, file.address])).toEqual([
      ['my app.bin', 'https://maker.example/lamp/bin/my%20app.bin?v=2'],
      ['b.bin', 'https://cdn.example/b.bin'],
      ['part-3.bin', 'blob:https://maker.example/0b1c'],
    ]);
  });
});

describe('paths of parts', () => {
  it.each([
    ['../../a b.bin', 'https://firmware.example/a%20b.bin', 'a b.bin'],
    ['a.bin?token=1/2#x', 'https://firmware.example/install/a.bin?token=1/2#x', 'a.bin'],
    ['100%.bin', 'https://firmware.example/install/100%.bin', '100%.bin'],
    ['bin\\a.bin', 'https://firmware.example/install/bin/a.bin', 'a.bin'],
    ['//cdn.example/a.bin', 'https://cdn.example/a.bin', 'a.bin'],
  ])('%s', (path, wanted, name) => {
    const [file] = read({ builds: [{ chipFamily: 'ESP32', parts: [{ path, offset: 0 }] }] }).versions.flatMap(
      ({ builds }) => builds.flatMap(({ files }) => files),
    );
    expect([file?.address, file?.name]).toEqual([wanted, name]);
  });
});
