import type { DecoderDraft } from '@wirebench/contract/decoders';
import { frameEncoder } from '@wirebench/frames/frame-input';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { changeKept, keepDecoder } from '../../../workbench/decoders/kept-decoders.ts';
import { encodeTypedFrame } from './typed-frames.lazy.ts';

vi.mock('@wirebench/frames/frame-input', { spy: true });

const bus = (kind: 'sum8' | 'xor8'): string =>
  JSON.stringify({
    name: 'bus',
    title: 'Bus',
    framing: { kind: 'gap', ms: 10 },
    checksum: { kind },
  } satisfies DecoderDraft);

describe('encoders of typed frames', () => {
  beforeEach(() => {
    resetStores();
    vi.mocked(frameEncoder).mockClear();
  });

  it('are made once for each ready decoder, not for each key', () => {
    for (const text of ['B5', 'B5 62', 'B5 62 0A 04 00 00']) {
      encodeTypedFrame('ubx', text);
    }
    expect(encodeTypedFrame('ubx', 'B5 62 0A 04 00 00').ok).toBe(true);
    expect(frameEncoder).toHaveBeenCalledTimes(1);
  });

  it('are made again for an own decoder whose content has changed', () => {
    const kept = keepDecoder(bus('sum8'));
    if (!kept.ok) {
      throw new Error(kept.reason);
    }
    const bytes = () => encodeTypedFrame(kept.id, '01 03');
    expect([bytes(), bytes()]).toEqual(Array(2).fill({ ok: true, bytes: Uint8Array.of(1, 3, 4) }));
    expect(frameEncoder).toHaveBeenCalledTimes(1);
    changeKept(kept.id, { text: bus('xor8') });
    expect([bytes(), bytes()]).toEqual(Array(2).fill({ ok: true, bytes: Uint8Array.of(1, 3, 2) }));
    expect(frameEncoder).toHaveBeenCalledTimes(2);
    changeKept(kept.id, { text: '{' });
    expect([bytes(), bytes()]).toEqual(Array(2).fill({ ok: false, message: expect.stringContaining('has faults') }));
    expect(frameEncoder).toHaveBeenCalledTimes(2);
  });
});
