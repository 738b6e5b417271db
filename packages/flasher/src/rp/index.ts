/** RP2040 and RP2350: connecting over USB and through the drive, writing, and the plan of a write. */
/** @public */

export { connectRpUsb, type RpUsbOptions } from './connect/connect-rp-usb.ts';
/** @public */
export type { DriveFolder } from './drive/drive-folder.ts';
/** @public */
export { createRpFamily, type RpFamily } from './family.ts';
/** @public */
export { type RpSettings, type RpTypes, rpSettings } from './family-types.ts';
export { type FileSystemPlace, fileSystemPlaces } from './files/file-system-places.ts';
/** @public */
export { flashStart, readRpFirmware } from './files/index.ts';
export { partitionFields } from './files/info-sections.ts';
export { inspectRpFile, type RpFileInfo } from './files/inspect-rp-file.ts';
/** @public */
export { isInBootsel, rpUsbFilters } from './picoboot/open-picoboot.ts';
/** @public */
export { rpPlanFile } from './plan/plan-file.ts';
/** @public */
export { planRp } from './plan/plan-rp.ts';
/** @public */
export type { RpPlan, RpPlanFile } from './plan/rp-plan-types.ts';
/** @public */
export type { RpBoard, RpConnectStep, RpInfo } from './rp-board.ts';
/** @public */
export { RpError, type RpFailure, rpFailureText } from './rp-failure.ts';
