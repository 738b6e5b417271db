/** Rules for single files of the web app: access to the browser's hardware interfaces, and to the document. */
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

/** Finds sources of the worker that use `document` or `window`: a dedicated worker has neither. */
export function findDocumentAccess(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    const isWorker = path.startsWith('apps/web/src/worker/') && !isTest(path);
    const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
    return isWorker && /(?<![.\w])(document|window)\s*[.[]/.test(code)
      ? [{ path, problem: 'the worker has no document and no window' }]
      : [];
  });
}
