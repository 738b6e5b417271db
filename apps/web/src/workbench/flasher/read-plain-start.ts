/**
 * What a text says about the start of a program whose chip prints nothing of its own: STM32 and Nordic. Only what such programs
 * print in common is read: Zephyr's banner and its fatal errors, and the names that Arm gives to faults.
 */
import type { BootVerdict } from '@wirebench/flasher/core';

/** Of the characters of a text, this fraction may be something else than plain text. */
const unreadableFraction = 0.25;
/** The same banner this many times is no restart by hand any more. */
const loop = 4;
const longestQuote = 120;

const plainPattern = /[\s\x20-\x7e]/g;
const crashPattern =
  /ZEPHYR FATAL ERROR|\*{3,} (?:HARD|BUS|USAGE|MPU|MemManage) FAULT|\b(?:Hard|Bus|Usage|MemManage) ?Fault\b|ASSERTION FAIL/i;
const bannerPattern = /^\*\*\* Booting .+$/gm;

export function readPlainStart(text: string): BootVerdict {
  if (text.trim() === '') {
    return { kind: 'silence' };
  }
  if (text.length - (text.match(plainPattern)?.length ?? 0) > text.length * unreadableFraction) {
    return { kind: 'unreadable' };
  }
  const crash = text.split('\n').find((line) => crashPattern.test(line));
  if (crash !== undefined) {
    return { kind: 'panic', line: crash.trim().slice(0, longestQuote) };
  }
  // A bootloader such as MCUboot has a banner of its own.
  const banners = Map.groupBy(text.match(bannerPattern) ?? [], (banner) => banner);
  const resets = Math.max(0, ...Array.from(banners.values(), ({ length }) => length));
  return resets >= loop ? { kind: 'boot-loop', resets, reason: null } : { kind: 'app', project: null, version: null };
}
