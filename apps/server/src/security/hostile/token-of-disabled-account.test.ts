/** A disabled account still has a publishing token in an unattended build. */
import { ErrorAnswer, firmwarePaths, NewTokenAnswer, ProjectAnswer, tokenPaths } from '@wirebench/contract';
import { expect, it } from 'vitest';
import { accounts, lab, startServerWithAccounts } from '../../testing/local-accounts.ts';
import { signInWithPassword } from '../../testing/sign-in.ts';

it('a publishing token of a disabled account is refused from the next call on, until the account is enabled', async () => {
  await using server = await startServerWithAccounts();
  const call = (token: string, path: string, body?: object) =>
    fetch(`${server.address}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const { access_token: person } = await signInWithPassword(server.address, lab);
  const created = await call(person, firmwarePaths.newProject, { name: 'Weather', deviceModel: 'esp32' });
  const { project } = ProjectAnswer.parse(await created.json());
  const given = await call(person, tokenPaths.tokens, { name: 'CI', projectId: project._id });
  const { secret } = NewTokenAnswer.parse(await given.json());
  const use = async () => {
    const answer = await call(secret, firmwarePaths.projects);
    return answer.ok ? 'let through' : [answer.status, ErrorAnswer.parse(await answer.json()).code];
  };

  expect(await use()).toBe('let through');
  await accounts(server.dataDir, ['disable', lab.username]);
  expect(await use()).toEqual([401, 'token-owner-blocked']);
  await accounts(server.dataDir, ['enable', lab.username]);
  expect(await use()).toBe('let through');
});
