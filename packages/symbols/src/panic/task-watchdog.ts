/** What ESP-IDF's task watchdog says of the tasks that did not report (`task_wdt.c`), in the log and in the details of a core dump. */

/** ` - IDLE0 (CPU 0)`; users that are no tasks have no core. */
const STARVED = /^\s*- (\S.{0,39}?(?: \(CPU [01/]{1,3}\))?)\s*$/;

/** Returns the tasks that a watchdog's message of several lines names; empty for any other message. */
export function starvedTasks(message: string): readonly string[] {
  const [head = '', ...lines] = message.split('\n');
  return /Task watchdog got triggered/.test(head) ? lines.flatMap((line) => STARVED.exec(line)?.[1] ?? []) : [];
}

/** Returns the title of a crash by the task watchdog. @param tasks at least one, each once. */
export function starvedTitle(tasks: readonly string[]): string {
  const different = [...new Set(tasks)];
  const last = different.at(-1) ?? '';
  const names = different.length < 2 ? last : `${different.slice(0, -1).join(', ')} and ${last}`;
  return `Task watchdog: ${names} did not report in time`;
}
