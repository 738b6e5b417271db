/** Words for the way in which registers are read: `u16`, `f32 CDAB`. */
import type { DecoderRegister } from '@wirebench/contract/decoders';
import { orderedType, registersOf } from '@wirebench/frames/modbus-registers';
import { lettersOf } from './register-names.ts';

type RegisterType = DecoderRegister['type'];

export const typeText = (type: RegisterType): string => type;

/** Letters of an order, for numbers of one register and of more. */
export function orderText(order: string, isSingle: boolean): string {
  return isSingle ? (order === 'abcd' ? 'AB' : 'BA') : order.toUpperCase();
}

export function readAsText(entry: DecoderRegister): string {
  const isSingle = registersOf(entry) === 1;
  const letters = lettersOf(entry);
  if (orderedType(entry.type) === null || (isSingle && letters === 'abcd')) {
    return entry.type;
  }
  return `${entry.type} ${orderText(letters, isSingle)}`;
}
