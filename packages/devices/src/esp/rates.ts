/** Rates of a chip's UART, in baud: what the ROM starts with, and what a change of it comes to. */
import type { EspIdentity } from './identity.ts';

/** What the ROM talks at when its crystal is the one that it reckons with. */
export const usualRate = 115_200;
/** The same with a crystal of 26 MHz where the ROM reckons with 40 ("Serial Protocol", ESP8266, "Initialization"). */
const slowCrystalRate = 74_880;
/** MHz that the ROM of the ESP32-C2 reckons with. */
const reckonedCrystal = 40;

/** Of the boot log, and of the loader until a host has spoken to it. */
export function romRate({ chip, crystal }: EspIdentity): number {
  const misjudges = chip.generation === 'esp8266' || chip.name === 'esp32c2';
  return misjudges && crystal === 26 ? slowCrystalRate : usualRate;
}

/** What CHANGE_BAUDRATE to the ROM gives when `baudRate` is asked for: it may be wrong about its crystal. */
export function changedRomRate(identity: EspIdentity, crystalFuse: 'measured' | 'blank', baudRate: number): number {
  const { chip, crystal } = identity;
  if (chip.name === 'esp32') {
    // A blank fuse makes the ESP32 take its crystal for one of 26 MHz.
    return (baudRate * crystal) / (crystalFuse === 'blank' ? 26 : crystal);
  }
  return chip.name === 'esp32c2' ? (baudRate * crystal) / reckonedCrystal : baudRate;
}
