/** NVS partitions of Espressif chips: reading, changing, comparing, and CSV. */
export {
  buildNvs,
  changeNvs,
  changesOf,
  type NvsChange,
} from './change-nvs.ts';
export { compareNvs } from './compare-nvs.ts';
export { nvsCsv, readNvsCsv } from './nvs-csv.ts';
export { NvsError, nvsFailureText } from './nvs-failure.ts';
export { isIntegerType, isSameValue, type NvsType, type NvsValue, stringValue, utf8Text } from './nvs-value.ts';
export { type LiveNvsEntry, liveEntries, type NvsEntry, type NvsStore, readNvs } from './read-nvs.ts';
export { isSecretKey } from './secret-key.ts';
