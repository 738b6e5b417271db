import { beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { changeKept, keepDecoder } from '../../../workbench/decoders/kept-decoders.ts';
import { encodeTypedFrame, typingFor } from './typed-frames.lazy.ts';

const bus = (kind: 'sum8' | 'xor8'): string =>
  JSON.stringify({ name: 'bus', title: 'Bus', framing: { kind: 'gap', ms: 10 }, checksum: { kind } });

describe('encoders of typed frames', () => {
  beforeEach(resetStores);

  it('are made once for each ready decoder, not for each key', () => {
    const before = typingFor('ubx');
    for (const text of ['B5', 'B5 62', 'B5 62 0A 04 00 00']) {
      encodeTypedFrame('ubx', text);
    }
    expect(typingFor('ubx')).toBe(before);
    expect(typingFor('modbus')).not.toBe(before);
  });

  it('are made again for an own decoder whose content has changed', () => {
    const kept = keepDecoder(bus('sum8'));
    if (!kept.ok) {
      throw new Error(kept.reason);
    }
    const first = typingFor(kept.id);
    expect(encodeTypedFrame(kept.id, '01 03')).toEqual({ ok: true, bytes: Uint8Array.of(1, 3, 4) });
    expect(typingFor(kept.id)).toBe(first);
    changeKept(kept.id, { text: bus('xor8') });
    expect(encodeTypedFrame(kept.id, '01 03')).toEqual({ ok: true, bytes: Uint8Array.of(1, 3, 2) });
    expect(typingFor(kept.id)).not.toBe(first);
    changeKept(kept.id, { text: '{' });
    expect(typingFor(kept.id)).toBeNull();
    expect(encodeTypedFrame(kept.id, '01 03')).toMatchObject({ message: expect.stringContaining('has faults') });
  });
});
