/** Single bytes with a meaning in XMODEM and YMODEM (Forsberg, "XMODEM/YMODEM Protocol Reference", chapter 7.1). */

/** Begins a block of 128 bytes. */
export const SOH = 0x01;
/** Begins a block of 1,024 bytes. */
export const STX = 0x02;
/** Ends a file. */
export const EOT = 0x04;
export const ACK = 0x06;
export const NAK = 0x15;
/** Two in a row cancel, five of them in ZMODEM. */
export const CAN = 0x18;
/** `C`: asks for blocks with a CRC-16. */
export const WANT_CRC = 0x43;
/** Fills the last block (CP/M's end of file). */
export const PADDING = 0x1a;
