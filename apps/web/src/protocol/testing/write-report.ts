import type { WriteReport } from '@wirebench/flasher/core';

/** Report of a write of 4 KiB that was verified, with no region in it. */
export function testReport(part: Partial<WriteReport> = {}): WriteReport {
  return { state: 'complete', regions: [], written: 0x1000, same: 0, sent: 900, duration: 500, repeated: 0, ...part };
}
