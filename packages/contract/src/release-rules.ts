/**
 * Rules of firmware releases (docs/behaviour.md, "Releases"): limits, texts, and the comparison of names. Forms and the
 * server check with the same functions. The rules for the files are in `@wirebench/flasher/release`.
 */
import { buildLimits } from './build-rules.ts';

/** Lengths in UTF-16 code units, sizes in bytes. The limits of projects and versions are in `/config.json`. */
export const releaseLimits = {
  nameMaxLength: 80,
  versionMaxLength: 40,
  descriptionMaxLength: 5_000,
  files: buildLimits.filesAtOnce,
  fileSize: 16 * 1_024 * 1_024,
  fileNameMaxLength: 100,
  /** Size of the 32-bit flash address space. A file may end here at most. */
  addressSpace: 2 ** 32,
} as const;

export const releaseText = {
  signInRequired: 'Please sign in to view and manage projects',
  nameRequired: 'Project name is required',
  nameTaken: 'A project with this name already exists',
  modelRequired: 'Device model is required',
  versionRequired: 'Please enter a version number',
  descriptionRequired: 'Description is required',
  fileRequired: 'At least one firmware file with offset is required',
  versionTaken: (version: string) =>
    `Version "${version}" already exists in this project. Please use a unique version number.`,
  projectLimit: (limit: number) =>
    `You have reached the maximum limit of ${limit} projects. Please delete an existing project before creating a new one.`,
  versionLimit: (limit: number) =>
    `You have reached the maximum limit of ${limit} versions per project. Please delete an existing version before creating a new one.`,
  shareEnded: 'This link has expired. Ask whoever gave it to you for a new one.',
  shareEndPast: 'The expiry of a link must be in the future',
  notPublic: (type: 'project' | 'version') => `Make this ${type} public before sharing it.`,
} as const;

/**
 * Channels of a version, the default first. A project's link leads to its newest stable version, and with
 * `?channel=beta` to the newest of both.
 */
export const releaseChannels = ['stable', 'beta'] as const;
export type ReleaseChannel = (typeof releaseChannels)[number];

/** Line endings that a version can choose for the monitor: LF, CRLF, CR, none. */
export const lineEndings = ['lf', 'crlf', 'cr', 'none'] as const;

/** Range of baud rates that a version can choose for the monitor; both bounds are included. */
export const consoleBaudRates = { minimum: 50, maximum: 8_000_000 } as const;

/**
 * Returns the key that two project names or two version numbers are compared by: without surrounding white space and
 * without case.
 */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
