/** What a page says to a service worker that waits: its person has asked for the newer version. */
export const takeOverMessage = 'take-over';
