/**
 * Recognises lines that a board prints at its start. Output after such a line occurs once per start and is not a
 * measurement. Sources: Espressif's ROMs (ESP32 Technical Reference Manual, "Reset and Clock"; ESP8266 the same),
 * Zephyr (`boot_banner`), U-Boot and Mbed, Linux (`printk` with times), and MicroPython (`shared/runtime/pyexec.c`).
 */
import { NUL } from '../control-sequences.ts';

const beginnings = [
  'ets ',
  ' ets ',
  'ESP-ROM:',
  'rst:0x',
  '*** Booting ',
  'U-Boot ',
  'U-Boot SPL ',
  'Starting kernel',
  '[    0.000000] ',
  'MPY: soft reboot',
].map((text) => Uint8Array.from(text, (character) => character.charCodeAt(0)));
const isFirst = new Uint8Array(256);
for (const [first = 0] of beginnings) {
  isFirst[first] = 1;
}

export function isRestartLine(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && bytes[at] === NUL) {
    at++;
  }
  return isFirst[bytes[at] ?? 0] === 1 && beginnings.some((beginning) => startsWith(bytes, at, to, beginning));
}

function startsWith(bytes: Uint8Array, from: number, to: number, beginning: Uint8Array): boolean {
  return to - from >= beginning.length && beginning.every((byte, index) => bytes[from + index] === byte);
}
