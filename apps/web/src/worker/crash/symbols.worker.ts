/** A thread of its own for ELF files: reading one of 20 MB takes a while, and neither ports nor page wait for it. */
import { systemClock } from '@wirebench/clock';
import { tellLife } from '../../protocol/calls/thread-life.ts';
import { SymbolStore } from './symbol-store.ts';

declare const self: DedicatedWorkerGlobalScope & { store?: SymbolStore };

tellLife(self);
self.store = new SymbolStore(self, systemClock);
