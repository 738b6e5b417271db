/** Nordic chips: reading packages, connecting to three bootloaders, writing, and the plan of a write. */
export { connectNordic } from './connect/connect-nordic.ts';
export { nordicStepText } from './connect/step-text.ts';
export type {
  NordicBoard,
  NordicBootloader,
  NordicConnectStep,
  NordicInfo,
  NordicSlot,
  NordicWriteOptions,
} from './nordic-board.ts';
export { NordicError, type NordicFailure, nordicFailureText } from './nordic-failure.ts';
export type { NordicFirmware, NordicImage, NordicImageKind } from './package/nordic-firmware.ts';
export { PackageError } from './package/package-fault.ts';
export { readNordicFirmware } from './package/read-firmware.ts';
export { uf2Drives, uf2InfoFile } from './package/uf2-drive.ts';
export type { NordicRefusal, NordicWarning } from './plan/nordic-plan-finding.ts';
export { type NordicPlan, planNordic } from './plan/plan-nordic.ts';
