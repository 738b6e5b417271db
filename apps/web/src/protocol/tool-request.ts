/** Message of the page that starts the worker side of a tool. */
import type { FamilyId } from '@wirebench/boards';

/**
 * A flasher has the name of its family. `live` visits another user's bench, `sharing` shows this bench to guests,
 * `screen` shows ports as terminals, `log` reads files of logs.
 */
export type ToolName = FamilyId | 'lab' | 'live' | 'sharing' | 'screen' | 'log';

export interface ToolRequest {
  readonly tool: ToolName;
  /** Transferred with the message: the tool's calls and ticks use it. */
  readonly line: MessagePort;
}
