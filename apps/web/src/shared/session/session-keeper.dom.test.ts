import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import type { RenewalOutcome } from './refresh-grant.ts';
import type { Session } from './session.ts';
import { SessionKeeper } from './session-keeper.ts';
import { SessionStore } from './session-store.ts';
import { START, testSession, testStorage } from './testing.ts';

const refused = (status = 503, error: string | null = null): RenewalOutcome => ({ kind: 'refused', status, error });
const noAnswer: RenewalOutcome = { kind: 'no-answer' };

/** Simulates a tab: a keeper and a store over a storage that tabs share, and a provider with the test's answers. */
function tab(storage = testStorage(), clock = new VirtualClock(START), turn = queue()) {
  const events = new EventTarget();
  const store = new SessionStore(storage, events);
  const answers: RenewalOutcome[] = [];
  const asked: Session[] = [];
  const said: string[] = [];
  store.onEnd((text) => said.push(text));
  const keeper = new SessionKeeper({
    store,
    clock,
    exclusively: turn,
    refresh: async (session) => {
      asked.push(session);
      await Promise.resolve();
      return answers.shift() ?? { kind: 'renewed', session: renewedAt(clock.now(), asked.length) };
    },
  });
  const storageChanged = () => events.dispatchEvent(new StorageEvent('storage', { key: 'wirebench.session' }));
  return { store, keeper, clock, answers, asked, storageChanged, said };
}

function renewedAt(now: number, number: number): Session {
  return testSession({ accessToken: `access-new-${number}`, refreshToken: 'refresh-new', expiresAt: now + 300_000 });
}

/** Runs one task at a time, like the browser's locks across tabs. */
function queue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

describe('session keeper', () => {
  it('renews at the first look that finds less than 70 s left', async () => {
    const { store, keeper, clock, asked } = tab();
    store.save(testSession({ expiresAt: START + 200_000 }));
    keeper.start();
    await clock.advance(120_000);
    expect(asked).toHaveLength(0);
    await clock.advance(60_000);
    expect(asked).toHaveLength(1);
    expect(store.current()?.accessToken).toBe('access-new-1');
  });

  it('stops looking when it is stopped', async () => {
    const { store, keeper, clock, asked } = tab();
    store.save(testSession({ expiresAt: START }));
    keeper.start()();
    await clock.advance(600_000);
    expect(asked).toHaveLength(0);
  });

  it('gives a call the current token while it is valid for 30 s', async () => {
    const { store, keeper, asked } = tab();
    store.save(testSession({ expiresAt: START + 30_000 }));
    expect(await keeper.tokenForCall()).toBe('access-1');
    expect(asked).toHaveLength(0);
  });

  it('renews before a call when less is left, once for all calls that wait', async () => {
    const { store, keeper, asked } = tab();
    store.save(testSession({ expiresAt: START + 29_999 }));
    const tokens = await Promise.all([keeper.tokenForCall(), keeper.tokenForCall(), keeper.tokenForCall()]);
    expect(tokens).toEqual(['access-new-1', 'access-new-1', 'access-new-1']);
    expect(asked).toHaveLength(1);
  });

  it('gives no token without a session', async () => {
    expect(await tab().keeper.tokenForCall()).toBeNull();
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('takes over what another tab renewed, whether it hears of it %s its turn', async (_when, notifiedBefore) => {
    const storage = testStorage();
    const clock = new VirtualClock(START);
    const turn = queue();
    const first = tab(storage, clock, turn);
    first.store.save(testSession({ expiresAt: START + 10_000 }));
    const second = tab(storage, clock, turn);
    first.store.subscribe(() => {
      if (notifiedBefore) {
        second.storageChanged();
      }
    });
    const tokens = await Promise.all([first.keeper.tokenForCall(), second.keeper.tokenForCall()]);
    expect(tokens).toEqual(['access-new-1', 'access-new-1']);
    expect(first.asked.length + second.asked.length).toBe(1);
  });

  it('goes on with a token that is still valid when the renewal before a call fails', async () => {
    const { store, keeper, answers } = tab();
    store.save(testSession({ expiresAt: START + 10_000 }));
    answers.push(refused(), noAnswer);
    expect(await keeper.tokenForCall()).toBe('access-1');
    expect(await keeper.tokenForCall()).toBe('access-1');
  });

  it('says that the session expired when a token that is over cannot be renewed', async () => {
    const { store, keeper, answers } = tab();
    store.save(testSession({ expiresAt: START - 1 }));
    answers.push(refused());
    await expect(keeper.tokenForCall()).rejects.toThrow('Session expired. Please refresh the page to re-authenticate.');
    expect(store.current()).not.toBeNull();
  });

  it('signs out and says so when a call is the third refusal in a row', async () => {
    const { store, keeper, answers, said } = tab();
    store.save(testSession({ expiresAt: START + 10_000 }));
    answers.push(refused(), refused(500), refused(429));
    await keeper.tokenForCall();
    await keeper.tokenForCall();
    await expect(keeper.tokenForCall()).rejects.toThrow('Session expired');
    expect(store.current()).toBeNull();
    expect(said).toEqual(['Session expired. Please refresh the page to re-authenticate.']);
  });

  it('restarts its count of refusals after a successful renewal', async () => {
    const { store, keeper, answers, clock } = tab();
    store.save(testSession({ expiresAt: START + 10_000 }));
    answers.push(refused(), refused());
    await keeper.tokenForCall();
    await keeper.tokenForCall();
    await keeper.tokenForCall();
    await clock.advance(290_000);
    answers.push(refused(), refused());
    await keeper.tokenForCall();
    await keeper.tokenForCall();
    expect(store.current()?.accessToken).toBe('access-new-3');
  });

  it('keeps the session however often the provider does not answer', async () => {
    const { store, keeper, answers, clock, said } = tab();
    store.save(testSession({ expiresAt: START }));
    answers.push(...Array.from({ length: 10 }, () => noAnswer));
    keeper.start();
    await clock.advance(600_000);
    expect(store.current()).not.toBeNull();
    expect(said).toEqual([]);
  });

  it('signs out and says so when a look at the clock is refused', async () => {
    const { store, keeper, answers, clock, said } = tab();
    store.save(testSession({ expiresAt: START + 60_000 }));
    answers.push(refused());
    keeper.start();
    await clock.advance(60_000);
    expect(store.current()).toBeNull();
    expect(said).toEqual(['Session expired. Please refresh the page to re-authenticate.']);
  });

  it('clears the token at a 400', async () => {
    const { store, keeper, answers } = tab();
    store.save(testSession());
    answers.push(refused(400, 'invalid_request'));
    await expect(keeper.tokenAfterRefusal('access-1')).rejects.toThrow('Session expired');
    expect(store.current()).toBeNull();
  });

  it('distinguishes an unanswered renewal from a refused one', async () => {
    const { store, keeper, answers } = tab();
    store.save(testSession());
    answers.push(noAnswer, { kind: 'unusable' }, refused());
    await expect(keeper.tokenAfterRefusal('access-1')).rejects.toThrow(
      'Authentication error. Please refresh the page.',
    );
    await expect(keeper.tokenAfterRefusal('access-1')).rejects.toThrow('Authentication error');
    store.save(testSession());
    await expect(tabWithRefusal().tokenAfterRefusal('access-1')).rejects.toThrow('Session expired');
  });

  it('does not renew for a call whose token was renewed in the meantime', async () => {
    const { store, keeper, asked } = tab();
    store.save(testSession({ accessToken: 'access-2' }));
    expect(await keeper.tokenAfterRefusal('access-1')).toBe('access-2');
    expect(asked).toHaveLength(0);
  });

  it('does not bring back a session that was signed out while it was being renewed', async () => {
    const { store, keeper, said } = tab();
    store.save(testSession({ expiresAt: START + 10_000 }));
    const renewing = keeper.tokenForCall();
    await Promise.resolve();
    store.forget();
    await expect(renewing).rejects.toThrow('Session expired');
    expect(store.current()).toBeNull();
    expect(said).toEqual([]);
  });

  it('ends the session, with a sentence, only for the token that was refused', () => {
    const { store, keeper, said } = tab();
    store.save(testSession({ accessToken: 'access-2' }));
    keeper.end('access-1', 'Too late');
    expect(store.current()).not.toBeNull();
    keeper.end('access-2', 'Please sign in to access jkits');
    expect(store.current()).toBeNull();
    expect(said).toEqual(['Please sign in to access jkits']);
  });
});

function tabWithRefusal(): SessionKeeper {
  const { store, keeper, answers } = tab();
  store.save(testSession());
  answers.push(refused());
  return keeper;
}
