/** A rule for single files: only `hardware` may use the browser's hardware interfaces. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** Finds web sources outside of `hardware` that use `navigator.serial` or `navigator.usb`. */
export function findHardwareAccess(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const elsewhere = path.startsWith('apps/web/src/') && !path.startsWith('apps/web/src/hardware/') && !isTest(path);
    return elsewhere && /\bnavigator\s*\.\s*(serial|usb)\b/.test(text)
      ? [{ path, problem: 'only hardware touches navigator.serial and navigator.usb' }]
      : [];
  });
}
