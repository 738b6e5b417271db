/** A simulated ESP32 with files in a partition of its flash. */
import type { EspDevice } from '@wirebench/devices';
import { buildImage, type FileSystemKind, openFileSystem } from '@wirebench/flasher/file-systems';
import { buildTable } from '@wirebench/flasher/testing';
import { randomBytes } from '@wirebench/test-input';
import { esp32 } from './served-board.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Contents of a file, the same on each board. */
const log = randomBytes(9_000);

/** Place of the file system. */
const filesPlace = { offset: 0x110000, size: 0x40000 };

/** A board with a file system of a kind in its flash. */
export function boardWith(
  kind: FileSystemKind | 'erased',
  seed: number,
  options: Parameters<typeof esp32>[0] = {},
): EspDevice {
  const table = buildTable([
    { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x6000 },
    { name: 'storage', type: 1, subtype: kind === 'fat' ? 0x81 : 0x82, ...filesPlace },
  ]);
  const stored = [
    { path: '/config.json', bytes: bytesOf('{"a":1}') },
    { path: '/www/index.html', bytes: bytesOf('<p>hello</p>') },
    { path: '/www/log.bin', bytes: log },
  ];
  const content = [
    { offset: 0x8000, data: table },
    ...(kind === 'erased' ? [] : [{ offset: filesPlace.offset, data: buildImage(kind, filesPlace.size, stored) }]),
  ];
  return esp32({ seed, flash: { content }, ...options });
}

/** Opens the file system of a board. */
export const fileSystemOn = (device: EspDevice) =>
  openFileSystem(device.flash.read(filesPlace.offset, filesPlace.size).slice());
