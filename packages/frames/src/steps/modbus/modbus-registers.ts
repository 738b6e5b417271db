/** The table of Modbus registers: observed values as rows, all byte orders of a number, requests that read them. */
export { planReads, type RegisterRead } from './read-plan.ts';
export type { OtherMaster, SeenRegister } from './register-book.ts';
export {
  addressText,
  isFloat,
  isNamed,
  numberText,
  orderedType,
  orderLines,
  placeName,
  type RegisterRow,
  registerRows,
  rowValue,
  type UnitTable,
} from './register-rows.ts';
export { tables as registerTables } from './register-tables.ts';
export { isBitTable, type OrderedNumber, registersOf } from './registers.ts';
