/** Worker of the bench: reads, keeps and searches, so that the page only paints. */
import { systemClock } from '@wirebench/clock';
import { watchPorts } from '../../hardware/permitted-ports.ts';
import { hasWebSerial } from '../../hardware/serial-support.ts';
import { tellLife } from '../../protocol/calls/thread-life.ts';
import { openWorkerRecordingFile } from '../recording/sync-recording-file.worker.ts';
import { BenchWorker } from './bench-worker.ts';
import { acceptTools } from './tool-hook.ts';

declare const self: DedicatedWorkerGlobalScope & { bench?: BenchWorker };

/** Tells the page whether this worker has Web Serial and the ports can live here. */
self.postMessage({ hello: { serial: hasWebSerial() } });

tellLife(self);
acceptTools(self, systemClock, () => worker);
const worker = new BenchWorker(self, { clock: systemClock, openRecordingFile: openWorkerRecordingFile });
watchPorts((device) => worker.deviceAppeared(device));

// For the developer's console, and for benchmarks that measure within this thread.
self.bench = worker;
