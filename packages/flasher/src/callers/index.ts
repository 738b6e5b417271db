/** Parts that all programs share that flash through the interface `Family`: its code, words of a plan, its console. */
export { backupFileName, backupSetName, boardFileName, fileTimeText, isOneOfMany } from './backup-name.ts';
export { type ConsoleLines, consoleLines } from './console-lines.ts';
export { boardFactsOf, familiesOf, loadFamily, remedyOf } from './load-family.ts';
export {
  erasedAllText,
  erasedFlash,
  eraseText,
  figures,
  phaseText,
  planText,
  releaseText,
  resultText,
  titleOf,
  type WrittenWork,
  wholeFlashText,
} from './plan-words.ts';
export { hasAddresses, namedAreas, type PlannedFile, plannedFiles } from './planned-parts.ts';
export { shellText } from './shell-words.ts';
