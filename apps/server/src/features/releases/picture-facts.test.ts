import { describe, expect, it } from 'vitest';
import { avifFile, jpegFile, pngFile, webpFile } from '../../testing/pictures.ts';
import { pictureFacts } from './picture-facts.ts';

const size = { width: 2_000, height: 1_500 };

const pictures: readonly (readonly [name: string, type: string, bytes: Buffer])[] = [
  ['PNG', 'image/png', pngFile(size)],
  ['JPEG', 'image/jpeg', jpegFile(size)],
  ['progressive JPEG', 'image/jpeg', jpegFile(size, 0xc2)],
  ['lossy WebP', 'image/webp', webpFile('lossy', size)],
  ['lossless WebP', 'image/webp', webpFile('lossless', size)],
  ['extended WebP', 'image/webp', webpFile('extended', size)],
  ['AVIF', 'image/avif', avifFile(size)],
];

describe('facts of a picture', () => {
  it.each(pictures)('are read from the bytes: %s', (_name, type, bytes) => {
    expect(pictureFacts(bytes)).toEqual({ type, ...size });
  });

  it.each(pictures)('are refused for each part of a file: %s', (_name, _type, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect([length, typeof pictureFacts(bytes.subarray(0, length))]).toEqual([length, 'string']);
    }
  });

  it.each([
    ['a vector graphic', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(80))],
    ['a GIF', Buffer.from('GIF89a'.padEnd(80, '\0'))],
    ['a movie in the container of AVIF', avifFile(size, 'isom')],
    ['a sound in the container of WebP', Buffer.from('RIFF\x20\0\0\0WAVEfmt '.padEnd(60, '\0'))],
    ['no bytes', Buffer.alloc(0)],
  ])('are unknown for %s', (_name, bytes) => {
    expect(pictureFacts(bytes)).toBe('unknown');
  });

  it('are refused for moving pictures', () => {
    expect(pictureFacts(pngFile(size, 'pixels', ['acTL']))).toBe('moving');
    expect(pictureFacts(webpFile('extended', size, { moving: true }))).toBe('moving');
    expect(pictureFacts(avifFile(size, 'avis'))).toBe('moving');
  });

  it('are refused for structures that are damaged', () => {
    const looped = avifFile(size);
    looped.writeUInt32BE(4, 0);
    expect(pictureFacts(looped)).toBe('damaged');
    expect(pictureFacts(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(40)]))).toBe('damaged');
    expect(pictureFacts(Buffer.concat([Buffer.from('RIFF\x08\0\0\0WEBP', 'latin1'), Buffer.alloc(20)]))).toBe(
      'damaged',
    );
  });
});
