/**
 * Identifies equal crashes by their cause and the functions of `CrashReport.fingerprint`. Addresses and lines are
 * excluded, because they change with each build. Without known functions, addresses are used: they are equal only for
 * the same build.
 */
import type { CrashReport } from '@wirebench/symbols';
import { textHash } from '../../../../../shared/files/content-hash.ts';

/** Number of frames used if no function is known. Deeper frames are the same for many crashes. */
const FRAMES = 5;

/** Returns the fingerprint as 16 hexadecimal digits. */
export function crashFingerprint({ exception, fingerprint, panicDetails, tasks }: CrashReport): string {
  const [said = ''] = (panicDetails ?? '').split('\n');
  const what = panicDetails === null ? (exception?.name ?? `exception ${exception?.number ?? 'unknown'}`) : said.trim();
  if (fingerprint !== null) {
    return textHash(`${what.replaceAll(/0x[\da-f]+|\b\d+\b/gi, '#')}\n${fingerprint}`);
  }
  const frames = tasks.find(({ crashed }) => crashed)?.frames ?? [];
  return textHash([what, ...frames.slice(0, FRAMES).map(({ pc }) => pc.toString(16))].join('\n'));
}
