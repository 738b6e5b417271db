/**
 * Distinguishes reasons of a failed `import()`. Code that did not arrive looks like code that the browser could not
 * run, but has another remedy.
 */

/**
 * Messages of Chromium, Firefox and Safari for a module that did not arrive, and of Vite for its style sheet. Only
 * the message distinguishes them: HTML's "fetch an import() module script" specifies a plain `TypeError`.
 */
const notFetched = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i;

/**
 * Returns true if the code of `import()` arrived but failed: a missing language feature or function of this browser,
 * or a bug.
 */
export function isRunFailure(error: unknown): boolean {
  return !(error instanceof Error && notFetched.test(error.message));
}

/** Message for a part of a page. */
export const runFailedText = 'This browser could not run this part of the page. Update the browser, then try again.';

const brands: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bVersion\/(\d+).*\bSafari\//, 'Safari'],
];

/** Returns name and version, such as `Chrome 92`. Null if the browser does not report them. */
export function browserName(agent: string = navigator.userAgent): string | null {
  for (const [pattern, name] of brands) {
    const [, version] = pattern.exec(agent) ?? [];
    if (version !== undefined) {
      return `${name} ${version}`;
    }
  }
  return null;
}
