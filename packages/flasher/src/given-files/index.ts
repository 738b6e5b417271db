/** Files that a person gives: sets of them, what is known about them, and which of them are written. */
export { buildFolders, type ChosenFiles, type GivenFile, originOf } from './chosen-files.ts';
export { FileSets, type FilesOfFamily, type PlannableFiles } from './given-files.ts';
