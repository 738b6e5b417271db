import { systemClock } from '@wirebench/clock';
import { vi } from 'vitest';
import { callLine } from '../../../protocol/calls/testing/call-line.ts';
import { FileSystemStore } from '../../../worker/file-systems/file-system-store.ts';

/** Answers the page's worker for file systems in the test itself. `vi.unstubAllGlobals` ends that. */
export function stubFileSystemWorker(): void {
  vi.stubGlobal('Worker', function Worker() {
    const { page, bench } = callLine();
    new FileSystemStore(bench, systemClock);
    return page;
  });
}
