/** A zip of firmware files with the `manifest.json` that says what they are. */
import { zipSync } from 'fflate';

/** The same files give the same bytes. */
const fixedTime = '2026-01-01T12:00:00';

/** @param manifest what is in `manifest.json` */
export function dfuZip(manifest: unknown, files: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(manifest, null, 4));
  return zipSync({ ...files, 'manifest.json': text }, { mtime: fixedTime, level: 6 });
}
