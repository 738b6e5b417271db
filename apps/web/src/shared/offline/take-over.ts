/** Message of a page to a waiting service worker: the user has asked for the newer version. */
export const takeOverMessage = 'take-over';
