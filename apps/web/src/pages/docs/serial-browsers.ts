/** Browsers with Web Serial, oldest versions first seen to have it (Chrome 89 and Firefox 151 release notes). The specified sentence for browsers without it names the first two. */
export const serialBrowsers = 'Chrome or Edge, version 89 or later, or Firefox, version 151 or later';
