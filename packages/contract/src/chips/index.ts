/**
 * Descriptions of chips, the content of JKits of type `chip`: their schema, their limits and their check. The
 * calculation of their formulas is in `@wirebench/lab/chip-jkit`.
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
