/** eFuses of Espressif chips, decoded and explained. Larger than the rest, so a page fetches it when it shows them. */
export { bitCountOf, bootRulesOf, digestText } from './boot-rules.ts';
export { decodeEfuses, type Efuses, type EfuseValue } from './decode-efuses.ts';
export { type EfuseGroup, efuseGroups } from './efuse-layout.ts';
export { fieldMeaning } from './field-meanings.ts';
export { loadEfuseLayout } from './load-layout.ts';
export { reportLines, type SecurityLine, type SecurityMark, securityLines, securityTitle } from './security-lines.ts';
export { efuseSummary, groupTitle } from './summary-text.ts';
