/** File systems in partitions: LittleFS, SPIFFS and FAT, read and changed in memory. Needs no port and no time. */
export {
  addEdits,
  applyEdits,
  type EditedEntry,
  type EditedFileSystem,
  type FileChange,
  type FileEdit,
} from './edits.ts';
export { buildFat, FatFs, type FatOptions, formatFat } from './fat/fat-fs.ts';
export type { EntryFault, FileEntry, FileSystem, FileSystemKind, FileSystemUsage, NewFile } from './file-system.ts';
export { FileSystemError, type FileSystemFault, fileSystemFaultText } from './file-system-error.ts';
export type { FileSystemFinding, FileSystemFindingCode } from './findings.ts';
export { buildLittleFs, formatLittleFs, LittleFs, type LittleFsOptions } from './littlefs/little-fs.ts';
export { buildImage, formatImage, openFileSystem } from './open-file-system.ts';
export { buildSpiffs, formatSpiffs, Spiffs, type SpiffsOptions } from './spiffs/spiffs.ts';
