import { wordText } from '../word-text.ts';

/** Largest offset of a member from a null pointer, in bytes (excluded). */
const NEAR_ZERO = 0x1000;

/**
 * Returns a sentence about the address of an invalid access.
 * @param register name of the register that holds it
 */
export function usedAddressSentence(register: string, value: number): string {
  const label = `${register.toUpperCase()} is ${wordText(value)}`;
  if (value === 0) {
    return `${label}: a null pointer was used.`;
  }
  return value < NEAR_ZERO
    ? `${label}: a member of a structure was used through a null pointer.`
    : `${label}: this is the address that was used.`;
}
