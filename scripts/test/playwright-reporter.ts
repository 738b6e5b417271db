/** Writes a `TestReport` of Playwright, which counts a failed `beforeAll` or `afterAll` as a failure of a test. */
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { currentLoad, firstLine, pathInProject, type ReportedFile, type ReportedTest, reportLine } from './report.ts';

const placeOf = (file: Suite) => ({
  project: file.parent?.title ?? '',
  path: pathInProject(file.location?.file ?? file.title),
});

/** Returns the suite of the test's file, which is a child of the project's. */
function fileOf(test: TestCase): Suite {
  let suite = test.parent;
  while (suite.type !== 'file' && suite.parent !== undefined) {
    suite = suite.parent;
  }
  return suite;
}

/** @public The runner loads the default export by the path of this file. */
export default class PlaywrightReporter implements Reporter {
  readonly #loads = new Map<string, number>();
  readonly #errors: string[] = [];
  /** Tests of each file that have not ended. */
  readonly #waiting = new Map<Suite, number>();

  onBegin(_: FullConfig, root: Suite): void {
    for (const file of root.suites.flatMap((project) => project.suites)) {
      this.#waiting.set(file, file.allTests().length);
    }
    reportLine({ planned: [...this.#waiting.keys()].map(placeOf) });
  }

  onTestEnd(test: TestCase): void {
    this.#loads.set(test.id, currentLoad());
    const file = fileOf(test);
    const waiting = (this.#waiting.get(file) ?? 0) - 1;
    this.#waiting.set(file, waiting);
    if (waiting === 0) {
      reportLine({ file: this.#reported(file) });
    }
  }

  onError({ message, value, location }: TestError): void {
    const place = location === undefined ? '' : `${pathInProject(location.file)}:${location.line}: `;
    this.#errors.push(`Outside of tests: ${place}${firstLine(message ?? value)}`);
  }

  onEnd(): void {
    for (const file of this.#waiting.keys()) {
      reportLine({ file: this.#reported(file) });
    }
    reportLine({ errors: this.#errors });
  }

  #reported(file: Suite): ReportedFile {
    const tests = file.allTests();
    const milliseconds = tests.flatMap(({ results }) => results.map(({ duration }) => duration));
    return {
      ...placeOf(file),
      tests: tests.map((test) => this.#testOf(test)),
      failedHooks: [],
      seconds: milliseconds.reduce((total, one) => total + one, 0) / 1_000,
    };
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
