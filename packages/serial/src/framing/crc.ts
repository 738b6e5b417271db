/** Cyclic redundancy checks whose register shifts to the right, as serial lines send the lowest bit first. */

/**
 * Returns the effect of each byte value on the register.
 *
 * @param polynomial Bit-reversed: its highest power is in bit 0.
 */
export function crcTable(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let register = byte;
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 1) === 0 ? register >>> 1 : (register >>> 1) ^ polynomial;
    }
    return register;
  });
}

/** Returns the register after one more byte. */
export function shiftedIn(table: Uint32Array, register: number, byte: number): number {
  return ((table[(register ^ byte) & 0xff] as number) ^ (register >>> 8)) >>> 0;
}
