/**
 * Distinguishes reasons of a failed `import()`. Code that did not arrive looks like code that the browser could not
 * run, but has another remedy.
 */

/**
 * Messages of Chromium, Firefox and Safari for a module that did not arrive, and of Vite for its style sheet. Only
 * the words differ: HTML's "fetch an import() module script" gives a `TypeError` without more.
 */
const notFetched = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i;

/** True when the code of `import()` came and failed: a word of the language or a function that this browser lacks, or a fault of ours. */
export function isRunFailure(error: unknown): boolean {
  return !(error instanceof Error && notFetched.test(error.message));
}

/** For a part of a page. */
export const runFailedText = 'This browser could not run this part of the page. Update the browser, then try again.';

const brands: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bVersion\/(\d+).*\bSafari\//, 'Safari'],
];

/** Name and version, such as `Chrome 92`; null for a browser that does not say. */
export function browserName(agent: string = navigator.userAgent): string | null {
  for (const [pattern, name] of brands) {
    const [, version] = pattern.exec(agent) ?? [];
    if (version !== undefined) {
      return `${name} ${version}`;
    }
  }
  return null;
}
