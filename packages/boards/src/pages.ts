/** Folder of the host that holds the pages, and the page of releases. */

/** Set by the build of the web app; missing in Node. */
declare const BASE_PATH: string | undefined;

/**
 * Folder of the host that holds the pages, such as `/tools`: without a slash at its end, so that paths can follow. Empty
 * for a server and for a static edition at the root of its host.
 */
export const basePath = typeof BASE_PATH === 'string' ? BASE_PATH : '';

/** Page of releases, a document of its own. */
export const releasePage = `${basePath}/release.html`;
