/** Returns true for a sketch that is joined with a bootloader, which no bootloader can write: `x.ino.with_bootloader.hex`. */
export const isWithBootloader = (name: string): boolean => /\.with_bootloader\.[^./\\]+$/i.test(name);
