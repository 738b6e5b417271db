/**
 * What makes two crashes the same: the cause, and the crashed task's innermost frames that are the application's own, by the names of
 * their functions. Addresses and lines have no part in it, because they change with each build; only where no function is known, the
 * addresses themselves do, which are equal for the same build.
 */
import type { CrashReport, Frame } from '@wirebench/symbols';
import { textHash } from '../../../../../workbench/crash/content-hash.ts';

/** Frames that are looked at: deeper ones are the same for many crashes. */
const FRAMES = 5;

/** Sources of ESP-IDF, Arduino and the compiler's libraries: every crash goes through them. */
const foreign =
  /(?:^|[\\/])(?:esp-idf|framework-espidf|arduino-esp32|framework-arduinoespressif32|newlib|libgcc|freertos|esp_system|esp_rom)[\\/]/i;
/** Functions of those, where no file is known. */
const foreignName = /^(?:_*(?:assert|abort|panic|esp_|xt_|rv_)|vPort|xPort|vTask|xTask|xQueue|prv|0x)/i;

const isOwn = ({ name, file }: Frame): boolean =>
  name !== undefined && (file === undefined ? !foreignName.test(name) : !foreign.test(file));

/** 16 hexadecimal digits. */
export function crashFingerprint(report: CrashReport): string {
  const frames = report.tasks.find(({ crashed }) => crashed)?.frames ?? [];
  const named = frames.flatMap(({ places }) => places.filter(({ name }) => name !== undefined));
  const own = named.filter(isOwn);
  const { exception, panicDetails } = report;
  const [said = ''] = (panicDetails ?? '').split('\n');
  const what = panicDetails === null ? (exception?.name ?? `exception ${exception?.number ?? 'unknown'}`) : said.trim();
  const where =
    named.length === 0
      ? frames.slice(0, FRAMES).map(({ pc }) => pc.toString(16))
      : (own.length > 0 ? own : named).slice(0, FRAMES).map(({ name }) => name);
  const cause = named.length === 0 ? what : what.replaceAll(/0x[\da-f]+|\b\d+\b/gi, '#');
  return textHash([cause, ...where].join('\n'));
}
