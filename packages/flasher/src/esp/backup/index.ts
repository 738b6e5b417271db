/** Backup sets of a board's partitions. */

export {
  BackupError,
  type BackupSet,
  backupRefusal,
  isOfOneBoard,
  readBackupSet,
  restoreChange,
  type SavedPart,
  writeBackupSet,
} from './backup-set.ts';
export {
  backUpBoard,
  backupOriginText,
  FLASH_PART,
  isChosenFirst,
  namedParts,
  type OpenedBackup,
  openBackup,
  ownRanges,
  placeFault,
  wholeFlashPart,
} from './board-backup.ts';
