import type { WriteReport } from '@wirebench/flasher/core';

/** Returns the report of a verified write of 4 KiB, without regions. */
export function testReport(part: Partial<WriteReport> = {}): WriteReport {
  return { state: 'complete', regions: [], written: 0x1000, same: 0, sent: 900, duration: 500, repeated: 0, ...part };
}
