/**
 * Fetches the app for the document of a flasher. A file of its own, so that the start of that document does not name the
 * app's files. The app stays in the file of its own document: split off, it costs every page a few hundred bytes.
 */
export const loadApp = () => import('./main.tsx');
