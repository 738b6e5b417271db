/** Texts of taking a version from a manifest on the web. */

export const pullLimits = { addressMaxLength: 2_000 } as const;

export const pullText = {
  addressRequired: 'manifest must be the address of a manifest, such as https://firmware.example/manifest.json',
  addressMissing: 'Please enter the address of a manifest',
  failed: 'The version could not be taken from this address.',
  tooSlow: (seconds: number) => `The manifest and its files did not arrive within ${seconds} seconds.`,
  oneAtATime: 'You are taking another version right now. Please wait until it is there.',
  demo: 'A demo release is for demo boards only.',
  noVersion: (version: string) => `The manifest has no version "${version}".`,
  unnamed: 'This manifest states no version. Name it with version.',
  longNumber: 'The number of this version is longer than a version number may be.',
  tooManyBuilds: (limit: number) => `The manifest has more builds than a version can have here: ${limit}.`,
  tooManyFiles: (build: string, limit: number) =>
    `The build for ${build} has more files than a build can have: ${limit}.`,
  tooLarge: (megabytes: number) => `The files of this version are larger than ${megabytes} MB together.`,
  left: 'The request ended before the version was taken.',
  notPulled: (version: string) =>
    `Version "${version}" already exists in this project, and was not taken from a manifest.`,
  changed: (version: string, fileName: string) =>
    `"${fileName}" of version "${version}" is not the file that was taken before: its SHA-256 differs. Ask the publisher, who should give changed files a new version.`,
  /** @param faults Sentences about the builds that could not be taken. */
  description: (name: string, host: string, faults: readonly string[]) =>
    [`Taken from ${name} at ${host}.`, ...(faults.length === 0 ? [] : ['Left out:', ...faults])].join(' '),
} as const;
