/** A null pointer plus the offset of a member, in bytes. */
const NEAR_ZERO = 0x1000;

/** What the address of a wrong access says. @param register Its name. */
export function usedAddressSentence(register: string, value: number): string {
  const label = `${register.toUpperCase()} is 0x${value.toString(16).toUpperCase().padStart(8, '0')}`;
  if (value === 0) {
    return `${label}: a null pointer was used.`;
  }
  return value < NEAR_ZERO
    ? `${label}: a member of a structure was used through a null pointer.`
    : `${label}: this is the address that was used.`;
}
