/**
 * Flashing chips over a serial port. Protocols are pure codecs and clients over a byte port; files are looked at without
 * any chip. Knows no document, no React and no real time: a port, a clock and bytes are given to it.
 */
export type {
  RegionOutcome,
  RegionProof,
  RegionReport,
  WorkOptions,
  WriteEvent,
  WritePhase,
  WriteReport,
} from './board.ts';
export { addressText, bytesText, sizeText } from './bytes.ts';
export type { BoardInfo, BoardLink, ChipRevision, FlashChip, SecurityState } from './espressif/board-info.ts';
export { type BootVerdict, readBoot } from './espressif/boot-verdict.ts';
export { type ChipFacts, type ChipName, chipFacts, chipNames, chipOfImageId } from './espressif/chips/chip-name.ts';
export { connectBoard } from './espressif/connect-board.ts';
export type { BoardNotice, ConnectOptions, ConnectStep, EspBoard, WriteOptions } from './espressif/esp-board.ts';
export { EspError, type EspFailure, espFailureText } from './espressif/esp-failure.ts';
export {
  type BoardState,
  boardStateText,
  type CommonFailure,
  commonFailureText,
  type FailureText,
  FlashError,
} from './flash-failure.ts';
export { expandFiles } from './images/build-output/expand-files.ts';
export { listKindOf } from './images/build-output/file-list.ts';
export { besidesReason } from './images/build-output/file-name.ts';
export { placeFiles } from './images/build-output/place-files.ts';
export type {
  ConflictFinding,
  DroppedFile,
  LeftOutFile,
  PlacedFile,
  Placement,
} from './images/build-output/placement.ts';
export type { PlacementConflict } from './images/build-output/placement-conflict.ts';
export { usualAppOffset } from './images/build-output/suggest-offset.ts';
export { isDemoFirmware } from './images/esp/demo-mark.ts';
export type { AppDescription, BootloaderDescription } from './images/esp/description.ts';
export { type EspImage, findImageFaults, readEspImage } from './images/esp/esp-image.ts';
export {
  type FlashMode,
  type FlashSettings,
  flashFrequencies,
  flashModes,
  flashSizes,
  keepFlashSettings,
  readFlashSettings,
  withFlashSettings,
} from './images/esp/flash-settings.ts';
export { chipOfPart, type ImagePart, imagePartOf, partTitle } from './images/esp/image-part.ts';
export { type OtaData, otaSlotToStart, readOtaData } from './images/esp/ota-data.ts';
export { findTableFaults, type TableFinding } from './images/esp/partition-faults.ts';
export {
  maximumTableSize,
  type Partition,
  type PartitionTable,
  readPartitionTable,
  usualTableOffset,
} from './images/esp/partition-table.ts';
export { isApp, isFileSystem, isNvs, isOtaData, subtypeName, typeName } from './images/esp/partition-types.ts';
export { type ElfProgram, readElf } from './images/formats/elf.ts';
export { memoryFileExtensions } from './images/formats/file-extensions.ts';
export { type IntelHex, readIntelHex } from './images/formats/intel-hex.ts';
export { type MemoryFile, readMemoryFile, vectorTableOf } from './images/formats/memory-file.ts';
export { type MemorySegment, mergeSegments } from './images/formats/memory-segments.ts';
export { readUf2, type Uf2Program } from './images/formats/uf2.ts';
export { readZip, startsLikeZip, type ZipFile } from './images/formats/zip.ts';
export { ImageError, type ImageFault, imageFaultText } from './images/image-error.ts';
export { describeImage } from './images/inspect/describe-image.ts';
export type { ImageReport, ReportFact, ReportFault, ReportKind, ReportPart } from './images/inspect/image-report.ts';
export { connectNordic } from './nordic/connect-nordic.ts';
export type {
  NordicBoard,
  NordicBootloader,
  NordicConnectOptions,
  NordicConnectStep,
  NordicInfo,
  NordicSlot,
  NordicWriteOptions,
} from './nordic/nordic-board.ts';
export { NordicError, type NordicFailure, nordicFailureText } from './nordic/nordic-failure.ts';
export type { NordicLink } from './nordic/nordic-port.ts';
export type { NordicFirmware, NordicImage, NordicImageKind } from './nordic/package/nordic-firmware.ts';
export { PackageError, type PackageFault, packageFaultText } from './nordic/package/package-fault.ts';
export { readNordicFirmware } from './nordic/package/read-firmware.ts';
export { uf2BootloaderFamily, uf2Drives, uf2Families, uf2InfoFile } from './nordic/package/uf2-drive.ts';
export type {
  NordicRefusal,
  NordicRefusalFinding,
  NordicWarning,
  NordicWarningFinding,
} from './nordic/plan/nordic-finding.ts';
export { type NordicPlan, type NordicPlanOptions, planNordic } from './nordic/plan/plan-nordic.ts';
export { overridableRefusals, type PlanRefusal, type PlanWarning } from './plan/plan-finding.ts';
export { planFlash } from './plan/plan-flash.ts';
export {
  anyBoard,
  type BoardGuard,
  type EraseChoice,
  type Fate,
  type FlashPlan,
  type MapArea,
  type NamedRange,
  type PlanBoard,
  type PlanFile,
  type PlanInput,
  type PlannedRegion,
  type PlanSettings,
  type RefusalFinding,
  type WarningFinding,
} from './plan/plan-types.ts';
export { compareWithDevice, type DeviceHashes, type RegionComparison } from './plan/region-progress.ts';
export { estimateTime, sampleCompression, type TimeInput } from './plan/time-estimate.ts';
export { type FlashRange, type FlashRegion, sectorSize, splitIntoRegions, usualRegionSize } from './region.ts';
export { linesFor as stmLinesFor, type StmEntryName, stmEntries } from './stm32/an3155/entry.ts';
export { connectStm } from './stm32/connect-stm.ts';
export { connectStmUsb } from './stm32/connect-stm-usb.ts';
export { stmUsbFilter, type UsbDevice } from './stm32/dfuse/usb-device.ts';
export type { StmFamilyName } from './stm32/parts/families.ts';
export { flashStart as stmFlashStart } from './stm32/parts/flash-layout.ts';
export { isStmModel, type StmModel, stmModels } from './stm32/parts/model.ts';
export { type StmPart, stmParts } from './stm32/parts/part-table.ts';
export { planStm } from './stm32/plan/plan-stm.ts';
export type { StmRefusal, StmWarning } from './stm32/plan/stm-plan-finding.ts';
export {
  anyStm,
  type StmGuard,
  type StmPlan,
  type StmPlanBoard,
  type StmPlanFile,
  type StmPlanInput,
  type StmRefusalFinding,
  type StmWarningFinding,
} from './stm32/plan/stm-plan-types.ts';
export { estimateStmTime, type StmTimeInput } from './stm32/plan/stm-time.ts';
export type {
  StmBoard,
  StmConnectOptions,
  StmConnectStep,
  StmEntry,
  StmInfo,
  StmOptionBytes,
  StmOptionField,
  StmUsbOptions,
  StmWriteOptions,
  StmWriteReport,
} from './stm32/stm-board.ts';
export { StmError, type StmFailure, stmFailureText } from './stm32/stm-failure.ts';
