/** NVS partitions of Espressif chips: reading, changing, comparing, and CSV. */
export {
  buildNvs,
  type ChangedNvs,
  changeNvs,
  changesOf,
  type NvsChange,
} from './change-nvs.ts';
export { compareNvs, type NvsDifference } from './compare-nvs.ts';
export { type NvsCsv, nvsCsv, readNvsCsv } from './nvs-csv.ts';
export { NvsError, type NvsFailure, nvsFailureText } from './nvs-failure.ts';
export { isIntegerType, isSameValue, type NvsType, type NvsValue, stringValue, utf8Text } from './nvs-value.ts';
export { type LiveNvsEntry, liveEntries, type NvsEntry, type NvsPageInfo, type NvsStore, readNvs } from './read-nvs.ts';
export { isSecretKey } from './secret-key.ts';
export type { SectorWrite } from './sector-writes.ts';
