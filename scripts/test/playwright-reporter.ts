/** Writes a `TestReport` of Playwright, which counts a failed `beforeAll` or `afterAll` as a failure of a test. */
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { currentLoad, firstLine, pathInProject, type ReportedTest, writeReport } from './report.ts';

/** @public The runner loads the default export by the path of this file. */
export default class PlaywrightReporter implements Reporter {
  readonly #loads = new Map<string, number>();
  readonly #errors: string[] = [];
  #root: Suite | null = null;

  onBegin(_: FullConfig, root: Suite): void {
    this.#root = root;
  }

  onTestEnd(test: TestCase): void {
    this.#loads.set(test.id, currentLoad());
  }

  onError({ message, value, location }: TestError): void {
    const place = location === undefined ? '' : `${pathInProject(location.file)}:${location.line}: `;
    this.#errors.push(`Outside of tests: ${place}${firstLine(message ?? value)}`);
  }

  onEnd(): void {
    const files = (this.#root?.suites ?? []).flatMap((project) =>
      project.suites.map((file) => ({
        project: project.title,
        path: pathInProject(file.location?.file ?? file.title),
        tests: file.allTests().map((test) => this.#testOf(test)),
        failedHooks: [],
      })),
    );
    writeReport({ files, errors: this.#errors });
  }

  #testOf(test: TestCase): ReportedTest {
    const outcome = test.outcome();
    const last = test.results.at(-1);
    const isSkipped = outcome === 'skipped';
    const state = isSkipped ? 'skipped' : outcome === 'expected' ? 'passed' : 'failed';
    return {
      // The first titles are those of the project and the file.
      name: test.titlePath().slice(3).join(' › '),
      state,
      // A test that a failed hook kept from running still expects to pass.
      isSkippedOnPurpose: isSkipped && test.expectedStatus === 'skipped',
      error: state === 'failed' ? firstLine(last?.error?.message ?? last?.error?.value) : '',
      load: this.#loads.get(test.id) ?? currentLoad(),
    };
  }
}
