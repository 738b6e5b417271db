import { beforeEach, describe, expect, it } from 'vitest';
import { SendHistory } from './send-history.ts';
import type { Message } from './send-message.ts';

function memoryOf() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const typed = (text: string, how: Partial<Message> = {}): Message => ({ text, mode: 'text', lineEnding: 'lf', ...how });

describe('send history', () => {
  let storage: ReturnType<typeof memoryOf>;
  let history: SendHistory;
  beforeEach(() => {
    storage = memoryOf();
    history = new SendHistory(storage);
    history.add(typed('help'));
    history.add(typed('info'));
  });

  it('walks back to the oldest message and stays there', () => {
    expect(history.older(typed(''))).toEqual(typed('info'));
    expect(history.older(typed('info'))).toEqual(typed('help'));
    expect(history.older(typed('help'))).toBeNull();
  });

  it('gives the draft back after the newest message, as it was typed', () => {
    const draft = typed('0D 0', { mode: 'hex' });
    expect(history.older(draft)).toEqual(typed('info'));
    expect(history.older(typed('info'))).toEqual(typed('help'));
    expect(history.newer()).toEqual(typed('info'));
    expect(history.newer()).toEqual(draft);
    expect(history.newer()).toBeNull();
  });

  it('keeps kind and ending of each message', () => {
    history.add(typed('0D 0A', { mode: 'hex', lineEnding: 'crlf' }));
    history.add(typed(String.raw`\x03`, { mode: 'escapes', lineEnding: 'none' }));
    expect(history.older(typed(''))).toEqual(typed(String.raw`\x03`, { mode: 'escapes', lineEnding: 'none' }));
    expect(history.older(typed(''))).toEqual(typed('0D 0A', { mode: 'hex', lineEnding: 'crlf' }));
  });

  it('starts from the newest again after something was sent', () => {
    history.older(typed(''));
    history.older(typed(''));
    history.add(typed('adc'));
    expect(history.older(typed(''))).toEqual(typed('adc'));
  });

  it('remembers the same message once, and an empty one never', () => {
    history.add(typed('info'));
    history.add(typed(''));
    expect(history.older(typed(''))).toEqual(typed('info'));
    expect(history.older(typed(''))).toEqual(typed('help'));
  });

  it('has nothing to give before anything was sent', () => {
    const empty = new SendHistory(memoryOf());
    expect(empty.isEmpty).toBe(true);
    expect(empty.older(typed('x'))).toBeNull();
    expect(empty.newer()).toBeNull();
  });

  it('forgets the oldest of very many', () => {
    for (let index = 0; index < 500; index++) {
      history.add(typed(`message ${index}`));
    }
    let steps = 0;
    while (history.older(typed('')) !== null) {
      steps++;
    }
    expect(steps).toBe(50);
  });

  it('is there again after a reload of the tab', () => {
    history.add(typed('0D 0A', { mode: 'hex' }));
    const reloaded = new SendHistory(storage);
    expect(reloaded.older(typed(''))).toEqual(typed('0D 0A', { mode: 'hex' }));
    expect(reloaded.older(typed(''))).toEqual(typed('info'));
  });

  it('finds messages by any part, the newest first and each once', () => {
    history.add(typed('wifi status'));
    history.add(typed('WIFI connect'));
    history.add(typed('wifi status'));
    expect(history.find('Wifi').map(({ text }) => text)).toEqual(['wifi status', 'WIFI connect']);
    expect(history.find('nothing')).toEqual([]);
  });

  it('leaves nothing in the tab when it is forgotten', () => {
    history.forget();
    expect(history.isEmpty).toBe(true);
    expect(history.older(typed(''))).toBeNull();
    expect([...storage.items]).toEqual([]);
  });

  it.each(['{', '[]', '{"version":1}', '{"version":2,"sent":[{"text":"x","mode":"text","lineEnding":"lf"}]}'])(
    'begins empty from unreadable text: %s',
    (text) => {
      storage.setItem('wirebench.sent', text);
      expect(new SendHistory(storage).isEmpty).toBe(true);
    },
  );

  it('leaves out entries that it cannot read', () => {
    const entries = [null, { text: 7 }, { text: 'x', mode: 'morse', lineEnding: 'lf' }, typed('ok')];
    storage.setItem('wirebench.sent', JSON.stringify({ version: 1, sent: entries }));
    expect(new SendHistory(storage).find('')).toEqual([typed('ok')]);
  });
});
