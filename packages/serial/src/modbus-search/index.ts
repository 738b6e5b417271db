/** Search for the devices on a Modbus RTU line. */
export type { FoundDevice, ModbusFindings, ModbusSearchReport } from './findings.ts';
export type { SearchProgress } from './modbus-search.ts';
export {
  isOthersLine,
  otherText,
  outcomeText,
  type PollChoice,
  type PollProgress,
  pollModbusPort,
  pollText,
} from './poll-port.ts';
export { answerLimits, type ModbusSearchOptions, searchedLines, usualSearch } from './search-plan.ts';
export { searchModbusPort } from './search-port.ts';
export {
  answerTimeText,
  damagedSentence,
  deviceRemarks,
  devicesCsv,
  endSentence,
  howText,
  noisySentence,
  planSentences,
  progressText,
  registersText,
  searchLimitsText,
} from './search-words.ts';
