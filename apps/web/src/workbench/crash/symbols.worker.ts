/** A thread of its own for ELF files: reading one of 20 MB takes a while, and neither ports nor page wait for it. */
import { systemClock } from '@wirebench/clock';
import { tellLife } from '../calls/thread-life.ts';
import { SymbolShelf } from './symbol-shelf.ts';

declare const self: DedicatedWorkerGlobalScope & { shelf?: SymbolShelf };

tellLife(self);
self.shelf = new SymbolShelf(self, systemClock);
