/**
 * What makes two crashes the same: the cause, and the functions that tell the crash apart (`CrashReport.fingerprint`). Addresses and lines have
 * no part in it, because they change with each build; only where no function is known, the addresses themselves do, which are equal for
 * the same build.
 */
import type { CrashReport } from '@wirebench/symbols';
import { textHash } from '../../../../../workbench/crash/content-hash.ts';

/** Frames that are looked at where no function is known: deeper ones are the same for many crashes. */
const FRAMES = 5;

/** 16 hexadecimal digits. */
export function crashFingerprint({ exception, fingerprint, panicDetails, tasks }: CrashReport): string {
  const [said = ''] = (panicDetails ?? '').split('\n');
  const what = panicDetails === null ? (exception?.name ?? `exception ${exception?.number ?? 'unknown'}`) : said.trim();
  if (fingerprint !== null) {
    return textHash(`${what.replaceAll(/0x[\da-f]+|\b\d+\b/gi, '#')}\n${fingerprint}`);
  }
  const frames = tasks.find(({ crashed }) => crashed)?.frames ?? [];
  return textHash([what, ...frames.slice(0, FRAMES).map(({ pc }) => pc.toString(16))].join('\n'));
}
