/** STM32: connecting to its bootloaders over a UART and over USB, writing, and the plan of a write. */
/** @public */
export { linesFor as stmLinesFor, type StmEntryName, stmEntries } from './an3155/entry.ts';
export { connectStm } from './connect/connect-stm.ts';
export { connectStmUsb } from './connect/connect-stm-usb.ts';
/** @public */
export { stmStepText } from './connect/step-text.ts';
export { stmUsbFilter } from './dfuse/requests.ts';
export { type StmSettings, type StmTypes, stmSettings } from './family-types.ts';
export { flashStart as stmFlashStart } from './parts/flash-layout.ts';
/** @public */
export { isStmModel, stmChips } from './parts/model.ts';
export { stmParts } from './parts/part-table.ts';
/** @public */
export { planStm } from './plan/plan-stm.ts';
export type { StmRefusal, StmWarning } from './plan/stm-plan-finding.ts';
/** @public */
export type { StmPlan, StmPlanFile } from './plan/stm-plan-types.ts';
export type { StmBoard, StmConnectStep, StmInfo, StmOptionBytes } from './stm-board.ts';
/** @public */
export { StmError, type StmFailure, stmFailureText } from './stm-failure.ts';
