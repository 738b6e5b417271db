/**
 * The edition that this build is: with a Wirebench server behind it, or static files on any web host
 * (docs/decisions/0058). A constant of the build, so that what is not drawn is not in the files either.
 */

/** Set by the build. Missing in tests and while developing, where there is a server. */
declare const STATIC_EDITION: boolean | undefined;

/**
 * False in the static edition, which lacks everything that a server does: accounts, hosted releases, the JKit library
 * and links to its JKits, feedback, reports, shared benches, sending crashes, and the admin pages.
 */
export const hasServer: boolean = typeof STATIC_EDITION === 'undefined' || !STATIC_EDITION;
