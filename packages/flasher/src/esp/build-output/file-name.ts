/** Interprets file names by the conventions of ESP-IDF, PlatformIO and Arduino. Contents take precedence over names. */
import { baseName } from '../../core/base-name.ts';

/** Kind of a file, judged by its name alone. */
export type NamedRole = 'bootloader' | 'partition-table' | 'app' | 'ota-data' | 'file-system' | 'nvs' | 'merged';

const roles: readonly (readonly [NamedRole, RegExp])[] = [
  ['merged', /merged|factory[-_.]?(image|full)|full[-_]?flash/],
  ['bootloader', /bootloader/],
  ['partition-table', /partition[-_]?table|partitions(?=[.\-_]|$)/],
  ['ota-data', /ota_data|otadata|boot_app0/],
  ['nvs', /(^|[^a-z])nvs([^a-z]|$)/],
  ['file-system', /littlefs|spiffs|fatfs|(^|[^a-z])(ffat|storage|www)([^a-z]|$)/],
  ['app', /^firmware\.bin$|\.ino\.bin$/],
];

/** Files that a build writes beside those that are flashed, with the reason against flashing them. */
const besides: readonly (readonly [RegExp, string])[] = [
  [/\.elf$/, 'The ELF file is for looking up crash addresses; the .bin of the same name is flashed.'],
  [/\.map$/, 'Linker maps are not flashed.'],
  [/partition.*\.csv$/, 'The build turns it into partition-table.bin or partitions.bin: choose that.'],
  [/\.(txt|md)$/, 'Text files are not flashed. If it belongs on a partition of its own, rename it to end in .bin.'],
  [
    /\.(json|csv|ya?ml|log|lock|cmake|ninja|h|hpp|c|cpp|cc|s|o|obj|a|d|py|ino|ld|lf|in|ini|html)$|^(makefile|sdkconfig|\..+)$/,
    'Not flashed.',
  ],
];

/** Returns null for a name without a known pattern. */
export function roleByName(path: string): NamedRole | null {
  const name = baseName(path).toLowerCase();
  return roles.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** Returns the reason against flashing a file with this name; null if it may be flashed. */
export function besidesReason(path: string): string | null {
  const name = baseName(path).toLowerCase();
  return besides.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
