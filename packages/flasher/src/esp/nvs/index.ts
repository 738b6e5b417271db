/** NVS partitions of Espressif chips: reading, changing, comparing, and CSV. */
export {
  buildNvs,
  changeNvs,
  type NvsChange,
} from './change-nvs.ts';
export { nvsCsv } from './nvs-csv.ts';
export {
  emptyDraft,
  groupsOf,
  isChanged,
  type NvsDraft,
  type NvsEdit,
  type NvsGroup,
  type NvsRow,
  rebaseDraft,
  withEdit,
  withNamespace,
  withoutEdit,
  withoutNamespace,
} from './nvs-draft.ts';
export { NvsError, nvsFailureText } from './nvs-failure.ts';
export { planNvs } from './nvs-plan.ts';
export {
  differencesText,
  type NvsSource,
  readNvsSource,
  refusedSource,
  type SourceKey,
  storeSource,
} from './nvs-source.ts';
export { isIntegerType, isSameValue, type NvsType, type NvsValue, stringValue, utf8Text } from './nvs-value.ts';
export { bitsText, formOf, parseValue, shortText, textIn, type ValueForm, valueText } from './nvs-value-text.ts';
export { knownNamespace, meaningOf, nvsCsvText, unreadableNvsText } from './nvs-words.ts';
export { type LiveNvsEntry, liveEntries, type NvsEntry, type NvsStore, readNvs, storeText } from './read-nvs.ts';
export { hiddenText, isSecretKey } from './secret-key.ts';
