/** Names for what tests store: they share one server, and some of them an account. */
import { test } from '@playwright/test';

/** A name that no other test and no earlier run has; letters and digits only behind `name`. */
export function uniqueName(name: string): string {
  const { workerIndex, retry } = test.info();
  return `${name}${workerIndex}x${retry}x${Date.now().toString(36)}`;
}
