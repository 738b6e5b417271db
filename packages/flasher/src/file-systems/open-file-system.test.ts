import { describe, expect, it } from 'vitest';
import { buildLittleFs, formatLittleFs } from './littlefs/little-fs.ts';
import { openFileSystem } from './open-file-system.ts';
import { formatSpiffs } from './spiffs/spiffs.ts';

describe('openFileSystem', () => {
  it('recognises the file system by its contents', () => {
    expect(openFileSystem(formatLittleFs(65_536)).kind).toBe('littlefs');
    expect(openFileSystem(formatSpiffs(65_536)).kind).toBe('spiffs');
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
