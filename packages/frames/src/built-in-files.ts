/** Names of the files of the ready decoders by their SHA-256 in hex digits. They need not be given to a decoder. */
export const builtInFiles: ReadonlyMap<string, string> = new Map([
  ['0616e56cd8ffbc585e673adf7e522a41711f394e27483533048b9d09c2bf5bfb', 'common.xml'],
  ['5d20fdeb994d695069bf3ec5bad3d547c5494e344a7890c4e5e7cfe752e325b9', 'standard.xml'],
  ['b779a73a558059c71d1943a81486c00eb4a63d813c5fbd87bd523f203bfa08d2', 'minimal.xml'],
]);
