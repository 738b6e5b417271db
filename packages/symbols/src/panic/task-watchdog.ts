/**
 * Parses messages of ESP-IDF's task watchdog (`task_wdt.c`) in a log or in the details of a core dump: the tasks that
 * did not report.
 */

/** Matches ` - IDLE0 (CPU 0)`. Watchdog users that are not tasks have no core. */
const STARVED = /^\s*- (\S.{0,39}?(?: \(CPU [01/]{1,3}\))?)\s*$/;

/** Returns the tasks in a multi-line watchdog message; empty for any other message. */
export function starvedTasks(message: string): readonly string[] {
  const [head = '', ...lines] = message.split('\n');
  return /Task watchdog got triggered/.test(head) ? lines.flatMap((line) => STARVED.exec(line)?.[1] ?? []) : [];
}

/**
 * Returns the title of a crash by the task watchdog.
 * @param tasks at least one; duplicates are ignored
 */
export function starvedTitle(tasks: readonly string[]): string {
  const different = [...new Set(tasks)];
  const last = different.at(-1) ?? '';
  const names = different.length < 2 ? last : `${different.slice(0, -1).join(', ')} and ${last}`;
  return `Task watchdog: ${names} did not report in time`;
}
