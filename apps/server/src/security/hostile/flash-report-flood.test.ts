/** Flash reports from as many addresses as a client has: providers assign 2^64 of IPv6 to each customer. */
import { demoReleaseId, sharedFirmwarePaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { buildTestApp } from '../../testing/test-app.ts';

const LIMIT = 5;

async function start() {
  const test = await buildTestApp({ TRUST_PROXY: 'on', RATE_LIMIT_WRITES: String(LIMIT) });
  const report = async (address: string) => {
    const answer = await test.app.inject({
      method: 'POST',
      url: sharedFirmwarePaths.flashes(demoReleaseId),
      headers: { 'x-forwarded-for': address },
      payload: { result: 'success' },
    });
    return answer.statusCode;
  };
  return { report, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe('a flood of flash reports', () => {
  it('from many addresses of one /64 counts as one', async () => {
    await using test = await start();
    const statuses: number[] = [];
    for (let number = 1; number <= 100; number++) {
      statuses.push(await test.report(`2001:db8:1:2:${number.toString(16)}::${number}`));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(100 - LIMIT);
    expect(await test.report('2001:db8:1:3::1')).not.toBe(429);
  });

  it('from an IPv4 address counts as one however it is written', async () => {
    await using test = await start();
    const statuses: number[] = [];
    for (let number = 0; number < 10; number++) {
      statuses.push(await test.report(number % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(10 - LIMIT);
    expect(await test.report('192.0.2.2')).not.toBe(429);
  });

  it('from what is no address counts as one', async () => {
    await using test = await start();
    const statuses: number[] = [];
    for (let number = 0; number < 10; number++) {
      statuses.push(await test.report(`nonsense ${number}`));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(10 - LIMIT);
  });
});
