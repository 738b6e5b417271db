import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../testing/node-crypto.ts';
import { answerHello, makeHello } from './handshake.ts';
import { Opener, Sealer } from './sealed-frames.ts';
import { type SealingCrypto, webCrypto } from './sealing-crypto.ts';
import { makeSecret, readSecret } from './secret.ts';

const key = Uint8Array.from({ length: 32 }, (_, at) => at * 7);
const pair = async (crypto: SealingCrypto, other = crypto) => ({
  sealer: new Sealer(await crypto.cipher(key), 3, 0x0102_0304),
  opener: new Opener(await other.cipher(key), 0x0102_0304),
});
const plain = Uint8Array.of(1, 2, 3);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  );

describe('sealed frames', () => {
  it('come out of WebCrypto as Node sealed them, and the other way round', async () => {
    for (const [one, other] of [
      [webCrypto, nodeCrypto(1)],
      [nodeCrypto(1), webCrypto],
    ] as const) {
      const { sealer, opener } = await pair(one, other);
      for (let turn = 0; turn < 3; turn++) {
        expect(await opener.open(await sealer.seal(plain))).toEqual(plain);
      }
    }
  });

  it('are refused when any byte of them is another', async () => {
    const { sealer, opener } = await pair(nodeCrypto(1));
    const frame = await sealer.seal(plain);
    for (let at = 1; at < frame.length; at++) {
      const changed = frame.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(['malformed', 'forged', 'lost-frame']).toContain(await codeOf(opener.open(changed)));
    }
    expect(await opener.open(frame)).toEqual(plain);
  });

  it('are refused when they come again, too early, cut off, or of another type', async () => {
    const { sealer, opener } = await pair(nodeCrypto(1));
    const [first, second] = [await sealer.seal(plain), await sealer.seal(plain)];
    expect(await codeOf(opener.open(second))).toBe('lost-frame');
    await opener.open(first);
    expect(await codeOf(opener.open(first))).toBe('replayed');
    expect(await codeOf(opener.open(second.slice(0, -1)))).toBe('forged');
    expect(await codeOf(opener.open(second.slice(0, 12)))).toBe('malformed');
    expect(await codeOf(opener.open(Uint8Array.of(4, ...second.subarray(1))))).toBe('forged');
    await opener.open(second);
  });

  it('end with the numbers of a key, before one could come twice', async () => {
    const sealer = new Sealer(await nodeCrypto(1).cipher(key), 3, 1, 2);
    await sealer.seal(plain);
    await sealer.seal(plain);
    expect(await codeOf(sealer.seal(plain))).toBe('exhausted');
  });

  it('never have a nonce twice, also when many are sealed at once', async () => {
    const nonces = new Set<string>();
    const crypto = nodeCrypto(1, (_key, nonce) => nonces.add(nonce.join()));
    const sealer = new Sealer(await crypto.cipher(key), 3, 9);
    await Promise.all(Array.from({ length: 500 }, () => sealer.seal(plain)));
    expect(nonces.size).toBe(500);
  });
});

describe('a handshake', () => {
  const secret = readSecret(makeSecret(nodeCrypto(5)));

  it.each([
    ['WebCrypto', webCrypto, webCrypto],
    ['Node', nodeCrypto(1), nodeCrypto(2)],
    ['one of each', webCrypto, nodeCrypto(2)],
  ] as const)('gives both sides the same keys, and new keys each time: %s', async (_name, guest, host) => {
    const names = new Set<number>();
    for (let turn = 0; turn < 2; turn++) {
      const hello = await makeHello(guest, secret);
      const { frame, keys } = await answerHello(host, secret, hello.frame);
      const ours = await hello.answer(frame);
      expect(await keys.opener.open(await ours.sealer.seal(plain))).toEqual(plain);
      expect(await ours.opener.open(await keys.sealer.seal(plain))).toEqual(plain);
      names.add(keys.opener.key);
    }
    expect(names.size).toBe(2);
  });

  it('does not seal both directions alike', async () => {
    const hello = await makeHello(nodeCrypto(1), secret);
    const { frame, keys } = await answerHello(nodeCrypto(2), secret, hello.frame);
    const ours = await hello.answer(frame);
    expect(await codeOf(ours.opener.open(await ours.sealer.seal(plain)))).toBe('forged');
    expect(await keys.sealer.seal(plain)).not.toEqual(await ours.sealer.seal(plain));
  });

  it('tells a guest with another key that it is the wrong one, from the first answer', async () => {
    const hello = await makeHello(nodeCrypto(1), readSecret(makeSecret(nodeCrypto(6))));
    const { frame } = await answerHello(nodeCrypto(2), secret, hello.frame);
    expect(await codeOf(hello.answer(frame))).toBe('wrong-key');
  });

  it('is refused when any byte was changed on its way', async () => {
    const crypto = nodeCrypto(1);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, mask, isHello) => {
        const hello = await makeHello(crypto, secret);
        const change = (frame: Uint8Array) => {
          const changed = frame.slice();
          changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ mask;
          return changed;
        };
        const outcome = await codeOf(
          answerHello(crypto, secret, isHello ? change(hello.frame) : hello.frame).then(({ frame }) =>
            hello.answer(isHello ? frame : change(frame)),
          ),
        );
        // Byte 0 is the type, which is checked before a frame gets here.
        if (outcome === 'no error') {
          expect(isHello).toBe(false);
          expect(at % 115).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is refused with wrong-version for another version', async () => {
    const hello = await makeHello(nodeCrypto(1), secret);
    const other = Uint8Array.of(1, 2, ...hello.frame.subarray(2));
    expect(await codeOf(answerHello(nodeCrypto(2), secret, other))).toBe('wrong-version');
  });
});

describe('the secret in a link', () => {
  it('has 256 bits, and no other text is taken for one', () => {
    const text = makeSecret(webCrypto);
    expect(readSecret(text).length).toBe(32);
    for (const other of ['', text.slice(1), `${text}A`, text.replace(/./, '+'), `${text.slice(0, 42)} `]) {
      expect(() => readSecret(other)).toThrow('key');
    }
  });
});
