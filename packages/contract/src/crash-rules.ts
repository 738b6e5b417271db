/**
 * Limits and texts of the crashes that people send to a version's publisher, and of its ELF file. Both sides use
 * them.
 */

/** Lengths in UTF-16 code units, sizes in bytes. */
export const crashLimits = {
  causeMaxLength: 200,
  detailsMaxLength: 2_000,
  nameMaxLength: 200,
  tasks: 32,
  /** Stack frames of one task. Outermost frames beyond this are left out. */
  frames: 48,
  /** Inlined calls of one stack frame, including the function around them. */
  places: 6,
  /** Length of all tasks together, as JSON. */
  tasksLength: 32 * 1_024,
  /** Bytes of a core dump that is sent along. */
  memory: 128 * 1_024,
  /**
   * Different crashes that a version keeps. A new one replaces the rarest; of equally rare ones, the least recently
   * seen.
   */
  groups: 100,
  /** Newest reports of each crash that are kept in full. The others are only counted. */
  examples: 3,
  /** Newest examples of a version that keep their core dump. */
  memories: 20,
  /** Days after which a crash is deleted if it is not seen again. */
  days: 180,
  /** Chips that a crash counts separately. Further ones are counted together as `other`. */
  chips: 8,
  pageSize: 20,
} as const;

/** Texts for files that cannot be the ELF file of a version. */
export const elfText = {
  notElf: (name: string) => `"${name}" is not the ELF file of a program. Choose the .elf file that the build wrote.`,
  coreFile: (name: string) => `"${name}" is a core dump. Choose the .elf file that the build wrote.`,
  notForDevice: (name: string, machine: string) => `"${name}" is a program for ${machine}, and this project is not.`,
  avr: (name: string) => `"${name}" is a program for an AVR, whose crashes cannot be decoded. Leave the ELF file out.`,
  tooLarge: (name: string, bytes: number) => `"${name}" is larger than ${Math.floor(bytes / 1_024 / 1_024)} MB`,
  one: 'A version can have one ELF file',
  missing: 'The form has no ELF file in it',
} as const;
