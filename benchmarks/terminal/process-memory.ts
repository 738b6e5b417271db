/** Memory of the process behind a page, and of its worker's heap. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';

const KIB = 1_024;

/**
 * Bytes that the largest renderer process holds for itself, which is the page's when it is the only one that works: its
 * anonymous and shared pages. The browser's program file, which every process maps, is left out. Undefined where the
 * system does not say.
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

/** Fields of proc_pid_status(5). */
function heldBy(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const sizes = status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm);
  return [...sizes].reduce((sum, [, kibibytes]) => sum + Number(kibibytes) * KIB, 0);
}

/** Bytes of JavaScript objects of the page's worker; the buffers of rings are counted elsewhere, as external. */
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
