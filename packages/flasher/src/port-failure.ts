/** Reasons why a port cannot be used, or can no longer be used. */

export type PortFailure = 'port-busy' | 'permission-denied' | 'port-gone' | 'open-failed' | 'unplugged' | 'port-failed';

const portFailureText = {
  'port-busy': 'The port could not be opened: another program holds it, or this account may not use it.',
  'permission-denied': 'The browser does not let this page use the port.',
  'port-gone': 'The device of this port is not plugged in.',
  'open-failed': 'The operating system could not open the port.',
  unplugged: 'The device was unplugged.',
  'port-failed': 'The operating system reported a port error.',
} satisfies Record<PortFailure, string>;

export class PortError extends Error {
  readonly code: PortFailure;

  constructor(code: PortFailure, options?: ErrorOptions) {
    super(portFailureText[code], options);
    this.name = 'PortError';
    this.code = code;
  }
}

/** Returns true if the error says that the device has vanished. */
export function isUnplugged(error: unknown): boolean {
  return error instanceof PortError && error.code === 'unplugged';
}
