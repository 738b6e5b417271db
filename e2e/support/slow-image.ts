/**
 * Makes the image of an ELF file as `elf2image` and `objcopy` do, but slowly: in pieces, with pauses of random length. A
 * build runs it as a program of its own, so that it can be killed in the middle of the file. The whole image is kept first,
 * named by its SHA-256, because a build that is killed after the last piece leaves a whole image, too.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { random } from '@wirebench/test-input';

const [, , elf = '', image = '', version = '', longest = '0', wholeImages = ''] = process.argv;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function imageOfEsp(): Promise<Buffer> {
  // Loading it takes longer than the rest of a build of a sketch.
  const { espImage } = await import('../../scripts/firmware/esp-firmware.ts');
  const size = 24_000 + Number(version.split('.').at(-1));
  return espImage('esp32', { project: 'weather-node', version, size, elfHash: sha256(await readFile(elf)) });
}

function imageOfAvr(): Promise<Buffer> {
  // Outside of the folder that the page watches.
  const hex = `${wholeImages}.hex`;
  execFileSync('avr-objcopy', ['-O', 'ihex', elf, hex]);
  return readFile(hex);
}

const bytes = image.endsWith('.hex') ? await imageOfAvr() : await imageOfEsp();
await writeFile(`${wholeImages}/${sha256(bytes)}`, bytes);
const { next, below } = random(`image ${version}`);
const file = await open(image, 'w');
for (let at = 0; at < bytes.length; ) {
  const length = 1 + below(9_000);
  await file.write(bytes.subarray(at, at + length));
  at += length;
  await pause(next() * Number(longest));
}
await file.close();
