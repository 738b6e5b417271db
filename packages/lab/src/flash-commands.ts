/**
 * Commands of the ROM that read, write, erase or set up flash. A lab sends none. Source: esptool, "Serial Protocol".
 */
export const flashCommands: readonly number[] = [0x02, 0x03, 0x04, 0x0b, 0x0d, 0x0e, 0x10, 0x11, 0x12, 0x13];

/**
 * Returns true for a frame with a flash command.
 *
 * @param frame The frame with its delimiters. The direction byte and these commands are never escaped, so the command
 *   is at index 2.
 */
export const isFlashCommand = (frame: Uint8Array): boolean => flashCommands.includes(frame[2] ?? -1);
