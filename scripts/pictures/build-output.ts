/** A build for the demo boards, as files dropped on a page: bootloader, partition table and application. */
import { espFirmwareSet } from '@wirebench/devices';
import { espFirmware } from '../firmware/esp-firmware.ts';

interface BuildFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Bytes of the application. Large enough that writing takes some seconds. */
const size = 280_000;

const files = espFirmware('esp32', { project: 'weather-node', version: '1.4.0', size });

/** The demo board's own table, so that its data stays where it is. */
const table = espFirmwareSet({ chip: 'esp32', project: 'demo', version: '1', text: '' }).find(
  ({ name }) => name === 'partition-table.bin',
);

export const buildOutput: BuildFile[] = files.map(({ name, bytes }) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: table?.name === name ? Buffer.from(table.data) : bytes,
}));

/** Addresses of the files in flash, in bytes. */
export const buildOffsets: readonly number[] = files.map(({ offset }) => offset);
