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
export { zephyrLineSize, zephyrMarks } from './core/zephyr-text.ts';
export type { Machine } from './elf/machine.ts';
export { elfHash, isSameBuild } from './elf-hash.ts';
export { fileText } from './log-text/file-text.ts';
export { LinePrefix } from './log-text/line-prefix.ts';
export { registersIn } from './panic/fault-registers.ts';
export { type DecodedAddress, decodeAddresses } from './panic/lookup-address.ts';
export type { AddressRole, PanicAddress, PanicMark, PanicMarkKind, PanicSeverity } from './panic/panic-mark.ts';
export { PanicRecogniser } from './panic/panic-recogniser.ts';
export { panicsOfText } from './panic/panic-text.ts';
export { starvedTasks, starvedTitle } from './panic/task-watchdog.ts';
export { SymbolFileError } from './symbol-failure.ts';
export { type Frame, openSymbolFile, SymbolFile } from './symbol-file.ts';
export { readCrashProgram } from './unwind/crash-program.ts';
export { type FrameSource, isGuess, type StackEnd } from './unwind/stack-frame.ts';
