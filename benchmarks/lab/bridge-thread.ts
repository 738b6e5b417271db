/** One bridge in its own thread, because running the RAM program instruction by instruction keeps a core busy. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Bridged, type BridgeRates, measureBridge } from './bridge.ts';
import type { BenchChip } from './virtual-board.ts';

interface Order {
  readonly chip: BenchChip;
  readonly rates: BridgeRates;
  readonly seconds: number;
}

/** Runs `measureBridge` in a thread. Other threads do not affect its result, because its clock is virtual. */
export function measureBridgeInThread(chip: BenchChip, rates: BridgeRates, seconds: number): Promise<Bridged> {
  const order: Order = { chip, rates, seconds };
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: order });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The thread of the bridge ended with ${code} and no result.`)));
  });
}

if (!isMainThread) {
  const { chip, rates, seconds } = workerData as Order;
  parentPort?.postMessage(await measureBridge(chip, rates, seconds));
}
