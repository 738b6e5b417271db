/** Formats a register or an address of a 32-bit processor: `0x4008A1FC`. */
export const wordText = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(8, '0')}`;
