import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { crashReport } from '../../testing/crash-reports.ts';
import type { CrashRepository } from './crashes.repository.ts';
import { crashService } from './crashes.service.ts';

const versionId = 'version of A';
const { fingerprint } = crashReport();

/** Returns the owner of both projects with a token for one of them, or without a token. */
const owner = (projectId?: string): Actor => ({
  user: { subject: 'maker', username: 'maker', name: null, email: null, picture: null, roles: [] },
  token: projectId === undefined ? null : { id: 't', name: 'CI', projectId },
});

/** Returns a service with one version that the owner has in project A, and the names of the calls that changed or read crashes. */
function service() {
  const calls: string[] = [];
  const note =
    <Result>(name: string, result: Result) =>
    async (): Promise<Result> => {
      calls.push(name);
      return result;
    };
  const crashes = {
    isOwner: async (_versionId: string, subject: string) => subject === 'maker',
    page: note('page', []),
    count: note('count', 0),
    find: note('find', null),
    examples: note('examples', []),
    memory: note('memory', 'AA=='),
    remove: note('remove', true),
    removeAll: note('removeAll', undefined),
  } satisfies Partial<CrashRepository>;
  const inbox = { add: note('add', undefined), settle: async () => undefined };
  const made = crashService({
    crashes: crashes as unknown as CrashRepository,
    inbox,
    clock: new VirtualClock(0),
    publicVersion: async () => versionId,
    projectOf: async (id) => (id === versionId ? 'A' : null),
  });
  return { made, calls };
}

const id = { versionId, fingerprint };
type Service = ReturnType<typeof service>['made'];
const uses: Readonly<Record<string, (made: Service, actor: Actor) => Promise<unknown>>> = {
  receiveOwn: (made, actor) => made.receiveOwn(versionId, actor, crashReport()),
  list: (made, actor) => made.list(versionId, actor, { limit: 10, skip: 0 }),
  dump: (made, actor) => made.dump(id, 'example', actor),
  remove: (made, actor) => made.remove(id, actor),
  removeAll: (made, actor) => made.removeAll(versionId, actor),
};

describe.each(Object.entries(uses))('crash service, %s', (_name, use) => {
  it('refuses a token for another project of the same owner', async () => {
    const { made, calls } = service();
    await expect(use(made, owner('B'))).rejects.toMatchObject({ code: 'not-found' });
    expect(calls).toEqual([]);
  });

  it('accepts the owner, and a token for the project', async () => {
    for (const actor of [owner(), owner('A')]) {
      const { made, calls } = service();
      await use(made, actor);
      expect(calls).not.toEqual([]);
    }
  });
});
