/**
 * Lets the worker of a tool in beside the bench: a flasher, the lab, a visit to a shared bench, or who shares it. The page sends the line for it,
 * and only then its code is
 * fetched: who opens the terminal pays for none of them, who flashes one kind of chip not for the others.
 */
import type { Clock } from '@wirebench/clock';
import type { FlasherFamily } from '@wirebench/contract/constants';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import type { BenchWorker } from './bench-worker.ts';

/**
 * A flasher has the name of its family. `live` visits another user's bench, `sharing` shows this bench to guests, `screen` shows ports as
 * terminals.
 */
export type ToolName = FlasherFamily | 'lab' | 'live' | 'sharing' | 'screen';

/** From the page, with the line transferred. */
export interface ToolRequest {
  readonly tool: ToolName;
  readonly line: MessagePort;
}

/** Must be called before the bench listens on the same channel: what is for a tool is kept from it. */
export function acceptTools(channel: Channel, clock: Clock, bench: () => BenchWorker): void {
  channel.addEventListener('message', (event: MessageEvent<object>) => {
    if (isRequest(event.data)) {
      event.stopImmediatePropagation();
      void startTool(event.data, clock, bench());
    }
  });
}

async function startTool({ tool, line }: ToolRequest, clock: Clock, worker: BenchWorker): Promise<void> {
  const { devices, bench, toolPorts } = worker;
  if (tool === 'lab') {
    const { LabWorker } = await import('../lab/lab-worker.ts');
    new LabWorker(line, { clock, devices, bench });
  } else if (tool === 'live') {
    const { LiveWorker } = await import('../live/live-worker.ts');
    new LiveWorker(line, { clock, worker });
  } else if (tool === 'sharing') {
    const { ShareWorker } = await import('../sharing/share-worker.ts');
    new ShareWorker(line, { clock, worker });
  } else if (tool === 'screen') {
    const { ScreenWorker } = await import('./screen-worker.ts');
    new ScreenWorker(line, worker);
  } else {
    const { startFlasherWorker } = await import('../flasher/start-worker.ts');
    await startFlasherWorker(tool, line, { clock, devices, toolPorts });
  }
  // Messages sent before this line wait in the port.
  line.start();
}

function isRequest(message: object): message is ToolRequest {
  return 'tool' in message;
}
