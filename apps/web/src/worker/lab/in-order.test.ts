import { expect, it } from 'vitest';
import { InOrder } from './in-order.ts';

it('begins nothing before what was given earlier has ended, and gives each its own result', async () => {
  const order = new InOrder();
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const results = [
    order.run(() => {
      begun.push('first');
      return first.promise;
    }),
    order.run(() => {
      begun.push('second');
      return 'two';
    }),
  ];
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual(['first']);
  first.resolve('one');
  expect(await Promise.all(results)).toEqual(['one', 'two']);
  expect(begun).toEqual(['first', 'second']);
});

it('reports a failure to the caller, thrown or rejected, and goes on', async () => {
  const order = new InOrder();
  const thrown = order.run(() => {
    throw new Error('thrown');
  });
  const rejected = order.run(() => Promise.reject(new Error('rejected')));
  const last = order.run(() => 'done');
  await expect(thrown).rejects.toThrow('thrown');
  await expect(rejected).rejects.toThrow('rejected');
  expect(await last).toBe('done');
});

it('runs work that other work adds after it', async () => {
  const order = new InOrder();
  const done: string[] = [];
  let inner: Promise<unknown> = Promise.resolve();
  await order.run(() => {
    inner = order.run(() => done.push('inner'));
    done.push('outer');
  });
  await inner;
  expect(done).toEqual(['outer', 'inner']);
});
