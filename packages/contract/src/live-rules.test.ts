import { describe, expect, it } from 'vitest';
import { liveProtocols, liveSubprotocol, readLiveProtocols } from './live-rules.ts';

describe('the subprotocols of a shared bench', () => {
  it('say who opens the WebSocket', () => {
    for (const caller of [null, { host: 'a-Token_1' }, { resume: 'another' }]) {
      expect(readLiveProtocols(liveProtocols(caller))).toEqual(caller);
    }
  });

  it('are no others', () => {
    for (const offered of [[], [''], ['chat'], ['wirebench.host.x', liveSubprotocol]]) {
      expect(readLiveProtocols(offered)).toBeUndefined();
    }
  });

  it('may be offered with more that is not known', () => {
    expect(readLiveProtocols([liveSubprotocol, 'other', ' wirebench.resume.r'])).toEqual({ resume: 'r' });
  });
});
