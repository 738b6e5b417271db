import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { type HeldPort, type ReleaseAnswer, RollCall, releasePeriod, type TabChannel } from './roll-call.ts';

const cp2102 = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const ch340 = { usbVendorId: 0x1a86, usbProductId: 0x7523 };

/** Tabs that hear each other, but never themselves, as with a BroadcastChannel. */
class Browser {
  readonly clock = new VirtualClock();
  readonly #ends: ((event: MessageEvent) => void)[][] = [];

  open(tab: string, held: HeldPort[] = [], asked = (_port: number) => Promise.resolve<ReleaseAnswer>('kept')) {
    const own: ((event: MessageEvent) => void)[] = [];
    this.#ends.push(own);
    const channel: TabChannel = {
      addEventListener: (_type, listener) => own.push(listener),
      postMessage: (data) => {
        for (const listener of this.#ends.filter((end) => end !== own).flat()) {
          listener(new MessageEvent('message', { data: structuredClone(data) }));
        }
      },
    };
    return new RollCall({ channel, clock: this.clock, tab, held: () => held, asked });
  }

  async whoHolds(roll: RollCall, info: SerialPortInfo) {
    const answer = roll.whoHolds(info);
    await this.clock.advance(1_000);
    return answer;
  }
}

describe('roll-call between tabs', () => {
  it('finds the tab that holds a board of that kind, under the name that it has there', async () => {
    const browser = new Browser();
    const here = browser.open('here');
    browser.open('a', [{ port: 2, name: 'S3 gateway', info: cp2102 }]);
    browser.open('b', [{ port: 1, name: 'Port 1', info: ch340 }]);
    expect(await browser.whoHolds(here, cp2102)).toEqual([{ tab: 'a', port: 2, name: 'S3 gateway', info: cp2102 }]);
  });

  it('finds nobody when no other tab holds one, whatever this tab holds itself', async () => {
    const browser = new Browser();
    const here = browser.open('here', [{ port: 1, name: 'Port 1', info: cp2102 }]);
    browser.open('a');
    expect(await browser.whoHolds(here, cp2102)).toEqual([]);
  });

  it('asks only the tab that was meant, and brings its answer back', async () => {
    const browser = new Browser();
    const asked: string[] = [];
    const answering = (tab: string, answer: ReleaseAnswer) => (port: number) => {
      asked.push(`${tab} for ${port}`);
      return Promise.resolve(answer);
    };
    const here = browser.open('here');
    browser.open('a', [{ port: 3, name: 'Port 3', info: cp2102 }], answering('a', 'released'));
    browser.open('b', [{ port: 3, name: 'Port 3', info: cp2102 }], answering('b', 'kept'));
    const [first, second] = await browser.whoHolds(here, cp2102);
    expect(first && (await here.askToRelease(first))).toBe('released');
    expect(asked).toEqual(['a for 3']);
    expect(second && (await here.askToRelease(second))).toBe('kept');
  });

  it('gives up on a tab that was closed before it answered', async () => {
    const browser = new Browser();
    const here = browser.open('here');
    const outcome = here.askToRelease({ tab: 'gone', port: 1, name: 'Port 1', info: cp2102 });
    await browser.clock.advance(releasePeriod);
    expect(await outcome).toBe('no-answer');
  });

  it('does not take the answer of a third tab for the one that is waited for', async () => {
    const browser = new Browser();
    const here = browser.open('here');
    let release: (answer: ReleaseAnswer) => void = () => undefined;
    browser.open('a', [], () => new Promise((resolve) => (release = resolve)));
    const other = browser.open('other');
    browser.open('b', [], () => Promise.resolve('released'));
    const outcome = here.askToRelease({ tab: 'a', port: 1, name: 'Port 1', info: cp2102 });
    await other.askToRelease({ tab: 'b', port: 1, name: 'Port 1', info: cp2102 });
    release('kept');
    expect(await outcome).toBe('kept');
  });
});
