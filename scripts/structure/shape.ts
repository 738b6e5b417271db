/** A rule about single files: which may touch the hardware interfaces of the browser. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** Web sources outside of `hardware` that reach for `navigator.serial` or `navigator.usb`. */
export function findHardwareAccess(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const elsewhere = path.startsWith('apps/web/src/') && !path.startsWith('apps/web/src/hardware/') && !isTest(path);
    return elsewhere && /\bnavigator\s*\.\s*(serial|usb)\b/.test(text)
      ? [{ path, problem: 'only hardware touches navigator.serial and navigator.usb' }]
      : [];
  });
}
