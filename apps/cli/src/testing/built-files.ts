/** Builds on disk for tests of commands that write a board. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, buildBootloader, buildTable, chipIds, factoryLayout } from '@wirebench/flasher/testing';
import { afterAll } from 'vitest';

/** @property offset Null: a file that is not flashed. */
interface BuiltFile {
  readonly name: string;
  readonly offset: number | null;
  readonly data: Uint8Array;
}

/** A temporary folder that is removed after the tests of a file. */
export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'wirebench-test-'));

  constructor() {
    afterAll(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** Writes a file and returns its path. */
  saved(name: string, bytes: Uint8Array | string): string {
    const path = join(this.path, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** Writes the output folder of a build, and returns it with the files that are flashed. */
  espBuild(name: string, files: readonly BuiltFile[] = espFiles('esp32'), chip = 'esp32') {
    const path = join(this.path, name);
    mkdirSync(path, { recursive: true });
    for (const file of files) {
      writeFileSync(join(path, file.name), file.data);
    }
    const flashed = files.flatMap(({ name: file, offset, data }) => (offset === null ? [] : [{ file, offset, data }]));
    const list = Object.fromEntries(flashed.map(({ file, offset }) => [`0x${offset.toString(16)}`, file]));
    writeFileSync(join(path, 'flasher_args.json'), JSON.stringify({ flash_files: list, extra_esptool_args: { chip } }));
    return { path, flashed };
  }
}

/** Files of an ESP-IDF build, which real boards take too: those of the simulated boards are for these alone. */
export function espFiles(chip: 'esp32' | 'esp32c3') {
  const own = { chipId: chipIds[chip] };
  return [
    { name: 'bootloader.bin', offset: chip === 'esp32' ? 0x1000 : 0, data: buildBootloader({ ...own, size: 12_000 }) },
    { name: 'partition-table.bin', offset: 0x8000, data: buildTable(factoryLayout) },
    { name: 'lamp.bin', offset: 0x10000, data: buildApp({ ...own, project: 'lamp', size: 20_000 }) },
  ];
}
