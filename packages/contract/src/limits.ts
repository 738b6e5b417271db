/** Limits that an operator may change, and the share IDs that are known beforehand. */

/** The usual limits; `/config.json` says which ones a server really has. */
export const defaultReleaseLimits = {
  projects: 5,
  versions: 3,
  jkits: 5,
  /** Bytes of the ELF file of a version. */
  elfSize: 64 * 1_024 * 1_024,
} as const;

/** Share ids of the releases of the product's own firmware by chip, made as the one of the demo release. */
export const probeReleaseIds = { esp32: 'CHSZpSaePY3Iq3BwSK1ccg', esp32c3: 'tTGS5mgIao3irC9d6GbS6A' } as const;

/** Share id of the demo release that every embedded start contains: 128 bits in base64url, fixed. */
export const demoReleaseId = 'ottltAqAKuQpVJjwwSQxWw';
