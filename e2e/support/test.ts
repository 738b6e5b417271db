/** `test` for every end-to-end test: a page on which a breach of the content security policy or a script error fails. */
import { test as base, expect } from '@playwright/test';
import { noteToasts } from './toasts.ts';

declare global {
  interface Window {
    reportPolicyViolation(violation: string): void;
  }
}

export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ context }, use) => {
      const faults: string[] = [];
      await noteToasts(context);
      // A file chooser that opens before Playwright listens is the system's own, and nobody hears of it: it listens from the start.
      context.on('page', (page) => page.on('filechooser', () => undefined));
      context.on('weberror', (error) => faults.push(`script error: ${error.error().stack ?? error.error().message}`));
      await context.exposeFunction('reportPolicyViolation', (violation: string) => faults.push(violation));
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
          window.reportPolicyViolation(`policy violation: ${effectiveDirective} ${blockedURI} in ${sourceFile}`);
        });
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
