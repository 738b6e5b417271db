/** The devices that can be had by name: in the demo entry of a port picker and on the command line. */
import { ChattyBoard } from './chatty/chatty-board.ts';
import type { Device } from './wire/device.ts';

export const modelNames = ['chatty'] as const;
export type ModelName = (typeof modelNames)[number];

export interface ModelOptions {
  readonly seed: number;
  /** Rate of the device's UART, in baud; left out: the model's own. */
  readonly baudRate?: number;
}

/** A device for somebody to look at: where it has something to say at its start, it waits until a port is opened. */
export function createModel(model: ModelName, options: ModelOptions): Device {
  const models = {
    chatty: () => new ChattyBoard({ ...options, powerUp: 'first-open' }),
  } satisfies Record<ModelName, () => Device>;
  return models[model]();
}

export function isModelName(name: string): name is ModelName {
  return modelNames.some((model) => model === name);
}
