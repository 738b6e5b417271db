/** Limits that an operator may change, and the one share ID that is known beforehand. */

/** The usual limits; `/config.json` says which ones a server really has. */
export const defaultReleaseLimits = { projects: 5, versions: 3, jkits: 5 } as const;

/** Share id of the demo release that every embedded start contains: 128 bits in base64url, fixed. */
export const demoReleaseId = 'ottltAqAKuQpVJjwwSQxWw';
