/**
 * Starts the worker side of a tool beside the bench: a flasher, the lab, a visit to a shared bench, the sharing of
 * this one, or opened logs. The tool's code is fetched with the page's request, so a page loads only the tools that it uses.
 */
import type { Clock } from '@wirebench/clock';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import type { ToolRequest } from '../../protocol/tool-request.ts';
import type { BenchWorker } from './bench-worker.ts';

/** Removes requests for tools from the channel. Call it before the bench listens on the channel. */
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
  } else if (tool === 'log') {
    const { LogWorker } = await import('../log/log-worker.ts');
    new LogWorker(line, { clock, worker });
  } else if (tool === 'screen') {
    const { ScreenWorker } = await import('./screen-worker.ts');
    new ScreenWorker(line, clock, worker);
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
