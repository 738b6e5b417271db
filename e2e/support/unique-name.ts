/** Unique names for data that tests store: all share one server, and some share an account. */
import { test } from '@playwright/test';

/** Returns a name that no other test and no earlier run uses: `name` followed by letters and digits. */
export function uniqueName(name: string): string {
  const { workerIndex, retry } = test.info();
  return `${name}${workerIndex}x${retry}x${Date.now().toString(36)}`;
}
