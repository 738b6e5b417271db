import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { SecretMask, Secrets } from './secret-mask.ts';
import { utf8 } from './testing/line-channels.ts';
import { connected, received, testRig } from './testing/test-rig.ts';

const secret = 'correct horse';

function masked(secrets: readonly string[] = [secret]) {
  const clock = new VirtualClock();
  const kept = new Secrets();
  for (const one of secrets) {
    kept.add(utf8(one));
  }
  const rig = { clock, text: '', mask: new SecretMask(clock, kept, (bytes) => add(bytes)) };
  const add = (bytes: Uint8Array) => {
    rig.text += new TextDecoder().decode(bytes);
  };
  return rig;
}

describe('the mask of a port', () => {
  it.each([1, 2, 3, 5, 8, 100])('hides a secret in pieces of %i bytes', (size) => {
    const rig = masked();
    const line = utf8('a corr correct horse, Correct horse cocorrect horse\n');
    for (let at = 0; at < line.length; at += size) {
      rig.mask.take(line.slice(at, at + size));
    }
    expect(rig.text).toBe('a **** *************, Correct horse co*************\n');
  });

  it('hides the letters that a console draws one by one', () => {
    const rig = masked();
    for (let length = 1; length <= secret.length; length++) {
      rig.mask.take(utf8(`\r> ${secret.slice(0, length)}`));
    }
    rig.mask.take(utf8('\n'));
    expect(rig.text).not.toMatch(/corr/);
  });

  it('passes on what it holds back after a pause, and still hides the rest', async () => {
    const rig = masked();
    rig.mask.take(utf8('cor'));
    expect(rig.text).toBe('');
    await rig.clock.advance(100);
    expect(rig.text).toBe('cor');
    rig.mask.take(utf8('rect'));
    await rig.clock.advance(100);
    expect(rig.text).toBe('cor****');
    rig.mask.take(utf8(' horse!'));
    expect(rig.text).toBe('cor**********!');
    expect(rig.clock.pending).toBe(0);
  });

  it('keeps the number of bytes, and every byte that is no secret', () => {
    const rig = masked([secret, 'cor&other']);
    const line = 'cor cor&othe cor&other correct';
    rig.mask.take(utf8(line));
    rig.mask.end();
    expect(rig.text).toBe('cor ******** ********* *******');
    expect(rig.text).toHaveLength(line.length);
  });

  it('passes bytes on as they are without a secret, and with a secret that is too short', () => {
    const rig = masked(['abc']);
    rig.mask.take(utf8('abc'));
    expect(rig.text).toBe('abc');
  });
});

describe('a concealed secret', () => {
  it('is in no line, no conversation and no byte that is passed on', async () => {
    const passedOn: number[] = [];
    const test = testRig({ onReceived: (_port, bytes) => passedOn.push(...bytes) });
    const device = await connected(test);
    const talk = test.bench.converse(1);
    test.bench.conceal(utf8(secret));
    device.receive(utf8('wifi password: correct '));
    device.receive(utf8('horse\r\n'));
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['wifi password: *************']);
    expect(new TextDecoder().decode(Uint8Array.from(passedOn))).toBe('wifi password: *************\r\n');
    const heard = talk.end().entries.flatMap((entry) => (entry.kind === 'received' ? [...entry.bytes] : []));
    expect(new TextDecoder().decode(Uint8Array.from(heard))).toBe('wifi password: *************\r\n');
    expect(test.bench.statistics(1).received).toMatchObject({ bytes: 30 });
  });

  it('is not held back at the end of a connection', async () => {
    const test = testRig();
    const device = await connected(test);
    test.bench.conceal(utf8(secret));
    device.receive(utf8('cor'));
    await test.clock.settle();
    await test.bench.disconnect(1);
    expect(received(test.bench)).toEqual(['cor']);
    expect(test.clock.pending).toBe(0);
  });
});

describe('a port on which Wi-Fi is set up', () => {
  it('gives text to the log, counts it once, and says why a transfer must wait', async () => {
    const test = testRig();
    const device = await connected(test);
    const hold = test.bench.jobs.holdForTransfer(1, (bytes) => hold.pass(bytes), 'improv');
    device.receive(utf8('boot\n'));
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['boot']);
    expect(test.bench.statistics(1).received).toMatchObject({ bytes: 5 });
    expect(() => test.bench.jobs.holdForTransfer(1, () => undefined)).toThrow(
      'Wi-Fi is being set up on Port 1. Wait until it is done, or stop it.',
    );
    hold.release(utf8('rest\n'));
    expect(received(test.bench)).toEqual(['boot', 'rest']);
    hold.pass(utf8('late\n'));
    expect(received(test.bench)).toEqual(['boot', 'rest']);
  });
});
