/** Connection of the page to the live worker, which runs a guest's visit. Its ticks go into the store. */
import type { LiveApi, LiveTick } from '../../protocol/live-protocol.ts';
import { toast } from '../../shared/ui/toast.ts';
import { toolLine } from '../tool-line.ts';
import { takeTick } from './live-store.ts';

export const liveLine = toolLine<LiveApi, LiveTick>({ tool: () => 'live', onTick: takeTick });

export const getLive = liveLine.get;

/** Waits for a call, and shows its error as a toast. */
export async function toastError(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { level: 'error' });
  }
}
