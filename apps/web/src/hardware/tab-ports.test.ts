import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import {
  answerPeriod,
  type HeldPort,
  type Holder,
  missedRounds,
  type PortRequestAnswer,
  portRequestPeriod,
  roundPeriod,
  type TabChannel,
  TabPorts,
} from './tab-ports.ts';

const cp2102 = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
const ch340 = { usbVendorId: 0x1a86, usbProductId: 0x7523 };

/** Tabs that hear each other but never themselves, as with a BroadcastChannel. */
class Browser {
  readonly clock = new VirtualClock();
  messages = 0;
  readonly #ends: ((event: MessageEvent) => void)[][] = [];

  /** @param delay Delivery time of this tab's messages, in milliseconds. */
  open(
    tab: string,
    held: HeldPort[] = [],
    asked = (_port: number) => Promise.resolve<PortRequestAnswer>('kept'),
    delay = 0,
  ) {
    const own: ((event: MessageEvent) => void)[] = [];
    this.#ends.push(own);
    const channel: TabChannel = {
      addEventListener: (_type, listener) => own.push(listener),
      postMessage: (data) => {
        this.messages++;
        const deliver = () => {
          for (const listener of this.#ends.filter((end) => end !== own).flat()) {
            listener(new MessageEvent('message', { data: structuredClone(data) }));
          }
        };
        if (delay === 0) {
          deliver();
        } else {
          this.clock.schedule(delay, deliver);
        }
      },
    };
    return new TabPorts({ channel, clock: this.clock, tab, held: () => held, asked });
  }

  /** Returns the reported holders after all tabs had time to answer. */
  async whoHolds(tabPorts: TabPorts, info: SerialPortInfo) {
    const reported: (readonly Holder[])[] = [];
    const end = tabPorts.watchHolders(info, (holders) => reported.push(holders));
    await this.clock.advance(answerPeriod);
    end();
    const holders = reported.at(-1);
    if (holders === undefined) {
      throw new Error('Nothing was reported.');
    }
    return holders;
  }
}

describe('the ports of other tabs', () => {
  it('finds the tab that holds a board of that kind, under the name that it has there', async () => {
    const browser = new Browser();
    const here = browser.open('here');
    browser.open('a', [{ port: 2, name: 'S3 gateway', info: cp2102 }]);
    browser.open('b', [{ port: 1, name: 'Port 1', info: ch340 }]);
    expect(await browser.whoHolds(here, cp2102)).toEqual([{ tab: 'a', port: 2, name: 'S3 gateway', info: cp2102 }]);
  });

  it('find no tab if no other one holds a board of that kind', async () => {
    const browser = new Browser();
    const here = browser.open('here', [{ port: 1, name: 'Port 1', info: cp2102 }]);
    browser.open('a');
    expect(await browser.whoHolds(here, cp2102)).toEqual([]);
  });

  describe('watch for a board', () => {
    const held: HeldPort = { port: 2, name: 'S3 gateway', info: cp2102 };

    /** A tab that watches the holders of a board, and the names under which they hold it, at each report. */
    function watch(ports: HeldPort[], delay?: number) {
      const browser = new Browser();
      const here = browser.open('here');
      browser.open('a', ports, undefined, delay);
      const reported: string[][] = [];
      const end = here.watchHolders(cp2102, (holders) => reported.push(holders.map(({ name }) => name)));
      return { browser, reported, end };
    }

    it('accepts a tab that answers later than the others', async () => {
      const { browser, reported, end } = watch([held], answerPeriod + 300);
      await browser.clock.advance(answerPeriod);
      expect(reported).toEqual([[]]);
      await browser.clock.advance(10 * roundPeriod);
      expect(reported).toEqual([[], ['S3 gateway']]);
      end();
    });

    it('reports a board that is opened, renamed and released', async () => {
      const ports: HeldPort[] = [];
      const { browser, reported, end } = watch(ports);
      await browser.clock.advance(3 * roundPeriod);
      ports.push(held);
      await browser.clock.advance(3 * roundPeriod);
      ports[0] = { ...held, name: 'Gateway' };
      await browser.clock.advance(3 * roundPeriod);
      ports.pop();
      await browser.clock.advance((missedRounds - 1) * roundPeriod);
      expect(reported.at(-1)).toEqual(['Gateway']);
      await browser.clock.advance(2 * roundPeriod);
      expect(reported).toEqual([[], ['S3 gateway'], ['Gateway'], []]);
      end();
    });

    it('asks no tab and reports nothing after its end', async () => {
      const ports: HeldPort[] = [];
      const { browser, reported, end } = watch(ports);
      await browser.clock.advance(roundPeriod);
      end();
      const asked = browser.messages;
      ports.push(held);
      await browser.clock.advance(10 * roundPeriod);
      expect(browser.messages).toBe(asked);
      expect(reported).toEqual([[]]);
    });
  });

  it('asks only the intended tab, and returns its answer', async () => {
    const browser = new Browser();
    const asked: string[] = [];
    const answering = (tab: string, answer: PortRequestAnswer) => (port: number) => {
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
    await browser.clock.advance(portRequestPeriod);
    expect(await outcome).toBe('no-answer');
  });

  it('ignores the answer of a third tab', async () => {
    const browser = new Browser();
    const here = browser.open('here');
    let release: (answer: PortRequestAnswer) => void = () => undefined;
    browser.open('a', [], () => new Promise((resolve) => (release = resolve)));
    const other = browser.open('other');
    browser.open('b', [], () => Promise.resolve('released'));
    const outcome = here.askToRelease({ tab: 'a', port: 1, name: 'Port 1', info: cp2102 });
    await other.askToRelease({ tab: 'b', port: 1, name: 'Port 1', info: cp2102 });
    release('kept');
    expect(await outcome).toBe('kept');
  });
});
