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
} from './rp-firmware.ts';
export { flashStart } from './rp-firmware.ts';
