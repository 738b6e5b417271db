import { describe, expect, it } from 'vitest';
import { sessionFailureText } from './session-failure.ts';

describe('texts of failures', () => {
  it('stand word for word where they belong', () => {
    expect(sessionFailureText).toMatchObject({
      unsupported: 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).',
      'no-port-connected': 'No ports are connected',
      'no-port-selected': 'Please select a connected port first',
      'not-connected': 'Port {port} is not connected',
      'already-connected': 'Port {port} is already connected',
      'send-while-disconnecting': 'Cannot send data - Port {port} is disconnecting',
    });
    expect(sessionFailureText['permission-denied']).toMatch(/^Serial permission denied: /);
    expect(sessionFailureText.busy).toMatch(/^Error connecting to Port \{port\}: /);
  });
});
