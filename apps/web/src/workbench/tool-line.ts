/** Lines of the page to tools that run in the worker beside the bench: flasher, lab, live and sharing. */
import { CallClient } from '../protocol/calls/call-client.ts';
import type { CallApi, CallFailure } from '../protocol/calls/call-protocol.ts';
import type { ToolName } from '../protocol/tool-request.ts';
import { onBenchLost, openToolLine } from './bench.ts';
import { benchLoss } from './bench-loss.ts';

export interface ToolLineOptions<Api, Tick> {
  /** Name of the tool, asked for when its worker side starts. */
  readonly tool: () => ToolName;
  readonly onTick: (tick: Tick) => void;
  /** Called when the bench's thread has ended, and after it every call fails with `benchLoss`. */
  readonly onLost?: () => void;
  /** Returns the failure of a call that was pending at that time. By default it is `benchLoss`. */
  readonly lossOf?: (call: keyof Api) => CallFailure;
}

export interface ToolLine<Api extends CallApi<Api>, Tick> {
  /** Returns the line. The first call starts the tool's worker side. */
  get(): Pick<CallClient<Api, Tick>, 'call'>;
  /** Puts another line in its place, or none: tests give a line of their own. */
  replace(line: Pick<CallClient<Api, Tick>, 'call'> | null): void;
  readonly isOpen: boolean;
}

export function toolLine<Api extends CallApi<Api>, Tick>({
  tool,
  onTick,
  onLost,
  lossOf = () => benchLoss,
}: ToolLineOptions<Api, Tick>): ToolLine<Api, Tick> {
  let line: Pick<CallClient<Api, Tick>, 'call'> | null = null;
  return {
    get() {
      if (line === null) {
        const client = new CallClient<Api, Tick>(onTick);
        client.attach(openToolLine(tool()));
        onBenchLost(() => {
          client.lose({ pending: lossOf, later: () => benchLoss });
          onLost?.();
        });
        line = client;
      }
      return line;
    },
    replace(other) {
      line = other;
    },
    get isOpen() {
      return line !== null;
    },
  };
}
