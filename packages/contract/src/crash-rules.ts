/** Rules of the crashes that people send to the publisher of a version, and of its ELF file: limits and texts, for both sides. */

/** Lengths in UTF-16 code units, sizes in bytes. */
export const crashLimits = {
  causeMaxLength: 200,
  detailsMaxLength: 2_000,
  nameMaxLength: 200,
  tasks: 32,
  /** Of one task; the outermost ones are left out. */
  frames: 48,
  /** Inlined calls of one frame, with the function around them. */
  places: 6,
  /** Of all tasks together, as JSON. */
  tasksLength: 32 * 1_024,
  /** Of a core dump that goes along. */
  memory: 128 * 1_024,
  /** Different crashes that a version keeps. For one more, the rarest goes, and of those the one that was seen last. */
  groups: 100,
  /** The newest ones of each crash are kept whole; the others are counted. */
  examples: 3,
  /** Examples of a version that keep their core dump: the newest ones. */
  memories: 20,
  /** Days after which a crash that was not seen again is forgotten. */
  days: 180,
  /** Different chips that a crash counts apart. */
  chips: 8,
  pageSize: 20,
} as const;

/** An ELF file's own first bytes, and what a version can take of such a file. */
export const elfText = {
  notElf: (name: string) => `"${name}" is not the ELF file of a program. Choose the .elf file that the build wrote.`,
  coreFile: (name: string) => `"${name}" is a core dump. Choose the .elf file that the build wrote.`,
  notForDevice: (name: string, machine: string) => `"${name}" is a program for ${machine}, and this project is not.`,
  tooLarge: (name: string, bytes: number) => `"${name}" is larger than ${Math.floor(bytes / 1_024 / 1_024)} MB`,
  one: 'A version can have one ELF file',
  missing: 'The form has no ELF file in it',
} as const;
