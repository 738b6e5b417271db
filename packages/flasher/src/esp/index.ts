/** Espressif chips: connecting and writing, the plan of a write, the files of a build. */

/** @public */
export type { ChangeProgress } from '../core/write-changes.ts';
export { expandFiles } from './build-output/expand-files.ts';
export { listKindOf, readFileLists } from './build-output/file-list.ts';
export { besidesReason } from './build-output/file-name.ts';
export { placeFiles } from './build-output/place-files.ts';
export type { DroppedFile, PlacedFile, Placement } from './build-output/placement.ts';
export { buildsAmong } from './build-output/several-builds.ts';
export { chipFacts, chipNames } from './chips/chip-facts.ts';
export { unknownFlashMakerText } from './chips/flash-chips.ts';
export { readEspBoot } from './connect/boot-verdict.ts';
export { connectEsp } from './connect/connect-esp.ts';
/** @public */
export { espStepText } from './connect/step-text.ts';
/** @public */
export type { BootRules } from './efuse/boot-rules.ts';
export type { EfuseWords } from './efuse/read-efuses.ts';
export { securityTitle } from './efuse/security-title.ts';
/** @public */
export type { EspBoard, EspConnectStep, EspNotice } from './esp-board.ts';
export { EspError, type EspFailure, espFailureText } from './esp-failure.ts';
export type { EspInfo, EspLink, EspSecurityState } from './esp-info.ts';
export {
  type EspBoardFacts,
  type EspSettings,
  type EspTypes,
  espSettings,
  type PartitionHead,
} from './family-types.ts';
/** @public */
export type { FlashAbility } from './flash-ability.ts';
export { bootOrder } from './images/boot-order.ts';
/** @public */
export {
  type AppDescription,
  type BootloaderDescription,
  DESCRIBED_SIZE,
  describeStart,
  readAppDescription,
} from './images/description.ts';
export { usualAppOffset } from './images/flash-places.ts';
export type { FlashMode } from './images/flash-settings.ts';
export { appName, chipOfPart, imagePartOf } from './images/image-part.ts';
/** @public */
export {
  chooseOtaSlot,
  type OtaEntries,
  type OtaEntry,
  otaSlotOfSequence,
  readOtaEntries,
} from './images/ota-data.ts';
export {
  encodePartitionTable,
  formatPartitionCsv,
  formatSize,
  PartitionCsvError,
  type PartitionLoss,
  parsePartitionCsv,
  partitionLosses,
} from './images/partition-csv.ts';
export { findTableFaults } from './images/partition-faults.ts';
/** @public */
export {
  boardPartitions,
  findTableIn,
  type Partition,
  type PartitionTable,
  readPartitionTable,
  tableSectorSize,
  usualTableOffset,
} from './images/partition-table.ts';
export {
  isApp,
  isFileSystem,
  isNvs,
  isNvsKeys,
  isOtaData,
  otaSlotOf,
  partitionType,
  subtypeName,
  subtypesOf,
  typeName,
  typeNumber,
  typesText,
} from './images/partition-types.ts';
export { pythonOf } from './images/python-firmware.ts';
export { type ImageSignature, readSignatures } from './images/signature-blocks.ts';
export { type CheckedImage, checkStoredImage, readStoredImage } from './images/stored-image.ts';
export { espWholeness } from './images/wholeness.ts';
/** @public */
export { type EspRefusal, type EspWarning, overridableEspRefusals } from './plan/esp-plan-finding.ts';
/** @public */
export {
  anyEsp,
  type EspEraseChoice,
  type EspPlan,
  type EspPlanFile,
  type EspPlanSettings,
} from './plan/esp-plan-types.ts';
export { planEsp } from './plan/plan-esp.ts';
/** @public */
export type { StartAnswer } from './plan/start-answer.ts';
/** @public */
export { bootRulesOn, needsBootRules } from './work/board-boot-rules.ts';
/** @public */
export { type BoardContents, readBoardContents } from './work/board-contents.ts';
/** @public */
export { carryOutEsp, type Unfinished } from './work/carry-out.ts';
/** @public */
export { type ComparedPlan, planComparedEsp } from './work/compared-plan.ts';
export { comparedHash } from './write/flash-memory.ts';
