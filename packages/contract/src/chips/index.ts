/**
 * Descriptions of chips, the content of JKits of type `chip`: what one may say, and the check of one. The calculation of its
 * formulas is in `@wirebench/lab/chip-jkit`.
 */
export { checkChip } from './check-chip.ts';
export type { ChipContent, ChipReading, ChipRegister } from './chip-content.ts';
export { chipCategories, chipLimits } from './chip-rules.ts';
export {
  type BinaryOperator,
  type FormulaFunction,
  type FormulaKind,
  type FormulaNode,
  namesIn,
  parseFormula,
} from './formula.ts';
