/** Worker for ELF files. Reading a file of 20 MB takes a while, and must block neither ports nor page. */
import { systemClock } from '@wirebench/clock';
import { tellLife } from '../../protocol/calls/thread-life.ts';
import { SymbolStore } from './symbol-store.ts';

declare const self: DedicatedWorkerGlobalScope & { store?: SymbolStore };

tellLife(self);
self.store = new SymbolStore(self, systemClock);
