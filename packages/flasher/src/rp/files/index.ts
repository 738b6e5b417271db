export {
  checkRpProgram,
  partitionFor,
  type RpProgramFinding,
  type RpProgramRefusal,
  type RpProgramWarning,
  rpProgramRefusalText,
  rpProgramWarningText,
} from './check-rp-program.ts';
export { forecastRp2040Drive, forecastRp2350Drive } from './drive-forecast.ts';
export { inspectRpFile, type RpFileInfo, type RpProgramInfo } from './inspect-rp-file.ts';
export { readRpFirmware } from './read-rp-firmware.ts';
export type {
  RpBoardFacts,
  RpChip,
  RpCpu,
  RpDriveForecast,
  RpDriveLoss,
  RpField,
  RpFirmware,
  RpFlashUser,
  RpInfoSection,
  RpPartition,
  RpPartitionTable,
  RpPermissions,
  RpProgram,
  RpRange,
} from './rp-firmware.ts';
export { flashStart } from './rp-firmware.ts';
export {
  judgeStart,
  type RpStartPlace,
  type RpStartReason,
  type RpStartVerdict,
  type StartOptions,
} from './start-verdict.ts';
