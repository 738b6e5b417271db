/** Nordic chips: reading packages, connecting to three bootloaders, writing, and the plan of a write. */
export { connectNrf } from './connect/connect-nrf.ts';
/** @public */
export { nrfStepText } from './connect/step-text.ts';
export { type NrfTypes, nrfSettings } from './family-types.ts';
/** @public */
export type {
  NrfBoard,
  NrfBootloader,
  NrfConnectStep,
  NrfInfo,
  NrfSlot,
  NrfWriteOptions,
} from './nrf-board.ts';
/** @public */
export { NrfError, type NrfFailure, nrfFailureText } from './nrf-failure.ts';
export type { NrfFirmware, NrfImage, NrfImageKind } from './package/nrf-firmware.ts';
export { PackageError } from './package/package-fault.ts';
export { isNrfFirmware, readNrfFirmware } from './package/read-firmware.ts';
export { uf2Drives, uf2InfoFile } from './package/uf2-drive.ts';
export type { NrfRefusal, NrfWarning } from './plan/nrf-plan-finding.ts';
/** @public */
export { type NrfPlan, planNrf } from './plan/plan-nrf.ts';
export { softdeviceText } from './softdevices.ts';
