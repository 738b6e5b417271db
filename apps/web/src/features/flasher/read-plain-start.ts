/**
 * Reads from the monitor's text how a program has started on a chip that prints nothing of its own: STM32, Nordic and
 * AVR. Recognises only common output: Zephyr's banner and fatal errors, and Arm's names of faults.
 */
import type { BootVerdict } from '@wirebench/flasher/core';

/** Largest fraction of characters outside printable ASCII in readable text. */
const unreadableFraction = 0.25;
/** Number of equal banners that counts as a boot loop. Fewer may come from restarts by hand. */
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
  // Counts equal banners only: a bootloader such as MCUboot has a banner of its own.
  const banners = Map.groupBy(text.match(bannerPattern) ?? [], (banner) => banner);
  const resets = Math.max(0, ...Array.from(banners.values(), ({ length }) => length));
  return resets >= loop ? { kind: 'boot-loop', resets, reason: null } : { kind: 'app', project: null, version: null };
}
