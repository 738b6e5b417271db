/**
 * What the name of a file says: the names that ESP-IDF, PlatformIO and Arduino give to what they build. Contents win over
 * names; names help where contents say nothing.
 */

/** What a file is, going by its name alone. */
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

/** What a build writes beside the files that are flashed. */
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

export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** Null when the name says nothing. */
export function roleByName(path: string): NamedRole | null {
  const name = baseName(path).toLowerCase();
  return roles.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** Why a file with this name is not flashed; null when it may be. */
export function besidesReason(path: string): string | null {
  const name = baseName(path).toLowerCase();
  return besides.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The address that a name gives, as `app-0x10000.bin` does; null when it gives none. */
export function offsetByName(path: string): number | null {
  const found = /(?:^|[^\da-z])0x([\da-f]{1,8})(?=[^\da-z]|$)/i.exec(baseName(path));
  return found?.[1] === undefined ? null : Number.parseInt(found[1], 16);
}
