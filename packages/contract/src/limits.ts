/** Limits that an operator may change, and share IDs that are fixed in the product. */

/** Default limits. `/config.json` has the limits of the running server. */
export const defaultReleaseLimits = {
  projects: 5,
  versions: 3,
  jkits: 5,
  /** Bytes of a version's ELF file. */
  elfSize: 64 * 1_024 * 1_024,
} as const;

/** Chip → share ID of the release of the product's own firmware for it. Fixed, in the form of `demoReleaseId`. */
export const probeReleaseIds = { esp32: 'CHSZpSaePY3Iq3BwSK1ccg', esp32c3: 'tTGS5mgIao3irC9d6GbS6A' } as const;

/** Share ID of the demo release that every embedded server creates at its start: 128 bits in base64url, fixed. */
export const demoReleaseId = 'ottltAqAKuQpVJjwwSQxWw';
