import { EspDevice } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { buildLittleFs, formatLittleFs } from './littlefs/little-fs.ts';
import { openFileSystem } from './open-file-system.ts';
import { formatSpiffs } from './spiffs/spiffs.ts';

describe('openFileSystem', () => {
  it('recognises the file system by its contents', () => {
    expect(openFileSystem(formatLittleFs(65_536)).kind).toBe('littlefs');
    expect(openFileSystem(formatSpiffs(65_536)).kind).toBe('spiffs');
  });

  it('reads and changes the files of the demo board, whose image other code writes', () => {
    const { flash } = new EspDevice({ chip: 'esp32', flash: { content: 'demo' } });
    const fileSystem = openFileSystem(flash.read(0x11_0000, 0x2_0000));
    expect([fileSystem.title, fileSystem.findings]).toEqual(['LittleFS 2.1, 32 blocks of 4,096 bytes', []]);
    const files = fileSystem.list().filter(({ kind }) => kind === 'file');
    const contents = files.map(({ path }) => fileSystem.read(path));
    expect(files.map(({ size }) => size)).toEqual(contents.map(({ length }) => length));
    fileSystem.write('/log/readings.csv', new TextEncoder().encode('empty'));
    const again = openFileSystem(fileSystem.image);
    expect(
      files.filter(({ path }, index) => Buffer.compare(again.read(path), contents[index] ?? new Uint8Array())),
    ).toEqual(files.filter(({ path }) => path === '/log/readings.csv'));
  });

  it.each([
    ['erased', new Uint8Array(65_536).fill(0xff), 'No LittleFS, no SPIFFS and no FAT was found here.'],
    ['a damaged LittleFS', damagedLittleFs(), 'This is a LittleFS, but its superblock is damaged.'],
  ])('states why it cannot be opened: %s', (_, image, message) => {
    expect(() => openFileSystem(image)).toThrow(message);
  });
});

function damagedLittleFs(): Uint8Array {
  const image = buildLittleFs(65_536, []);
  image.fill(0, 16, 40);
  image.fill(0, 4_112, 4_136);
  return image;
}
