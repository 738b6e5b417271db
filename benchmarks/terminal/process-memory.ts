/** Memory of a page's process and of its worker's heap. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';

const KIB = 1_024;

/**
 * Returns the anonymous and shared memory of the largest renderer process in bytes. It is the page's process if no
 * other page is active. The browser's program file, which every process maps, is excluded. Undefined if the system
 * does not report it.
 */
export async function heldBytes(browser: Browser): Promise<number | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => heldBy(id));
  return Math.max(...sizes);
}

/** Reads fields of proc_pid_status(5). */
function heldBy(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const sizes = status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm);
  return [...sizes].reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * KIB, 0);
}

/**
 * Returns the bytes of JavaScript objects in the page's worker. Buffers of rings count as external memory and are
 * excluded.
 */
export async function workerHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const heap = new Promise<number>((resolve, reject) => {
    session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result, error } = JSON.parse(message);
      if (id === 1) {
        if (error === undefined) {
          resolve(result.usedSize);
        } else {
          reject(new Error(error.message));
        }
      }
    });
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      const message = JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' });
      void session.send('Target.sendMessageToTarget', { sessionId, message });
    });
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const used = await heap;
  await session.detach();
  return used;
}
