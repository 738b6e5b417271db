/** AVR boards with a bootloader (Arduino): connecting, writing flash and EEPROM, and the plan of a write. */
/** @public */
export type { AvrBoard, AvrConnectStep, AvrFuses, AvrInfo } from './avr-board.ts';
/** @public */
export { AvrError, type AvrFailure, avrFailureText } from './avr-failure.ts';
export { connectAvr } from './connect/connect-avr.ts';
/** @public */
export { avrStepText } from './connect/step-text.ts';
export { type AvrSettings, type AvrTypes, avrSettings, EEPROM_START } from './family-types.ts';
export { eepromBackup, sketchBackup } from './file/avr-backup.ts';
export { type AvrFile, readAvrFile } from './file/read-avr-file.ts';
/** @public */
export { isAvrModel } from './parts/model.ts';
export { avrParts } from './parts/part-table.ts';
export type { AvrRefusal, AvrWarning } from './plan/avr-plan-finding.ts';
/** @public */
export type { AvrPlan, AvrPlanFile } from './plan/avr-plan-types.ts';
/** @public */
export { planAvr } from './plan/plan-avr.ts';
export { avrPlanFile } from './plan/plan-file.ts';
