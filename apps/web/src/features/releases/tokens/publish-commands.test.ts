import { expect, it } from 'vitest';
import { publishCommand, workflowStep } from './publish-commands.tsx';

it.each([
  ['weather-node', 'weather-node'],
  ['Weather node', "'Weather node'"],
  ["Ada's $(rm) node", "'Ada'\\''s $(rm) node'"],
  ['--help', "'--help'"],
])('a shell takes the name of the project as one word: %s', (name, word) => {
  expect(publishCommand('https://bench.example', name)).toContain(` --project ${word} --version`);
  expect(workflowStep('https://bench.example', name)).toContain(` --project ${word} --version "$GITHUB_REF_NAME"`);
});

it('a workflow takes the token from its secrets', () => {
  expect(workflowStep('https://bench.example', 'a')).toContain(`WIREBENCH_TOKEN: \${{ secrets.WIREBENCH_TOKEN }}`);
});
