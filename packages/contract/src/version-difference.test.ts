import { describe, expect, it } from 'vitest';
import type { Version } from './releases.ts';
import { type LocalBuild, versionDifference } from './version-difference.ts';

const file = (fileName: string, offset: string, sha256: string) => ({ _id: 'x', size: 1, fileName, offset, sha256 });
const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];
const project = { deviceFamily: 'esp', deviceModel: 'esp32' } as const;
const version = (parts: Pick<Version, 'files' | 'builds'>): Version => ({
  _id: 'v',
  shareId: 's',
  version: '1.0.0',
  description: '',
  isPublic: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  writeCount: 0,
  console: null,
  ...parts,
});
const build = (deviceModel: string, ...files: LocalBuild['files']): LocalBuild => ({ deviceModel, guards: {}, files });
const stored = (deviceModel: 'esp32' | 'esp32c3' | 'stm32f', ...files: ReturnType<typeof file>[]) => ({
  _id: 'b',
  deviceFamily: deviceModel === 'stm32f' ? ('stm' as const) : ('esp' as const),
  deviceModel,
  guards: {},
  files,
  writeCount: 0,
});
const local = { name: 'app.bin', offset: '0x10000', sha256: hashA };

describe('difference of a stored version and local files', () => {
  it('is null for the same bytes at the same offsets, regardless of names and hex case', () => {
    const files = [file('firmware.bin', '0x1000', hashB), file('other.bin', '0x1a000', hashA)];
    const own = [
      { ...local, offset: '0x1A000' },
      { name: 'boot.bin', offset: '4096', sha256: hashB },
    ];
    expect(versionDifference(version({ files }), project, [build('esp32', ...own)])).toBeNull();
  });

  it('is null for the same file with its own addresses', () => {
    const builds = [
      stored('esp32', file('app.bin', '0x10000', hashA)),
      stored('stm32f', file('p.hex', '0x8000000', hashB)),
    ];
    const hex = { name: 'p.hex', offset: null, sha256: hashB };
    expect(
      versionDifference(version({ files: [], builds }), project, [build('stm32f', hex), build('esp32', local)]),
    ).toBeNull();
  });

  it.each<[string, Parameters<typeof version>[0], readonly LocalBuild[]]>([
    [
      '"app.bin" at 0x10000 is another file there: its SHA-256 begins with bbbbbbbbbbbb, that of "app.bin" here with aaaaaaaaaaaa.',
      { files: [file('app.bin', '0x10000', hashB)] },
      [build('esp32', local)],
    ],
    ['It has no file at 0x10000 like "app.bin".', { files: [] }, [build('esp32', local)]],
    [
      'It also has "boot.bin" at 0x1000.',
      { files: [file('boot.bin', '0x1000', hashB), file('app.bin', '0x10000', hashA)] },
      [build('esp32', local)],
    ],
    [
      'It has no such build for ESP32-C3.',
      { files: [file('app.bin', '0x10000', hashA)] },
      [build('esp32', local), build('esp32c3', local)],
    ],
    [
      'It also has a build for ESP32-C3.',
      { files: [], builds: [stored('esp32', file('a', '0x10000', hashA)), stored('esp32c3')] },
      [build('esp32', local)],
    ],
    [
      'It has no such build for ESP32.',
      { files: [file('app.bin', '0x10000', hashA)] },
      [{ ...build('esp32', local), guards: { psram: true } }],
    ],
  ])('is named: %s', (sentence, parts, builds) => {
    expect(versionDifference(version(parts), project, builds)).toBe(sentence);
  });
});
