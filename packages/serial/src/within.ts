/** Waiting for something that may never come. */
import type { Clock } from '@wirebench/clock';

/** What has become of `work` within `limit` milliseconds. Leaves no timer behind; never rejects. */
export function within(
  clock: Clock,
  limit: number,
  work: Promise<unknown>,
): Promise<'fulfilled' | 'rejected' | 'late'> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(limit, () => resolve('late'));
    const settle = (outcome: 'fulfilled' | 'rejected') => {
      cancel();
      resolve(outcome);
    };
    work.then(
      () => settle('fulfilled'),
      () => settle('rejected'),
    );
  });
}
