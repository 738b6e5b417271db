/** File systems in partitions: LittleFS, SPIFFS and FAT, read and changed in memory. Needs no port and no time. */
export {
  addEdits,
  applyEdits,
  type EditedEntry,
  type EditedFileSystem,
  type FileChange,
  type FileEdit,
} from './edits.ts';
export {
  type FileSystem,
  type FileSystemKind,
  type FileSystemUsage,
  fileSystemNames,
  isSystemFile,
  type NewFile,
} from './file-system.ts';
export { FileSystemError, fileSystemFaultText } from './file-system-error.ts';
export { buildImage, openFileSystem } from './open-file-system.ts';
export { fileSystemText, planFiles } from './planned-files.ts';
