/**
 * Rules of the builds of a version (docs/behaviour.md, "Releases"): limits, connections, file formats. A separate entry
 * without a schema library, because the first screen of the web app loads `constants.ts`.
 */

export const buildLimits = {
  /** Default of the builds of a version (`LIMIT_BUILDS`). `/config.json` has the limit of the running server. */
  builds: 8,
  /** Files of one build, wherever it is chosen, stored, published or opened. */
  files: 16,
  /** Files that a person adds one by one. A build counts as one of them. */
  filesAtOnce: 4,
} as const;

/** Connections that a build can be for: the chip's own USB, or a UART such as that of a USB adapter. */
export const buildConnections = ['usb', 'uart'] as const;
export type BuildConnection = (typeof buildConnections)[number];

/**
 * Ends of the names of files that a build may have. The formats beside `.bin` have their own addresses, so they need no
 * offset.
 */
export const firmwareEndings = {
  bin: ['.bin'],
  hex: ['.hex', '.ihex', '.ihx'],
  /** Intel HEX with the EEPROM of an AVR. */
  eep: ['.eep'],
  srec: ['.srec', '.s19', '.s28', '.s37', '.mot'],
  uf2: ['.uf2'],
  elf: ['.elf', '.axf'],
  dfu: ['.dfu'],
  zip: ['.zip'],
} as const;

type FirmwareFormat = keyof typeof firmwareEndings;

/** Returns the format that a file's name states; null for a name that no build may have. */
export function firmwareFormatOf(fileName: string): FirmwareFormat | null {
  const name = fileName.toLowerCase();
  const formats = Object.keys(firmwareEndings) as FirmwareFormat[];
  return formats.find((format) => firmwareEndings[format].some((ending) => name.endsWith(ending))) ?? null;
}
