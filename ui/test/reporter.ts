import type { Reporter, TestCase, TestModule } from 'vitest/node';

type Errors = readonly { message: string }[];

/**
 * Ends a run as `cargo test` ends one: what each failed test said below its name, and the count.
 * So the runner of all tests reads both alike. A line with ↻ names what held at the second try only.
 */
export default class CargoStyleReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: Errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = tests.flatMap((test) => {
      const { state, errors } = test.result();
      return state === 'failed' ? [failureText(nameOf(test), errors)] : [];
    });
    const broken = modules.flatMap((module) => {
      const errors = module.errors();
      return errors.length ? [failureText(module.relativeModuleId, errors)] : [];
    });
    const outside = unhandled.length ? [failureText('outside of any test', unhandled)] : [];
    const failures = [...failed, ...broken, ...outside];
    for (const test of tests.filter((it) => it.diagnostic()?.flaky)) {
      console.log(`↻ ${nameOf(test)}`);
    }
    const passed = tests.filter((test) => test.ok() && test.result().state === 'passed').length;
    if (failures.length) console.log(`\nfailures:\n\n${failures.join('\n')}\nfailures:`);
    const word = failures.length ? 'FAILED' : 'ok';
    console.log(`test result: ${word}. ${passed} passed; ${failures.length} failed`);
  }
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId}: ${test.fullName}`;

const failureText = (name: string, errors: Errors) =>
  `---- ${name} stdout ----\n${[...new Set(errors.map((error) => error.message))].join('\n')}\n`;
