/** Worker for file systems. Mounting and changing 8 MB takes tenths of a second, and must not block the page. */
import { systemClock } from '@wirebench/clock';
import { tellLife } from '../../protocol/calls/thread-life.ts';
import { FileSystemStore } from './file-system-store.ts';

declare const self: DedicatedWorkerGlobalScope & { store?: FileSystemStore };

tellLife(self);
self.store = new FileSystemStore(self, systemClock);
