/** A zip of firmware files with the `manifest.json` that describes them. */
import { zipSync } from 'fflate';

/** Fixed modification time, so that equal files give equal bytes. */
const fixedTime = '2026-01-01T12:00:00';

/**
 * Creates the zip.
 * @param manifest Content of `manifest.json`.
 * @param files Further files by name.
 */
export function dfuZip(manifest: unknown, files: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(manifest, null, 4));
  return zipSync({ ...files, 'manifest.json': text }, { mtime: fixedTime, level: 6 });
}
