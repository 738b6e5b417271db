export {
  checkRpProgram,
  goesIntoPartition,
  type RpProgramRefusal,
  type RpProgramWarning,
  rpProgramRefusalText,
  rpProgramWarningText,
  shiftOf,
  tableEnd,
} from './check-rp-program.ts';
export { forecastRp2040Drive } from './drive-forecast.ts';
export { readRpFirmware } from './read-rp-firmware.ts';
export type {
  RpBoardFacts,
  RpChip,
  RpCpu,
  RpDriveForecast,
  RpFirmware,
  RpFlashUser,
  RpPartitions,
  RpProgram,
  RpSystem,
} from './rp-firmware.ts';
export { flashStart, settingsRange } from './rp-firmware.ts';
