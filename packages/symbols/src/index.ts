/**
 * Analyses crashes of microcontrollers. An ELF file turns addresses into functions, files and lines. Lines of a
 * console are searched for crashes and restarts of ESP, ARM Cortex-M and other chips. All work runs in the calling
 * thread, preferably a worker; no data leaves it. The package does not depend on documents, ports or the line store.
 */
export { blobSource } from './byte-source.ts';
export { base64Size } from './core/base64-line.ts';
export type { CoreDump } from './core/core-dump.ts';
export { CoreDumpError } from './core/core-failure.ts';
export { coreFileOf } from './core/core-file.ts';
export { beginsCoreDump, CORE_HEAD_SIZE } from './core/core-header.ts';
export {
  type CrashReport,
  crashReport,
  type ReportedFrame,
  type ReportedPlace,
  type ReportedTask,
  type ReportedVariable,
} from './core/crash-report.ts';
export { coreDumpBytes } from './core/dump-bytes.ts';
export { dumpMarks } from './core/dump-text.ts';
export { printedDump } from './core/printed-dump.ts';
export { readCoreDump } from './core/read-core-dump.ts';
export {
  causeHint,
  causeTitle,
  chipName,
  endText,
  factsOf,
  frameName,
  reportText,
  shortPlace,
  sourceText,
  stackShare,
  taskName,
  taskText,
  variablePlaceText,
} from './core/report-text.ts';
export { zephyrLineSize } from './core/zephyr-text.ts';
export type { Machine } from './elf/machine.ts';
/** @public */
export { elfHash, isSameBuild } from './elf-hash.ts';
export {
  type AddressRow,
  addressesOf,
  addressRows,
  functionText,
  incidentText,
  placeText,
  resetOf,
  rowText,
  rowTexts,
  titleOf,
} from './incident/crash-text.ts';
export { explainedLines, resetName } from './incident/explained-lines.ts';
export { type Incident, type IncidentLine, isCrash } from './incident/incident.ts';
export { IncidentBook } from './incident/incident-book.ts';
export { crashesOfLog, type LogCrash, lineOf } from './incident/log-crashes.ts';
export {
  type BuildMatch,
  type DecodeAnswer,
  type DecodedPlace,
  decodeIn,
  dumpVerdict,
  type FilesVerdict,
  isWrongFile,
  type NumberedFile,
  openProgramFile,
  type ProgramFile,
  type ReportAnswer,
  reportIn,
  verdictOf,
  verdictText,
} from './incident/program-files.ts';
export { DumpLines, isDumpEnd, isDumpStart } from './log-text/dump-lines.ts';
export { LinePrefix } from './log-text/line-prefix.ts';
export { registersIn } from './panic/fault-registers.ts';
/** @public */
export { type DecodedAddress, decodeAddresses } from './panic/lookup-address.ts';
/** @public */
export type { AddressRole, PanicAddress, PanicMark, PanicMarkKind, PanicSeverity } from './panic/panic-mark.ts';
export { PanicRecogniser } from './panic/panic-recogniser.ts';
/** @public */
export { panicsOfText } from './panic/panic-text.ts';
export { resetSentence } from './panic/reset-reasons.ts';
export { SymbolFileError } from './symbol-failure.ts';
export { type Frame, openSymbolFile, SymbolFile } from './symbol-file.ts';
export { readCrashProgram } from './unwind/crash-program.ts';
export { isGuess } from './unwind/stack-frame.ts';
