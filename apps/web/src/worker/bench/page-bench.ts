/**
 * The bench on the page itself, for browsers whose workers have no Web Serial. All features work. Long bursts of data
 * then compete with painting for the thread.
 */
import { inOrder, systemClock } from '@wirebench/clock';
import { watchPorts } from '../../hardware/permitted-ports.ts';
import type { Channel } from '../../protocol/bench/bench-tick.ts';
import { openStreamRecordingFile } from '../recording/stream-recording-file.ts';
import { BenchWorker } from './bench-worker.ts';
import { acceptTools } from './tool-hook.ts';

/** Starts the bench and returns the page's end of the channel. */
export function startPageBench(): Channel {
  const { port1, port2 } = new MessageChannel();
  const clock = inOrder(systemClock);
  acceptTools(port1, clock, () => worker);
  const worker = new BenchWorker(port1, {
    clock,
    openRecordingFile: openStreamRecordingFile,
  });
  watchPorts((device) => worker.deviceAppeared(device));
  port1.start();
  port2.start();
  return port2;
}
