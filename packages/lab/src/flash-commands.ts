/** The ROM's commands that read, write, erase or set up flash; a lab sends none of them. Source: esptool, "Serial Protocol". */
export const flashCommands: readonly number[] = [0x02, 0x03, 0x04, 0x0b, 0x0d, 0x0e, 0x10, 0x11, 0x12, 0x13];

/** @param frame as it goes over the wire, with its delimiters: neither the direction nor one of these numbers is ever escaped. */
export const isFlashCommand = (frame: Uint8Array): boolean => flashCommands.includes(frame[2] ?? -1);
