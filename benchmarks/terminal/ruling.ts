/** Rules for the scenario with rules, and the time that the page's workers take. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import type { TerminalPage } from './terminal-page.ts';

/** Most rules of one panel. */
export const ruleCount = 50;

/** Clock ticks in a second of proc_pid_stat(5) on Linux. */
const TICKS = 100;

const colours = ['red', 'amber', 'green', 'blue', 'violet'];

/** Rules as in a file: words, expressions and hex, about a fifth of which are found in the lines of the load. */
function fileWithRules(): string {
  const rules = Array.from({ length: ruleCount }, (_, index) => {
    const finds = [`error ${index}`, `/reset ${index}|panic${index}/`, `hex:B5 62 ${hexOf(index)}`, `${hexOf(index)}`];
    const line = index % 5 === 4 ? `/[0-9a-f]{4}${hexOf(index)}$/` : finds[index % 5];
    return { name: `Rule ${index}`, where: 'all', when: { line }, do: { colour: colours[index % 5], mark: index < 5 } };
  });
  return JSON.stringify({ rules });
}

const hexOf = (value: number): string => value.toString(16).padStart(2, '0');

/** Loads the rules by the file button of the tool, then closes the tool. */
export async function loadRules({ page }: TerminalPage): Promise<void> {
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Rules' }).click();
  await page.getByLabel('File with rules').setInputFiles({
    name: 'rules.json',
    mimeType: 'application/json',
    buffer: Buffer.from(fileWithRules()),
  });
  await page.getByText(`${ruleCount} of ${ruleCount} rules loaded`).waitFor();
  await page.getByRole('button', { name: 'Close Rules' }).click();
}

/**
 * Returns the processor time of the workers of all pages so far, in seconds. Undefined if the system does not report
 * it. Chromium names the thread of a worker `DedicatedWorker`.
 */
export async function workerSeconds(browser: Browser): Promise<number | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const threads = processInfo
    .filter(({ type }) => type === 'renderer')
    .flatMap(({ id }) => readdirSync(`/proc/${id}/task`).map((thread) => `/proc/${id}/task/${thread}/stat`))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((stat) => stat.includes('(DedicatedWorker'));
  return threads.length === 0 ? undefined : threads.reduce((sum, stat) => sum + ticksOf(stat), 0) / TICKS;
}

/** Returns `utime` and `stime`, fields 14 and 15. The second field is a name in brackets. */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
