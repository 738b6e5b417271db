/**
 * Builds a Modbus RTU frame. The CRC is calculated by long division, bit by bit, as the specification describes it
 * (MODBUS over Serial Line V1.02, section 6.2.2).
 */
export function modbusFrame(content: readonly number[]): number[] {
  let register = 0xffff;
  for (const byte of content) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 1) === 0 ? register >> 1 : (register >> 1) ^ 0xa001;
    }
  }
  return [...content, register & 0xff, register >> 8];
}
