import { describe, expect, it } from 'vitest';
import { elfOfBuild, readArguments } from './arguments.ts';

const complete = ['--server', 'https://bench.example/', '--project', 'Blinker', '--version', '1.4.0'];
const file = ['--file', '0x1000=boot.bin'];
const environment = { WIREBENCH_TOKEN: 'wirebench_secret' };

describe('command line of publish-release', () => {
  it('names server, project, version and files with their addresses', () => {
    expect(readArguments([...complete, ...file, '--file', '0x10000=out/a=b.bin'], environment)).toEqual({
      server: 'https://bench.example',
      token: 'wirebench_secret',
      project: 'Blinker',
      version: '1.4.0',
      description: 'Version 1.4.0',
      files: [
        { offset: '0x1000', path: 'boot.bin' },
        { offset: '0x10000', path: 'out/a=b.bin' },
      ],
      build: null,
      elf: null,
      acceptDamaged: [],
      staysPrivate: false,
    });
  });

  it('may carry notes, the wish to stay private, and a token that goes before that of the environment', () => {
    const more = ['--description', 'Fixes it.', '--private', '--token', 'wirebench_other'];
    expect(readArguments([...complete, ...file, ...more], environment)).toMatchObject({
      description: 'Fixes it.',
      staysPrivate: true,
      token: 'wirebench_other',
    });
  });

  it('trims the token and refuses quotation marks around it, without naming it', () => {
    const args = [...complete, ...file];
    for (const text of ['wirebench_secret\r', '\ufeffwirebench_secret\n', ' wirebench_secret\u00a0']) {
      expect(readArguments(args, { WIREBENCH_TOKEN: text })).toMatchObject({ token: 'wirebench_secret' });
      expect(readArguments([...args, '--token', text], {})).toMatchObject({ token: 'wirebench_secret' });
    }
    for (const text of ['"wirebench_secret"', "'wirebench_secret'\r"]) {
      expect(() => readArguments(args, { WIREBENCH_TOKEN: text })).toThrow(
        /^WIREBENCH_TOKEN has quotation marks (?!.*wirebench_secret)/,
      );
      expect(() => readArguments([...args, '--token', text], {})).toThrow(
        /^--token has quotation marks (?!.*wirebench_secret)/,
      );
    }
    expect(() => readArguments(args, { WIREBENCH_TOKEN: ' \r' })).toThrow('the publishing token is missing');
  });

  it('may name the folder of a build in place of files', () => {
    expect(readArguments([...complete, '--build', 'out', '--accept-damaged', 'a.bin'], environment)).toMatchObject({
      files: [],
      build: 'out',
      acceptDamaged: ['a.bin'],
    });
  });

  it('takes an ELF file only where one was named, or the one of the build was asked for', () => {
    expect(readArguments([...complete, '--build', 'out'], environment)).toMatchObject({ elf: null });
    expect(readArguments([...complete, '--build', 'out', '--elf', 'a.elf'], environment)).toMatchObject({
      elf: 'a.elf',
    });
    expect(readArguments([...complete, '--build', 'out', '--with-elf'], environment)).toMatchObject({
      elf: elfOfBuild,
    });
  });

  it('may name a build for each chip, as vendors write it, each with its conditions', () => {
    const builds = [
      ...['--build', 'ESP32-S3=out/s3', '--guard', 'flash=8MB,psram=yes', '--guard', 'connection=usb'],
      ...['--build', 'esp32=0x0=merged.bin', '--guard', 'revision=3.1, psram=no'],
      ...['--build', 'nrf52840=a=b.hex'],
    ];
    expect(readArguments([...complete, ...builds], environment)).toMatchObject({
      build: null,
      files: [],
      builds: [
        {
          deviceModel: 'esp32s3',
          guards: { flashSize: 8_388_608, psram: true, connection: 'usb' },
          path: 'out/s3',
          offset: null,
        },
        { deviceModel: 'esp32', guards: { minRevision: 301, psram: false }, path: 'merged.bin', offset: '0x0' },
        { deviceModel: 'nrf52840', guards: {}, path: 'a=b.hex', offset: null },
      ],
    });
  });

  it('takes a folder with an equals sign for a folder', () => {
    const publication = readArguments([...complete, '--build', 'target=release/out'], environment);
    expect(publication).toMatchObject({ build: 'target=release/out' });
    expect(publication).not.toHaveProperty('builds');
  });

  it('names a channel only where one was given', () => {
    expect(readArguments([...complete, ...file], environment)).not.toHaveProperty('channel');
    expect(readArguments([...complete, ...file, '--channel', 'beta'], environment)).toMatchObject({ channel: 'beta' });
  });

  it('replaces the oldest version only where that was asked for', () => {
    expect(readArguments([...complete, ...file], environment)).not.toHaveProperty('replaceOldest');
    expect(readArguments([...complete, ...file, '--replace-oldest'], environment)).toMatchObject({
      replaceOldest: true,
    });
  });

  it('asks for help alone', () => {
    expect(readArguments(['--help'], {})).toBe('help');
  });

  it.each<[string, readonly string[], string]>([
    ['no file', complete, '--file is missing'],
    ['a file without an address', [...complete, '--file', 'boot.bin'], 'not boot.bin'],
    [
      'an address without 0x',
      [...complete, '--file', '10000=app.bin'],
      'The offset of "app.bin" has no 0x prefix. Use 0x10000.',
    ],
    ['files beside a build', [...complete, ...file, '--build', 'out'], 'either --build or --file'],
    ['an address that is none', [...complete, '--file', '0xzz=boot.bin'], 'not 0xzz=boot.bin'],
    ['five files', [...complete, ...file, ...file, ...file, ...file, ...file], 'up to 4 files, not 5'],
    ['no project', ['--server', 'https://bench.example', '--version', '1'], '--project is missing'],
    ['an empty version', [...complete.slice(0, 4), '--version', ' ', ...file], '--version is missing'],
    [
      'a server without a scheme',
      ['--server', 'bench.example', '--project', 'x', '--version', '1', ...file],
      '--server',
    ],
    ['the ELF file of no build', [...complete, ...file, '--with-elf'], '--with-elf needs --build'],
    ['two ELF files', [...complete, '--build', 'o', '--with-elf', '--elf', 'a.elf'], 'either --elf or --with-elf'],
    ['an ELF file without a name', [...complete, ...file, '--elf', ' '], '--elf is missing'],
    ['two folders without chips', [...complete, '--build', 'a', '--build', 'b'], 'several --build need a chip each'],
    ['one of two builds without its chip', [...complete, '--build', 'a', '--build', 'esp32=b'], 'each --build needs'],
    ['files beside builds', [...complete, ...file, '--build', 'esp32=b'], 'either --build or --file'],
    ['a condition without its build', [...complete, '--guard', 'psram=yes', '--build', 'esp32=b'], '--guard belongs'],
    ['a condition of a folder', [...complete, '--build', 'b', '--guard', 'psram=yes'], '--guard belongs'],
    ['an unknown condition', [...complete, '--build', 'esp32=b', '--guard', 'ram=8MB'], 'not ram=8MB'],
    ['a size without its unit', [...complete, '--build', 'esp32=b', '--guard', 'flash=8'], 'such as flash=8MB'],
    ['an unknown channel', [...complete, ...file, '--channel', 'alpha'], '--channel must be stable or beta, not alpha'],
    ['an unknown option', [...complete, ...file, '--publik'], '--publik'],
  ])('with %s is refused in one line', (_name, args, part) => {
    expect(() => readArguments(args, environment)).toThrow(part);
  });

  it('without a token says where it is looked for', () => {
    expect(() => readArguments([...complete, ...file], {})).toThrow('set WIREBENCH_TOKEN');
  });
});
