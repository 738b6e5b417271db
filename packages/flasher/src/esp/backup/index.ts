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
