/** eFuses of Espressif chips, decoded and explained. Larger than the rest, so a page fetches it when it shows them. */
export { bootRulesOf } from './boot-rules.ts';
export { decodeEfuses, type Efuses, type EfuseValue } from './decode-efuses.ts';
export { fieldMeaning } from './field-meanings.ts';
export { loadEfuseLayout } from './load-layout.ts';
export {
  reportLines,
  type SecurityLine,
  type SecurityMark,
  securityLines,
  securityMarkText,
  securityText,
} from './security-lines.ts';
export { efuseStateWords, efuseSummary, groupTitle } from './summary-text.ts';
