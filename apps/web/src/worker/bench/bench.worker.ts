/** Worker of the bench: reads, keeps and searches, so that the page only paints. */
import { inOrder, systemClock } from '@wirebench/clock';
import { watchPorts } from '../../hardware/permitted-ports.ts';
import { portInterfaces } from '../../hardware/serial-support.ts';
import { tellLife } from '../../protocol/calls/thread-life.ts';
import { openWorkerRecordingFile } from '../recording/sync-recording-file.worker.ts';
import { BenchWorker } from './bench-worker.ts';
import { acceptTools } from './tool-hook.ts';

declare const self: DedicatedWorkerGlobalScope & { bench?: BenchWorker };

/** Tells the page whether this worker has the same ports as the page, so that they can live here. */
self.postMessage({ hello: { interfaces: portInterfaces() } });

tellLife(self);
/** All tools of the worker date by it, so that their times agree with those of the lines. */
const clock = inOrder(systemClock);
acceptTools(self, clock, () => worker);
const worker = new BenchWorker(self, { clock, openRecordingFile: openWorkerRecordingFile });
watchPorts((device) => worker.deviceAppeared(device));

// For the developer's console, and for benchmarks that measure within this thread.
self.bench = worker;
