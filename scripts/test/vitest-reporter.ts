/** Writes a `TestReport` of Vitest. */
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node';
import { currentLoad, firstLine, pathInProject, type ReportedFile, type ReportedTest, reportLine } from './report.ts';

/** Returns true if a suite around the test, or its file, has errors of its own. */
function isInFailedSuite(test: TestCase): boolean {
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    if (parent.errors().length > 0) {
      return true;
    }
    if (parent.type === 'module') {
      return false;
    }
  }
}

/** A test of a suite whose hook failed is reported as skipped, but was collected as one that runs. */
const isSkippedOnPurpose = (test: TestCase): boolean =>
  test.result().state === 'skipped' &&
  (test.options.mode === 'skip' || test.options.mode === 'todo' || !isInFailedSuite(test));

/** @public The runner loads the default export by the path of this file. */
export default class VitestReporter implements Reporter {
  readonly #loads = new Map<string, number>();

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const planned = specifications.map(({ project, moduleId }) => ({
      project: project.name,
      path: pathInProject(moduleId),
    }));
    reportLine({ planned });
  }

  onTestCaseResult(test: TestCase): void {
    this.#loads.set(test.id, currentLoad());
  }

  onTestModuleEnd(module: TestModule): void {
    reportLine({ file: this.#fileOf(module) });
  }

  onTestRunEnd(
    modules: Parameters<NonNullable<Reporter['onTestRunEnd']>>[0],
    unhandled: Parameters<NonNullable<Reporter['onTestRunEnd']>>[1],
  ): void {
    const errors = unhandled.map(({ message }) => `Outside of tests: ${firstLine(message)}`);
    for (const module of modules) {
      const file = this.#fileOf(module);
      reportLine({ file });
      const state = module.state();
      if (state === 'queued' || state === 'pending') {
        errors.push(`${file.path} did not end.`);
      } else if (state === 'failed' && file.tests.length === 0) {
        errors.push(`${file.path} does not load: ${firstLine(module.errors()[0]?.message)}`);
      }
    }
    reportLine({ errors });
  }

  #fileOf(module: TestModule): ReportedFile {
    const tests = [...module.children.allTests()].map((test): ReportedTest => {
      const { state, errors } = test.result();
      // A pending test belongs to a file that did not end; a flaky one passed in a retry, under the same load.
      const hasFailed = state === 'failed' || state === 'pending' || test.diagnostic()?.flaky === true;
      return {
        name: test.fullName,
        state: hasFailed ? 'failed' : state,
        isSkippedOnPurpose: isSkippedOnPurpose(test),
        error: hasFailed ? firstLine(errors?.[0]?.message) : '',
        load: this.#loads.get(test.id) ?? currentLoad(),
      };
    });
    // Without tests, the errors of a file say why it does not load.
    const suites = tests.length === 0 ? [] : [module, ...module.children.allSuites()];
    const failedHooks = suites.flatMap((suite) =>
      suite.errors().map(
        ({ message }): ReportedTest => ({
          name: suite.type === 'module' ? 'hook of the file' : `hook of ${suite.fullName}`,
          state: 'failed',
          isSkippedOnPurpose: false,
          error: firstLine(message),
          load: currentLoad(),
        }),
      ),
    );
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const milliseconds = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    return {
      project: module.project.name,
      path: pathInProject(module.moduleId),
      tests,
      failedHooks,
      seconds: milliseconds / 1_000,
    };
  }
}
