/** Exports a capture as a VCD file for waveform viewers. */
import { vcdOf } from '@wirebench/lab/probe';
import type { Captured } from './capture-store.ts';

export function vcdText({ lanes, at }: Captured): string {
  return vcdOf(
    lanes.map(({ label, wave }) => ({ name: label, wave })),
    new Date(at).toISOString(),
  );
}

/** Returns a file name without characters that file systems refuse: `wirebench-capture-2026-03-01T12-00-00.vcd`. */
export function vcdName({ at }: Captured): string {
  return `wirebench-capture-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}.vcd`;
}
